import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'

type SoldDay = { date: string; sold: number; received: number; lost: number; stock: number }
type Sold = { total: number; days: SoldDay[]; rate: { perDay: number; days: number } }

/** Loads the daily sales of a product for the last days. */
export function useSales(goodId: string, days = 30) {
  const query = useQuery({
    queryKey: ['detail', goodInfo.name, 'sales', goodId, days],
    queryFn: () => apiGet<Sold>(`${goodInfo.path}/sales`, { id: goodId, days }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  useLiveRefetch('shoppingOrder.changed', query.refetch)
  return query
}
