import { formatAmount } from '#kit/fields/money/cents.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { GoodsPicture } from './goods-picture.tsx'
import type { WholeOrderLine, WholeOrder } from './use-whole-order.ts'
import { ORDER_STATE } from './dictionaries.ts'
import { orderMoneySlot } from './slots.ts'
import { isPositiveAmount, OrderPrice, priceStepLabel } from './order-price.tsx'
import { OrderRefunds } from './order-refunds.tsx'
import { OrderSection } from './order-section.tsx'
import { words } from './order-words.ts'
import './orders.css'

const DeliveryCard = lazy(() => import('./delivery.panel.tsx').then((panel) => ({ default: panel.DeliveryCard })))

/** Main column of an order: products, price, payments and refunds. */
export function OrderMainColumn({ whole }: { whole: WholeOrder }) {
  const t = useLocalize()
  const { order, lines, payments } = whole
  const inserts = useSlotContents(orderMoneySlot)
  return (
    <div className="order-main">
      <OrderSection title={t(words.lines)} aside={t(words.pieces, { count: order.quantity })}>
        <ul className="order-lines">
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
      </OrderSection>
      <OrderSection title={t(words.price)}>
        <OrderPrice whole={whole} />
      </OrderSection>
      {inserts?.map((Insert, at) => (
        <Insert key={at} orderId={order.id} isToPay={Number(order.status) === ORDER_STATE.toPay} />
      ))}
      {payments.length > 0 && (
        <OrderSection title={t(words.payments)}>
          <Payments payments={payments} />
        </OrderSection>
      )}
      {whole.deliveries.length > 0 && (
        <OrderSection title={t(words.delivery)}>
          <Deliveries whole={whole} />
        </OrderSection>
      )}
      {whole.refunds.length > 0 && (
        <OrderSection title={t(words.refunds)}>
          <OrderRefunds whole={whole} />
        </OrderSection>
      )}
    </div>
  )
}

function Payments({ payments }: Pick<WholeOrder, 'payments'>) {
  return (
    <ul className="kit-rows">
      {payments.map((one) => (
        <li key={one.id}>
          <span>
            <strong>{one.channelName}</strong>
            {one.transactionNo && (
              <small>
                <CopyableText text={one.transactionNo} />
              </small>
            )}
          </span>
          <span className="order-right">
            <Money value={one.amount} />
            {one.payTime && (
              <small>
                <RelativeTime at={one.payTime} />
              </small>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Deliveries({ whole: { order, deliveries } }: { whole: WholeOrder }) {
  const client = useQueryClient()
  return (
    <Suspense>
      {deliveries.toReversed().map((row) => (
        <DeliveryCard
          key={String(row.id)}
          row={row}
          onDone={() => void client.invalidateQueries({ queryKey: ['whole-order', order.id] })}
        />
      ))}
    </Suspense>
  )
}

function Line({ line }: { line: WholeOrderLine }) {
  const t = useLocalize()
  const isOffList = line.listPrice && String(line.listPrice) !== '-1' && line.listPrice !== line.price

  return (
    <li>
      <GoodsPicture link={line.picture} name={line.name} />
      <div className="order-what">
        <strong>
          {line.goodId ? (
            <RowLink to="goodInfo" id={line.goodId}>
              {line.name}
            </RowLink>
          ) : (
            line.name
          )}
        </strong>
        <small>
          {[line.spec, line.upc].filter(Boolean).join(' · ')}
          {!line.goodId && <em> · {t(words.unknown)}</em>}
        </small>
        {line.batches.length > 0 && (
          <small>
            {line.batches
              .map((one) => t(words.batch, { no: one.batchNo || one.batchId, count: one.quantity }))
              .join(t(words.and))}
          </small>
        )}
      </div>
      <div className="order-sum">
        <span className="kit-number">
          ¥{formatAmount(line.price)} × {line.quantity}
        </span>
        {isOffList && (
          <small className="order-odd">{t(words.listPrice, { price: formatAmount(line.listPrice) })}</small>
        )}
        {line.benefits.map((one) => (
          <small key={`${one.kind}${one.refId}${one.name}`}>
            {one.name || t(priceStepLabel(one.kind) ?? words.off)} −¥{formatAmount(one.amount)}
          </small>
        ))}
        {!line.benefits.length && isPositiveAmount(line.discount) && (
          <small>{t(words.off, { amount: formatAmount(line.discount) })}</small>
        )}
      </div>
      <div className="order-right">
        <strong>
          <Money value={line.amount} />
        </strong>
        {line.refundQuantity > 0 && (
          <small className="order-gone">
            {t(words.gone, { count: line.refundQuantity, amount: formatAmount(line.refundAmount) })}
          </small>
        )}
      </div>
    </li>
  )
}
