import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { get } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live.ts'

export type DayFigures = { sales: string; orders: number; customers: number; refunds: string; refundCount: number }
export type HomeShop = {
  id: string; shopName: string; shopCode: string; status: number; online: boolean; lastSeenTime: string; today: DayFigures; yesterdaySoFar: DayFigures
  refundsWaiting: number; lowStock: number; expiring: number; offlineRegisters: number
}
export type Home = {
  date: string; time: string; today: DayFigures; yesterday: DayFigures; yesterdaySoFar: DayFigures; lastWeek: DayFigures; lastWeekSoFar: DayFigures; newCustomers: number
  needs: { refundsWaiting: number; refundsFailed: number; refundsAmount: string; lowStock: number; expiring: number; expired: number; offlineShops: number; offlineRegisters: number; flaggedOrders: number }
  lowStock: { id: string; name: string; shopName: string; stock: number; lowStock: number }[]
  expiring: { id: string; batchNo: string; goodId: string; name: string; shopName: string; remaining: number; expiryDate: string }[]
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
