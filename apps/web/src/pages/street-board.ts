import { useQuery } from '@tanstack/react-query'
import { get } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'

type Value = boolean | number | string
export type Fault = {
  name: string
  label: string
  once?: true
  of: Device['kind'][]
} & (
  | { form: 'yes' }
  | { form: 'number'; max: number; usual: number; unit?: string }
  | { form: 'word'; words: { key: string; label: string }[] }
)
export type Device = {
  clientId: string
  tenantId: string
  tenantName: string
  kind: 'gateway' | 'power' | 'register' | 'printer' | 'wechatpay' | 'meituan' | 'ele' | 'wechat'
  name: string
  shopName: string
  isOnline: boolean
  faults: Record<string, Value>
}
export type Practice = {
  tenantId: string
  tenantName: string
  isGoing: boolean
  day?: { minute: number; isOver: boolean }
}
export type Board = { table: Fault[]; devices: Device[]; practice: Practice[] }

const EVERY_MS = 2_000

/** Simulated devices as they are now, what can be wrong with them, and the practice tenants. */
export function useBoard() {
  const language = useLang()
  return useQuery({
    queryKey: ['street', language],
    queryFn: () => get<Board>('/api/street/board', undefined, { quiet: true }),
    refetchInterval: EVERY_MS,
  })
}
