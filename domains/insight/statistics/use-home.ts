import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http.ts'
import type { IconName } from '#kit/resource/icon-names.ts'
import { useLanguage } from '#kit/web/language.tsx'
import { useLiveEvents, useLiveRefetch } from '#kit/web/live/live.ts'
import { useThrottled } from '#kit/web/live/throttle.ts'
import type { ComparedDaySpan } from './span.ts'

type ShopFigures = { sales: string; orders: number; refunds: string; refundCount: number }
export type HomeDayFigures = ShopFigures & { customers: number }
/** Rows that wait for somebody, and the filter of the list that shows exactly them. */
export type WaitingTodo = {
  key: string
  label: string
  resource: string
  icon: IconName
  tone: 'bad' | 'warn'
  count: number
  amount: string
  query: Record<string, string>
  rows?: WaitingTodoLine[]
}
export type WaitingTodoLine = { id: string; title: string; notes: string; time: string; isLate: boolean; to: string }
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
  needs: WaitingTodo[]
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
export type HomeOverview = {
  role: 'platform' | 'tenant' | 'boss' | 'clerk'
  shortcuts: Shortcut[]
  /** Families whose changes change this page. */
  hears: string[]
  date: string
  time: string
  today: HomeDayFigures
  yesterday: HomeDayFigures
  yesterdaySoFar: HomeDayFigures
  lastWeek: HomeDayFigures
  lastWeekSoFar: HomeDayFigures
  newCustomers: number
  needs: WaitingTodo[]
  shops: HomeShop[]
  platform?: { tenants: HomeTenant[]; tenantCount: number; jobsFailed: number; jobsLate: number }
}

export type SalesSumsWire = {
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
export type PreviousSalesSumsWire = SalesSumsWire & { from: string; to: string; isSoFar: boolean }
export type DaySalesWire = SalesSumsWire & { date: string; customers: number }
export type HourSalesWire = SalesSumsWire & { hour: number; customers: number }
export type ShopSalesWire = SalesSumsWire & { shopId: string; shopName: string }
type GoodsFigures = {
  amount: string
  quantity: number
  cost: string
  profit: string
  refunds: string
  refundQuantity: number
}
export type GoodTypeSalesWire = GoodsFigures & { goodTypeId: string; name: string }
export type GoodSalesWire = GoodsFigures & {
  goodId: string
  name: string
  upc: string
  shopId: string
  shopName: string
}
export type CustomerBreakdownWire = {
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
export function useOnHomeChanged(renew: () => void): () => void {
  const later = useThrottled(renew, PACE)
  useLiveRefetch('home.changed', later)
  return later
}

/** Hears what a family says about its rows. */
export function ResourceChangeListener({ resource, onChange }: { resource: string; onChange: () => void }) {
  useLiveEvents(`${resource}.changed`, onChange)
  return null
}

/**
 * Today's figures, what needs somebody and the shops, live. Shops that fall silent tell nobody: it is asked again every
 * few minutes.
 */
export function useHomeOverview(shopIds: string) {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['home', language, shopIds],
    queryFn: ({ signal }) =>
      apiGet<HomeOverview>('/api/shop/home/today', { shopIds: shopIds || undefined }, { quiet: true, signal }),
    placeholderData: (before) => before,
    refetchInterval: STALE_MS,
    staleTime: 0,
  })
  const changed = useOnHomeChanged(() => void query.refetch())
  return { ...query, changed }
}

/** One of the statistics calls over days, kept live while the days are not over. */
export function useStatistics<T>(
  name: string,
  { from, to }: Pick<ComparedDaySpan, 'from' | 'to'>,
  shopIds: string,
  more: Record<string, string> = {},
) {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['figures', name, language, from, to, shopIds, more],
    queryFn: ({ signal }) =>
      apiGet<T>(
        `/api/shop/statistics/${name}`,
        { createTime_dategt: from, createTime_datelt: to, shopIds: shopIds || undefined, ...more },
        { quiet: true, signal },
      ),
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
  useOnHomeChanged(() => void query.refetch())
  return query
}
