import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi } from '#kit/web/http/call.ts'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import { goodInfoSalesCall } from './good-sales.calls.ts'

/** Loads the daily sales of a product for the last days. */
export function useSales(goodId: string, days = 30) {
  const query = useQuery({
    queryKey: ['detail', goodInfo.name, 'sales', goodId, days],
    queryFn: () => callApi(goodInfoSalesCall, { id: goodId, days }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  useLiveRefetch(changedTopicOf('shoppingOrder'), query.refetch)
  return query
}
