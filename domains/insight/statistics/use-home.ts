import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import type { IconName } from '#kit/base/icon-names.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useLiveEvents, useLiveRefetch } from '#kit/web/live/live.ts'
import { useThrottled } from '#kit/web/live/throttle.ts'
import type { ComparedDaySpan } from './span.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import { homeTopic } from '#domains/shops/shops/index.ts'

type ShopFigures = { sales: string; orders: number; refunds: string; refundCount: number }
export type HomeDayFigures = ShopFigures & { customers: number }
/** Waiting rows of one kind, and the filter of the list that shows exactly them. */
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
  /** Resources whose changes refresh the page. */
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
/** Sums of the period before, of equal length; `isSoFar` if it is cut at the same elapsed time. */
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

/** Calls `renew` shortly after changes on the home page, throttled; returns the throttled function. */
export function useOnHomeChanged(renew: () => void): () => void {
  const later = useThrottled(renew, PACE)
  useLiveRefetch(homeTopic, later)
  return later
}

/** Calls `onChange` when rows of a resource change. */
export function ResourceChangeListener({ resource, onChange }: { resource: string; onChange: () => void }) {
  useLiveEvents(changedTopicOf(resource), onChange)
  return null
}

/**
 * Loads figures, to-do items and shops of the home page and keeps them live. Reloads every few minutes, as a shop going
 * offline causes no message.
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

/** Loads one of the statistics calls for some days, and again when something on the home page changes. */
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
