import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useMayRefund } from './may-refund.ts'
import { shoppingOrder } from './shopping-order.resource.ts'
import './orders.css'

type Row = WireRow<typeof shoppingOrder>

const RefundDialog = lazy(() => import('./refund.panel.tsx'))
const OrderDetail = lazy(() => import('./order-detail.panel.tsx'))
const OrderSidePanel = lazy(() =>
  import('./order-detail.panel.tsx').then((panel) => ({ default: panel.OrderSidePanel })),
)

const words = {
  intro: {
    zh: '新订单自动出现；点击一行查看经过和退款',
    en: 'New orders appear automatically. Open one to view its timeline and refund it.',
  },
  refund: { zh: '退款', en: 'Refund' },
  unpaid: { zh: '未付', en: 'unpaid' },
}

/** The number links to the order's page; a click on the row opens it next to the list. */
const NoCell = ({ value, row }: CellProps<Row>) => (
  <Link
    className="kit-number"
    to={`/order/shoppingOrder/${String(row.id)}`}
    onClick={(event) => event.stopPropagation()}
  >
    {String(value)}
  </Link>
)

const RefundedCell = ({ value }: CellProps<Row>) =>
  Number(value) ? (
    <span className="order-gone">
      <Money value={value} />
    </span>
  ) : (
    <span className="kit-quiet">—</span>
  )

/** Marks the amount of an unpaid order, so that it does not read as income. */
function PaidCell({ value, row }: CellProps<Row>) {
  const t = useLocalize()
  return row.payTime ? (
    <Money value={value} />
  ) : (
    <span className="kit-quiet">
      {t(words.unpaid)} <Money value={value} />
    </span>
  )
}

const cells = {
  payAmount: (props: CellProps<Row>) => <PaidCell {...props} />,
  orderNo: (props: CellProps<Row>) => <NoCell {...props} />,
  refundAmount: (props: CellProps<Row>) => <RefundedCell {...props} />,
}

export default function ShoppingOrderPage() {
  const mayRefund = useMayRefund()
  const [refunding, setRefunding] = useState<string>()
  const rowActions = (row: Row): RowAction[] =>
    mayRefund(row)
      ? [{ key: 'refund', label: words.refund, icon: 'rollback', run: () => setRefunding(String(row.id)) }]
      : []
  // Refunds are made daily and remarks rarely, so refund comes first.
  const order = ['view', 'refund', 'finish', 'edit', 'printReceipt', 'printDocument', 'cancel']
  const transformActions = (list: RowAction[]) =>
    list.filter(({ disabled }) => !disabled).toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
  return (
    <>
      <ResourcePage
        resource={shoppingOrder}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          transformActions,
          detail: (row) => <OrderDetail id={String(row.id)} />,
          beside: (row) => <OrderSidePanel id={String(row.id)} />,
        }}
      />
      <Suspense>{refunding && <RefundDialog orderId={refunding} onClose={() => setRefunding(undefined)} />}</Suspense>
    </>
  )
}
