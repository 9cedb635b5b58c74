import { wireYuanToCents, formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ORDER_STATE } from './dictionaries.ts'
import { words } from './order-words.ts'
import { formatCentsAsYuan } from './refund-preview.ts'
import type { PriceStep, WholeOrder } from './use-whole-order.ts'
import './orders.css'

/** Names of the price's steps, by kind. */
const steps: Record<string, LocalizedText> = {
  goods: { zh: '商品金额（货架价）', en: 'Subtotal (shelf price)' },
  vipPrice: { zh: '会员价', en: 'Member price' },
  vipDay: { zh: '会员日', en: 'Member day' },
  vip: { zh: '会员优惠', en: 'Member discount' },
  campaign: { zh: '活动', en: 'Promotion' },
  discount: { zh: '优惠', en: 'Discount' },
  ticket: { zh: '优惠券', en: 'Coupon' },
  points: { zh: '积分抵扣', en: 'Points redeemed' },
  freight: words.freight,
}

export const priceStepLabel = (kind: string): LocalizedText | undefined => steps[kind]

export const isPositiveAmount = (yuan: string) => wireYuanToCents(yuan) > 0

/** Label of the order's total: paid, to pay, or unpaid for a cancelled order. */
export const orderTotalLabel = (order: WholeOrder['order']) =>
  order.payTime ? words.paid : Number(order.status) === ORDER_STATE.cancelled ? words.unpaid : words.due

/** The steps from the shelf price to the amount paid, and what is left after refunds. */
export function OrderPrice({ whole: { order, price } }: { whole: WholeOrder }) {
  const t = useLocalize()
  const kept = wireYuanToCents(order.payAmount) - wireYuanToCents(order.refundAmount)
  const labelOf = ({ kind, name }: PriceStep) => {
    const label = t(steps[kind] ?? steps.discount!)
    return name && name !== label ? t(words.of, { kind: label, name }) : label
  }

  return (
    <>
      <dl className="order-price">
        {price.map((step) => (
          <div key={`${step.kind}${step.refId}${step.name}`}>
            <dt>
              {labelOf(step)}
              {step.lines.length > 1 && (
                <small>
                  {step.lines.map((line) => `${line.name} ${formatAmount(line.amount)}`).join(t(words.and))}
                </small>
              )}
            </dt>
            <dd>
              <Money value={step.amount} />
            </dd>
          </div>
        ))}
        <div className="order-total">
          <dt>{t(orderTotalLabel(order))}</dt>
          <dd>
            <Money value={order.payAmount} />
          </dd>
        </div>
        {isPositiveAmount(order.refundAmount) && (
          <>
            <div>
              <dt>{t(words.refunded)}</dt>
              <dd className="order-gone">
                − <Money value={order.refundAmount} />
              </dd>
            </div>
            <div className="order-total">
              <dt>{t(words.kept)}</dt>
              <dd>
                <Money value={formatYuan(kept)} />
              </dd>
            </div>
          </>
        )}
      </dl>
      {isPositiveAmount(order.costAmount) && !isPositiveAmount(order.refundAmount) && (
        <p className="order-margin kit-quiet">
          {t(words.cost, {
            cost: formatAmount(order.costAmount),
            margin: formatCentsAsYuan(kept - wireYuanToCents(order.costAmount)),
          })}
        </p>
      )}
    </>
  )
}
