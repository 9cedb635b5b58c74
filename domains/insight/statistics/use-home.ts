import { useQuery } from '@tanstack/react-query'
import { get } from '#kit/web/http.ts'
import type { IconName } from '#kit/resource/icon-names.ts'
import { useLang } from '#kit/web/language.tsx'
import { useLive, useLiveRefetch } from '#kit/web/live/live.ts'
import { useThrottled } from '#kit/web/live/throttle.ts'
import type { Span } from './span.ts'

type ShopFigures = { sales: string; orders: number; refunds: string; refundCount: number }
export type DayFigures = ShopFigures & { customers: number }
/** Rows that wait for somebody, and the filter of the list that shows exactly them. */
export type Waiting = {
  key: string
  label: string
  resource: string
  icon: IconName
  tone: 'bad' | 'warn'
  count: number
  amount: string
  query: Record<string, string>
  rows?: WaitingLine[]
}
export type WaitingLine = { id: string; title: string; notes: string; time: string; isLate: boolean; to: string }
export type HomeShop = {
  id: string
  shopName: string
  shopCode: string
  status: number
  online: boolean
  lastSeenTime: string
  longitude: number | null
  latitude: number | null
  today: ShopFigures
  yesterdaySoFar: ShopFigures
  needs: Waiting[]
}
export type HomeTenant = {
  id: string
  tenantId: string
  tenantName: string
  expireTime: string
  shops: number
  online: number
  urgent: number
  sales: string
  orders: number
  days: { day: string; sales: string }[]
}
export type Shortcut = { key: string; label: string; icon: IconName; path: string }
export type Home = {
  role: 'platform' | 'tenant' | 'boss' | 'clerk'
  shortcuts: Shortcut[]
  /** Families whose changes change this page. */
  hears: string[]
  date: string
  time: string
  today: DayFigures
  yesterday: DayFigures
  yesterdaySoFar: DayFigures
  lastWeek: DayFigures
  lastWeekSoFar: DayFigures
  newCustomers: number
  needs: Waiting[]
  shops: HomeShop[]
  platform?: { tenants: HomeTenant[]; tenantCount: number; jobsFailed: number; jobsLate: number }
}

export type Sums = {
  income: string
  refunds: string
  net: string
  orders: number
  refundCount: number
  items: number
  discount: string
  cost: string
  profit: string
}
/** What is compared with: as much time before, of days that are not over up to the same moment. */
export type SumsBefore = Sums & { from: string; to: string; isSoFar: boolean }
export type DaySums = Sums & { date: string; customers: number }
export type HourSums = Sums & { hour: number; customers: number }
export type ShopSums = Sums & { shopId: string; shopName: string }
type GoodsFigures = {
  amount: string
  quantity: number
  cost: string
  profit: string
  refunds: string
  refundQuantity: number
}
export type TypeSums = GoodsFigures & { goodTypeId: string; name: string }
export type GoodSums = GoodsFigures & { goodId: string; name: string; upc: string; shopId: string; shopName: string }
export type People = {
  customers: number
  members: number
  newCustomers: number
  returningCustomers: number
  repeatCustomers: number
  guestOrders: number
  orders: number
  average: string
}

const PACE = { waitMs: 1_500, everyMs: 1_500 }
const STALE_MS = 5 * 60_000

/** Calls back soon after something on the home page changed, but not at every grain of it. */
export function useHomeChanged(renew: () => void): () => void {
  const later = useThrottled(renew, PACE)
  useLiveRefetch('home.changed', later)
  return later
}

/** Hears what a family says about its rows. */
export function Hears({ resource, onChange }: { resource: string; onChange: () => void }) {
  useLive(`${resource}.changed`, onChange)
  return null
}

/**
 * Today's figures, what needs somebody and the shops, live. Shops that fall silent tell nobody: it is asked again every
 * few minutes.
 */
export function useHome(shopIds: string) {
  const language = useLang()
  const query = useQuery({
    queryKey: ['home', language, shopIds],
    queryFn: ({ signal }) =>
      get<Home>('/api/shop/home/today', { shopIds: shopIds || undefined }, { quiet: true, signal }),
    placeholderData: (before) => before,
    refetchInterval: STALE_MS,
    staleTime: 0,
  })
  const changed = useHomeChanged(() => void query.refetch())
  return { ...query, changed }
}

/** One of the statistics calls over days, kept live while the days are not over. */
export function useFigures<T>(
  name: string,
  { from, to }: Pick<Span, 'from' | 'to'>,
  shopIds: string,
  more: Record<string, string> = {},
) {
  const language = useLang()
  const query = useQuery({
    queryKey: ['figures', name, language, from, to, shopIds, more],
    queryFn: ({ signal }) =>
      get<T>(
        `/api/shop/statistics/${name}`,
        { createTime_dategt: from, createTime_datelt: to, shopIds: shopIds || undefined, ...more },
        { quiet: true, signal },
      ),
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
  useHomeChanged(() => void query.refetch())
  return query
}
