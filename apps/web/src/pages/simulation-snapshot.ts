import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'

type Value = boolean | number | string
export type SimulatedFault = {
  name: string
  label: string
  once?: true
  of: SimulatedDevice['kind'][]
} & (
  | { form: 'yes' }
  | { form: 'number'; max: number; usual: number; unit?: string }
  | { form: 'word'; words: { key: string; label: string }[] }
)
export type SimulatedDevice = {
  clientId: string
  tenantId: string
  tenantName: string
  kind: 'gateway' | 'power' | 'register' | 'printer' | 'wechatpay' | 'meituan' | 'ele' | 'wechat'
  name: string
  shopName: string
  isOnline: boolean
  faults: Record<string, Value>
}
export type PracticeTenant = {
  tenantId: string
  tenantName: string
  isGoing: boolean
  day?: { minute: number; isOver: boolean }
}
export type DeviceSimulationSnapshot = {
  table: SimulatedFault[]
  devices: SimulatedDevice[]
  practice: PracticeTenant[]
}

const EVERY_MS = 2_000

/**
 * Fetches the simulated devices with their faults, the possible faults and the practice tenants, again every few
 * seconds.
 */
export function useDeviceSimulationSnapshot() {
  const language = useLanguage()
  return useQuery({
    queryKey: ['street', language],
    queryFn: () => apiGet<DeviceSimulationSnapshot>('/api/street/board', undefined, { quiet: true }),
    refetchInterval: EVERY_MS,
  })
}
