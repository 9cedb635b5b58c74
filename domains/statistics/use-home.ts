import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { get } from '#kit/web/http.ts'
import type { IconName } from '#kit/web/icon-names.ts'
import { useLang } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live.ts'

export type DayFigures = { sales: string; orders: number; customers: number; refunds: string; refundCount: number }
/** Rows that wait for somebody, and the filter of the list that shows exactly them. */
export type Waiting = { key: string; label: string; resource: string; icon: IconName; tone: 'bad' | 'warn'; count: number; amount: string; query: Record<string, string> }
export type HomeShop = { id: string; shopName: string; shopCode: string; status: number; online: boolean; lastSeenTime: string; today: DayFigures; yesterdaySoFar: DayFigures; needs: Waiting[] }
export type Home = {
  date: string; time: string; today: DayFigures; yesterday: DayFigures; yesterdaySoFar: DayFigures; lastWeek: DayFigures; lastWeekSoFar: DayFigures; newCustomers: number
  needs: Waiting[]
  shops: HomeShop[]
}
export type Hour = { hour: number; sales: string; orders: number; yesterdaySales: string; yesterdayOrders: number }

const BREATH_MS = 1500
const STALE_MS = 5 * 60_000

/** Calls back soon after something on the home page changed, but not at every grain of it. */
function useHomeChanged(renew: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const later = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      renew()
    }, BREATH_MS)
  }
  useLive('home.changed', later, later)
  useEffect(() => () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }, [])
}

/** Today's figures, what needs somebody and the shops, live. Shops that fall silent tell nobody: it is asked again every few minutes. */
export function useHome() {
  const language = useLang()
  const query = useQuery({
    queryKey: ['home', language],
    queryFn: ({ signal }) => get<Home>('/api/shop/home/today', undefined, { quiet: true, signal }),
    placeholderData: (before) => before,
    refetchInterval: STALE_MS,
    staleTime: 0,
  })
  useHomeChanged(() => void query.refetch())
  return query
}

/** Sales by hour, of all shops or of one. */
export function useHours(shopId?: string) {
  const query = useQuery({
    queryKey: ['home-hours', shopId ?? ''],
    queryFn: ({ signal }) => get<{ hours: Hour[] }>('/api/shop/home/hours', { shopId }, { quiet: true, signal }),
    placeholderData: (before) => before,
    staleTime: 0,
  })
  useHomeChanged(() => void query.refetch())
  return query
}
