import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { RowSidePanel } from '#kit/web/detail/row-side-panel.tsx'
import { RowHistoryButton } from '#kit/web/detail/history-button.tsx'
import { PrintRowButton } from '#kit/web/list/print-button.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { orderTotalLabel } from './order-price.tsx'
import { OrderSideColumn } from './order-side.tsx'
import { OrderMainColumn } from './order.panel.tsx'
import { useMayRefund } from './may-refund.ts'
import { shoppingOrder } from './shopping-order.resource.ts'
import { useWholeOrder, type WholeOrder } from './use-whole-order.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import '#kit/web/base/kit.css'
import './orders.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const RefundDialog = lazy(() => import('./refund.panel.tsx'))

const words = {
  order: { zh: '订单', en: 'Order' },
  refund: { zh: '退款', en: 'Refund' },
  refunded: { zh: '已退', en: 'Refunded' },
}

/** The page of one order: products, price, payments, refunds and events. */
export default function OrderPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const { data: whole, error, refetch } = useWholeOrder(id)
  // A delivery's progress changes this page.
  useLiveEvents(changedTopicOf('deliveryInfo'), () => void refetch())
  useTabTitle(whole && `${t(words.order)} ${whole.order.orderNo.slice(-6)}`)
  if (!whole) {
    return (
      <div className="kit-page order-page">
        {error ? (
          <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <OrderSkeleton />
        )}
      </div>
    )
  }
  return (
    <div className="kit-page order-page">
      <OrderHead whole={whole} />
      <div className="order-columns">
        <div className="order-card">
          <OrderMainColumn whole={whole} />
        </div>
        <aside className="order-card">
          <OrderSideColumn whole={whole} />
          <RowSidePanel resource="shoppingOrder" id={String(whole.order.id)} />
        </aside>
      </div>
    </div>
  )
}

function OrderHead({ whole }: { whole: WholeOrder }) {
  const t = useLocalize()
  const { order } = whole
  const flags = String(order.flags ?? '')
    .split(',')
    .filter(Boolean)
  return (
    <header className="order-card order-head">
      <div>
        <h1>
          {t(shoppingOrder.label)} <CopyableText text={order.orderNo} />
        </h1>
        <p>
          <DictTag code="order_status" value={order.status} />
          {flags.map((flag) => (
            <DictTag key={flag} code="order_flag" value={flag} />
          ))}
          <span className="kit-quiet">
            {order.shopName} · <RelativeTime at={order.payTime || order.createTime} full />
          </span>
        </p>
      </div>
      <Sums order={order} />
      <Actions whole={whole} />
      <PrintRowButton resource={shoppingOrder} row={order} size="large" />
      <RowHistoryButton resource={shoppingOrder} row={order} size="large" />
    </header>
  )
}

function Sums({ order }: Pick<WholeOrder, 'order'>) {
  const t = useLocalize()
  return (
    <dl className="order-figures">
      <div>
        <dt>{t(orderTotalLabel(order))}</dt>
        <dd>
          <Money value={order.payAmount} />
        </dd>
      </div>
      {order.refundAmount !== '0.00' && (
        <div>
          <dt>{t(words.refunded)}</dt>
          <dd className="order-gone">
            <Money value={order.refundAmount} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** What can be done with the order now, the next step first. */
function Actions({ whole }: { whole: WholeOrder }) {
  const t = useLocalize()
  const { order } = whole
  const mayRefund = useMayRefund()
  const may = useResourcePermissions(shoppingOrder)
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const [isRefunding, setRefunding] = useState(false)
  const steps = (['handOver', 'finish', 'printReceipt', 'cancel'] as const).filter(
    (name) => may.act(name) && meetsCondition(order, shoppingOrder.actions[name].enabled),
  )
  const next = steps.find((name) => name === 'handOver' || name === 'finish')

  return (
    <>
      {steps.map((name) => (
        <Button
          key={name}
          size="large"
          type={name === next ? 'primary' : 'default'}
          danger={name === 'cancel'}
          onClick={() => setActionRequest({ name, action: shoppingOrder.actions[name], rows: [order] })}
        >
          {t(shoppingOrder.actions[name].label)}
        </Button>
      ))}
      {mayRefund(order) && whole.refundableAmount !== '0.00' && (
        <Button
          size="large"
          type={next ? 'default' : 'primary'}
          icon={<Icon name="rollback" />}
          onClick={() => setRefunding(true)}
        >
          {t(words.refund)}
        </Button>
      )}
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={shoppingOrder} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
      </Suspense>
      <Suspense>{isRefunding && <RefundDialog orderId={order.id} onClose={() => setRefunding(false)} />}</Suspense>
    </>
  )
}

const OrderSkeleton = () => (
  <>
    <div className="order-card order-head">
      <span className="kit-skeleton" style={{ width: '40%', height: 40 }} />
    </div>
    <div className="order-columns">
      {[6, 4].map((rows) => (
        <div key={rows} className="order-card order-wait">
          {Array.from({ length: rows }, (_, at) => (
            <span key={at} className="kit-skeleton" />
          ))}
        </div>
      ))}
    </div>
  </>
)
