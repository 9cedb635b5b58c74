import type { ReactNode } from 'react'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { OrderSection } from './order-section.tsx'
import { words } from './order-words.ts'
import { orderSidePanelSlot } from './slots.ts'
import type { WholeOrder } from './use-whole-order.ts'
import './orders.css'

/** Side column of an order: facts, customer, and all events. */
export function OrderSideColumn({ whole }: { whole: WholeOrder }) {
  const t = useLocalize()
  const { log, stock, order } = whole
  const parts = useSlotContents(orderSidePanelSlot)
  return (
    <div className="order-side">
      <OrderSection title={t(words.facts)}>
        <Facts whole={whole} />
      </OrderSection>
      {parts?.map((Part, at) => (
        <Part key={at} orderId={String(order.id)} />
      ))}
      <OrderSection title={t(words.log)}>
        <Log log={log} />
      </OrderSection>
      {stock.length > 0 && (
        <OrderSection title={t(words.stock)}>
          <StockMoves stock={stock} />
        </OrderSection>
      )}
    </div>
  )
}

type Fact = { label: LocalizedText; value: ReactNode }

function Facts({ whole: { order } }: { whole: WholeOrder }) {
  const t = useLocalize()
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
        <span className="kit-quiet">{t(words.walkIn)}</span>
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
    { label: words.saleNo, value: order.saleNo && <CopyableText text={String(order.saleNo)} /> },
    {
      label: words.visit,
      value: order.visitId && String(order.visitId) !== '-1' && (
        <RowLink to="customerVisitLog" id={String(order.visitId)}>
          {String(order.visitTime || order.visitId)}
        </RowLink>
      ),
    },
    {
      label: order.source === 'mini' ? words.ordered : words.received,
      value: <RelativeTime at={order.createTime} full />,
    },
    { label: words.cancelled, value: order.cancelReason },
    { label: words.remark, value: order.remark },
  ].filter(({ value }) => value)

  return (
    <dl className="order-facts">
      {facts.map(({ label, value }) => (
        <div key={label.en}>
          <dt>{t(label)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Log = ({ log }: Pick<WholeOrder, 'log'>) => (
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
)

const StockMoves = ({ stock }: Pick<WholeOrder, 'stock'>) => (
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
)
