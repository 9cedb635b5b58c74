import type { WireRow } from '#kit/resource/index.ts'
import type { wxUser } from './wx-user.resource.ts'
import type { ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePaths } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { isReferenceSet, ORDER_RESOURCE_NAME, words } from './customer-words.ts'
import { customerHistoriesSlot } from './slots.ts'
import './members.css'

type Row = WireRow<typeof wxUser>

/** Key figures of a customer. A click on a number opens the history behind it in the lower part of the page. */
export function CustomerFigures({ customer, onShow }: { customer: Row; onShow: (history: string) => void }) {
  const t = useLocalize()
  const [orderPath, visitPath, balancePath, pointsPath] = useResourcePaths([
    ORDER_RESOURCE_NAME,
    'customerVisitLog',
    balanceLog.name,
    integralLog.name,
  ])
  const opens = (history: string, path: string | undefined, number: ReactNode) =>
    path ? (
      <button type="button" onClick={() => onShow(history)}>
        {number}
      </button>
    ) : (
      number
    )
  const orders = Number(customer.orderCount)

  return (
    <section className="member-card">
      <dl className="member-figures">
        <div>
          <dt>{t(words.balance)}</dt>
          <dd>{opens(balanceLog.name, balancePath, <Money value={customer.balance} />)}</dd>
        </div>
        <div>
          <dt>{t(words.points)}</dt>
          <dd>{opens(integralLog.name, pointsPath, Number(customer.integral).toLocaleString('en-US'))}</dd>
        </div>
        <div>
          <dt>{t(words.spent)}</dt>
          <dd>{opens(ORDER_RESOURCE_NAME, orderPath, <Money value={customer.totalSpent} />)}</dd>
        </div>
        <div>
          <dt>{t(words.orders)}</dt>
          <dd>
            {opens(ORDER_RESOURCE_NAME, orderPath, orders)}
            {orders > 0 && (
              <small>
                {t(words.each, { amount: (Number(customer.totalSpent) / orders).toFixed(2) })}
                {orderPath && <SeenOrders customerId={String(customer.id)} all={orders} />}
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>{t(words.last)}</dt>
          <dd style={{ fontSize: 15 }}>
            {isReferenceSet(customer.lastVisitTime) ? (
              opens('customerVisitLog', visitPath, <RelativeTime at={String(customer.lastVisitTime)} />)
            ) : (
              <span className="kit-quiet">{t(words.never)}</span>
            )}
          </dd>
        </div>
      </dl>
    </section>
  )
}

type Orders = { customerId: string; all: number }

function SeenOrders(props: Orders) {
  const orders = useSlotContents(customerHistoriesSlot)?.find((one) => one.resource.name === ORDER_RESOURCE_NAME)
  return orders && <SeenOf resource={orders.resource} {...props} />
}

/** Says how many of the customer's `all` orders the reader can see when shop limits hide some. */
function SeenOf({ resource, customerId, all }: Orders & { resource: Resource<any, any> }) {
  const t = useLocalize()
  const { total, isPending } = useResourceList(resource, { inAddress: false, fixed: { wxUserId: customerId, size: 1 } })
  return isPending || total >= all ? null : <> · {t(words.seen, { count: total })}</>
}
