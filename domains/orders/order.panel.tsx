import { centsOf, yuan } from '#kit/fields/money/cents.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Action } from '#kit/resource/define-resource.ts'
import type { Asked } from '#kit/web/form/action-dialog.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { Copyable } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { amount, Money } from '#kit/web/parts/money.tsx'
import { RowLink } from '#kit/web/list/row-link.tsx'
import { Thumbnails } from '#kit/web/list/thumbnails.tsx'
import { When } from '#kit/web/parts/when.tsx'
import { ORDER, REFUND } from './dictionaries.ts'
import { GoodsPicture } from './goods-picture.tsx'
import { refundAction } from './refund-words.ts'
import { refunds } from './refunds.resource.ts'
import { useSigning } from './use-may-sign.ts'
import type { OrderLine, OrderRefund, PriceStep, WholeOrder } from './use-whole-order.ts'
import './orders.css'

const DeliveryCard = lazy(() => import('./delivery.panel.tsx').then((panel) => ({ default: panel.DeliveryCard })))
const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

const words = {
  lines: { zh: '商品', en: 'Goods' },
  and: { zh: '、', en: ', ' },
  pieces: { zh: '{count} 件', en: '{count} items' },
  batch: { zh: '批次 {no} ×{count}', en: 'batch {no} ×{count}' },
  listPrice: { zh: '后台售价 ¥{price}', en: '¥{price} on file' },
  off: { zh: '优惠 ¥{amount}', en: '¥{amount} off' },
  gone: { zh: '已退 {count} 件 ¥{amount}', en: '{count} refunded, ¥{amount}' },
  unknown: { zh: '后台没有的商品', en: 'Not among your goods' },
  price: { zh: '价格构成', en: 'How the price came about' },
  freight: { zh: '运费', en: 'Freight' },
  due: { zh: '应付', en: 'To pay' },
  unpaid: { zh: '未付', en: 'Not paid' },
  of: { zh: '{kind}：{name}', en: '{kind}: {name}' },
  visit: { zh: '到店记录', en: 'Visit' },
  delivery: { zh: '配送', en: 'Delivery' },
  signedBy: { zh: '{user} 已签字', en: 'signed by {user}' },
  waitsSecond: { zh: '还需另一人签字', en: 'one more person has to sign' },
  aboveLimit: { zh: '超过您的审核额度', en: 'above your limit' },
  paid: { zh: '实付', en: 'Paid' },
  refunded: { zh: '已退款', en: 'Refunded' },
  kept: { zh: '实收', en: 'Kept' },
  cost: { zh: '成本 ¥{cost}，毛利 ¥{margin}', en: 'Cost ¥{cost}, margin ¥{margin}' },
  payments: { zh: '支付', en: 'Payment' },
  refunds: { zh: '退款', en: 'Refunds' },
  restocked: { zh: '商品已退回库存', en: 'goods are back in stock' },
  restocks: { zh: '商品将退回库存', en: 'goods go back to stock' },
  notRestocked: { zh: '商品不退回库存', en: 'goods do not go back to stock' },
  why: { zh: '原因：{reason}', en: 'Reason: {reason}' },
  decided: { zh: '{user}：{remark}', en: '{user}: {remark}' },
  failed: { zh: '失败原因：{reason}', en: 'Why it failed: {reason}' },
  log: { zh: '经过', en: 'What happened' },
  stock: { zh: '库存变动', en: 'Stock moved' },
  facts: { zh: '订单', en: 'Order' },
  shop: { zh: '门店', en: 'Shop' },
  customer: { zh: '顾客', en: 'Customer' },
  walkIn: { zh: '未登记顾客', en: 'Not known' },
  register: { zh: '收银机', en: 'Register' },
  source: { zh: '来源', en: 'Source' },
  saleNo: { zh: '收银流水号', en: 'Register sale number' },
  received: { zh: '入账时间', en: 'Recorded' },
  ordered: { zh: '下单时间', en: 'Ordered' },
  remark: { zh: '备注', en: 'Remark' },
  cancelled: { zh: '取消原因', en: 'Why cancelled' },
} satisfies Record<string, Words>

/** What takes a price down, by kind. */
const steps: Record<string, Words> = {
  goods: { zh: '商品金额（货架价）', en: 'Goods at shelf prices' },
  vipPrice: { zh: '会员价', en: 'Member price' },
  vipDay: { zh: '会员日', en: 'Member day' },
  vip: { zh: '会员优惠', en: 'Member discount' },
  campaign: { zh: '活动', en: 'Campaign' },
  discount: { zh: '优惠', en: 'Discount' },
  ticket: { zh: '优惠券', en: 'Ticket' },
  points: { zh: '积分抵扣', en: 'Points' },
  freight: words.freight,
}

const isMore = (yuan: string) => centsOf(yuan) > 0
const yuanOf = (cents: number) => amount(yuan(cents))

function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="order-section">
      <h3>
        {title}
        {aside && <span className="kit-quiet">{aside}</span>}
      </h3>
      {children}
    </section>
  )
}

/** What was bought and paid, and what went back. */
export function OrderMain({ whole }: { whole: WholeOrder }) {
  const say = useSay()
  const client = useQueryClient()
  const { order, lines, payments } = whole
  return (
    <div className="order-main">
      <Section title={say(words.lines)} aside={say(words.pieces, { count: order.quantity })}>
        <ul className="order-lines">
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
      </Section>
      <Section title={say(words.price)}>
        <PriceExplained whole={whole} />
      </Section>
      {payments.length > 0 && (
        <Section title={say(words.payments)}>
          <ul className="kit-rows">
            {payments.map((one) => (
              <li key={one.id}>
                <span>
                  <strong>{one.channelName}</strong>
                  {one.transactionNo && (
                    <small>
                      <Copyable text={one.transactionNo} />
                    </small>
                  )}
                </span>
                <span className="order-right">
                  <Money value={one.amount} />
                  {one.payTime && (
                    <small>
                      <When at={one.payTime} />
                    </small>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {whole.deliveries.length > 0 && (
        <Section title={say(words.delivery)}>
          <Suspense>
            {whole.deliveries.toReversed().map((row) => (
              <DeliveryCard
                key={String(row.id)}
                row={row}
                onDone={() => void client.invalidateQueries({ queryKey: ['whole-order', order.id] })}
              />
            ))}
          </Suspense>
        </Section>
      )}
      {whole.refunds.length > 0 && (
        <Section title={say(words.refunds)}>
          <Refunds whole={whole} />
        </Section>
      )}
    </div>
  )
}

function Line({ line }: { line: OrderLine }) {
  const say = useSay()
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
          {!line.goodId && <em> · {say(words.unknown)}</em>}
        </small>
        {line.batches.length > 0 && (
          <small>
            {line.batches
              .map((one) => say(words.batch, { no: one.batchNo || one.batchId, count: one.quantity }))
              .join(say(words.and))}
          </small>
        )}
      </div>
      <div className="order-sum">
        <span className="kit-number">
          ¥{amount(line.price)} × {line.quantity}
        </span>
        {isOffList && <small className="order-odd">{say(words.listPrice, { price: amount(line.listPrice) })}</small>}
        {line.benefits.map((one) => (
          <small key={`${one.kind}${one.refId}${one.name}`}>
            {one.name || say(steps[one.kind] ?? words.off)} −¥{amount(one.amount)}
          </small>
        ))}
        {!line.benefits.length && isMore(line.discount) && (
          <small>{say(words.off, { amount: amount(line.discount) })}</small>
        )}
      </div>
      <div className="order-right">
        <strong>
          <Money value={line.amount} />
        </strong>
        {line.refundQuantity > 0 && (
          <small className="order-gone">
            {say(words.gone, { count: line.refundQuantity, amount: amount(line.refundAmount) })}
          </small>
        )}
      </div>
    </li>
  )
}

/** What the sum of an order is: paid, still to pay, or never paid, as it was cancelled. */
export const paidWord = (order: WholeOrder['order']) =>
  order.payTime ? words.paid : Number(order.status) === ORDER.cancelled ? words.unpaid : words.due

/** The way from the shelf prices to what was paid and kept: every cent by its reason. */
function PriceExplained({ whole: { order, price } }: { whole: WholeOrder }) {
  const say = useSay()
  const kept = centsOf(order.payAmount) - centsOf(order.refundAmount)
  const labelOf = ({ kind, name }: PriceStep) => {
    const label = say(steps[kind] ?? steps.discount!)
    return name && name !== label ? say(words.of, { kind: label, name }) : label
  }
  return (
    <>
      <dl className="order-price">
        {price.map((step) => (
          <div key={`${step.kind}${step.refId}${step.name}`}>
            <dt>
              {labelOf(step)}
              {step.lines.length > 1 && (
                <small>{step.lines.map((line) => `${line.name} ${amount(line.amount)}`).join(say(words.and))}</small>
              )}
            </dt>
            <dd>
              <Money value={step.amount} />
            </dd>
          </div>
        ))}
        <div className="order-total">
          <dt>{say(paidWord(order))}</dt>
          <dd>
            <Money value={order.payAmount} />
          </dd>
        </div>
        {isMore(order.refundAmount) && (
          <>
            <div>
              <dt>{say(words.refunded)}</dt>
              <dd className="order-gone">
                − <Money value={order.refundAmount} />
              </dd>
            </div>
            <div className="order-total">
              <dt>{say(words.kept)}</dt>
              <dd>
                <Money value={yuan(kept)} />
              </dd>
            </div>
          </>
        )}
      </dl>
      {isMore(order.costAmount) && !isMore(order.refundAmount) && (
        <p className="order-margin kit-quiet">
          {say(words.cost, { cost: amount(order.costAmount), margin: yuanOf(kept - centsOf(order.costAmount)) })}
        </p>
      )}
    </>
  )
}

function Refunds({ whole }: { whole: WholeOrder }) {
  const [asked, setAsked] = useState<Asked>()
  return (
    <>
      <ul className="order-refunds">
        {whole.refunds.map((refund) => (
          <Refund
            key={refund.id}
            refund={refund}
            onAsk={(name, action) => setAsked({ name, action, rows: [refund] })}
          />
        ))}
      </ul>
      <Suspense>
        {asked && <ActionDialog resource={refunds} asked={asked} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </>
  )
}

function Refund({ refund, onAsk }: { refund: OrderRefund; onAsk: (name: string, action: Action) => void }) {
  const say = useSay()
  const may = { approve: useCan('refunds_approve'), reject: useCan('refunds_reject'), retry: useCan('refunds_retry') }
  const open = {
    approve: refund.status === REFUND.applied,
    reject: refund.status === REFUND.applied,
    retry: refund.status === REFUND.failed,
  }
  const hindrance = useSigning().hindrance(refund)
  const buttons = (['approve', 'reject', 'retry'] as const).filter(
    (name) => may[name] && open[name] && !(name === 'approve' && hindrance),
  )
  const waitsForSecond = refund.status === REFUND.applied && refund.signaturesNeeded === 2
  return (
    <li>
      <header>
        <strong>
          <Money value={refund.amount} />
        </strong>
        <DictTag code="refund_status" value={refund.status} />
        <span className="kit-grow" />
        <When at={refund.createTime} />
      </header>
      <p>
        {refund.lines.map((line) => `${line.name} ×${line.quantity}`).join(say(words.and))}
        {isMore(refund.freight) && ` + ${say(words.freight)} ¥${amount(refund.freight)}`}
      </p>
      <p className="kit-quiet">
        {say(words.why, { reason: refund.reason })} ·{' '}
        {say(
          !refund.restock ? words.notRestocked : refund.status === REFUND.succeeded ? words.restocked : words.restocks,
        )}
      </p>
      {waitsForSecond && (
        <p className="order-odd">
          {[refund.auditUserName && say(words.signedBy, { user: refund.auditUserName }), say(words.waitsSecond)]
            .filter(Boolean)
            .join(say(words.and))}
        </p>
      )}
      {hindrance === 'limit' && <p className="order-odd">{say(words.aboveLimit)}</p>}
      {refund.pictures && <Thumbnails links={refund.pictures.split(',')} label={refunds.fields.pictures.label} />}
      {refund.auditRemark && (
        <p className="kit-quiet">{say(words.decided, { user: refund.auditUserName, remark: refund.auditRemark })}</p>
      )}
      {refund.secondRemark && (
        <p className="kit-quiet">{say(words.decided, { user: refund.secondUserName, remark: refund.secondRemark })}</p>
      )}
      {refund.status === REFUND.failed && refund.failReason && (
        <p className="kit-bad">{say(words.failed, { reason: refund.failReason })}</p>
      )}
      <footer>
        <small>
          <RowLink to="refunds" id={refund.id}>
            {refund.refundNo}
          </RowLink>
        </small>
        <span className="kit-grow" />
        {buttons.map((name) => {
          const action = refundAction(name, refund)
          return (
            <Button
              key={name}
              danger={action.danger}
              type={name === 'reject' ? 'default' : 'primary'}
              onClick={() => onAsk(name, action)}
            >
              {say(action.label)}
            </Button>
          )
        })}
      </footer>
    </li>
  )
}

type Fact = { label: Words; value: ReactNode }

/** Whose order it is, and everything that happened to it. */
export function OrderSide({ whole }: { whole: WholeOrder }) {
  const say = useSay()
  const { order, log, stock } = whole
  const facts: Fact[] = [
    {
      label: words.shop,
      value: (
        <RowLink to="basicShopInfo" id={order.shopId}>
          {order.shopName}
        </RowLink>
      ),
    },
    {
      label: words.customer,
      value: order.wxUserId ? (
        <RowLink to="wxUser" id={order.wxUserId}>
          {order.wxUserName}
        </RowLink>
      ) : (
        <span className="kit-quiet">{say(words.walkIn)}</span>
      ),
    },
    { label: words.source, value: [order.sourceName, order.typeName].filter(Boolean).join(' · ') },
    {
      label: words.register,
      value: order.cashRegisterId && (
        <RowLink to="cashRegister" id={String(order.cashRegisterId)}>
          {String(order.cashRegisterName)}
        </RowLink>
      ),
    },
    { label: words.saleNo, value: order.saleNo && <Copyable text={String(order.saleNo)} /> },
    {
      label: words.visit,
      value: order.visitId && String(order.visitId) !== '-1' && (
        <RowLink to="customerVisitLog" id={String(order.visitId)}>
          {String(order.visitTime || order.visitId)}
        </RowLink>
      ),
    },
    { label: order.source === 'mini' ? words.ordered : words.received, value: <When at={order.createTime} full /> },
    { label: words.cancelled, value: order.cancelReason as ReactNode },
    { label: words.remark, value: order.remark as ReactNode },
  ].filter(({ value }) => value) as Fact[]
  return (
    <div className="order-side">
      <Section title={say(words.facts)}>
        <dl className="order-facts">
          {facts.map(({ label, value }) => (
            <div key={label.en}>
              <dt>{say(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={say(words.log)}>
        <ol className="order-log">
          {log.map((one, at) => (
            <li key={at} data-event={one.event}>
              <span>
                {one.text}
                {one.amount && (
                  <>
                    {' '}
                    <Money value={one.amount} />
                  </>
                )}
                {one.user && <span className="kit-quiet"> {one.user}</span>}
              </span>
              <small>{one.time}</small>
            </li>
          ))}
        </ol>
      </Section>
      {stock.length > 0 && (
        <Section title={say(words.stock)}>
          <ul className="kit-rows">
            {stock.map((one) => (
              <li key={one.id}>
                <span>
                  <RowLink to="goodInfo" id={one.goodId}>
                    {one.goodName}
                  </RowLink>
                  <small>
                    {one.batchId ? (
                      <RowLink to="storageBatch" id={one.batchId}>
                        {one.batchNo}
                      </RowLink>
                    ) : (
                      ''
                    )}
                  </small>
                </span>
                <span className={`order-right kit-number ${one.change > 0 ? 'kit-yes' : ''}`}>
                  {one.change > 0 ? `+${one.change}` : `−${-one.change}`}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}
