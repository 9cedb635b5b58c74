import { Skeleton } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { OrderSideColumn } from './order-side.tsx'
import { OrderMainColumn } from './order.panel.tsx'
import { useWholeOrder } from './use-whole-order.ts'

/** Main column of an order in a drawer: products and payments. */
export default function OrderDetailPanel({ id }: { id: string }) {
  const t = useLocalize()
  const { data, error, refetch } = useWholeOrder(id)
  if (data) return <OrderMainColumn whole={data} />
  return error ? (
    <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  ) : (
    <Skeleton active paragraph={{ rows: 10 }} />
  )
}

/** Side column of an order in a drawer: customer and events. */
export function OrderSidePanel({ id }: { id: string }) {
  const { data } = useWholeOrder(id)
  return data ? <OrderSideColumn whole={data} /> : <Skeleton active paragraph={{ rows: 6 }} />
}
