import { Link } from 'react-router'
import { DictTag } from '#kit/web/dict-tag.tsx'
import type { Row } from '#kit/web/form-values.ts'
import { useSay } from '#kit/web/language.tsx'
import { Money } from '#kit/web/money.tsx'
import { usePathOf } from '#kit/web/row-link.tsx'
import { useList } from '#kit/web/use-list.ts'
import { When } from '#kit/web/when.tsx'
import { shoppingOrder } from '#domains/orders/index.ts'
import './shops.css'

const words = {
  spent: { zh: '累计消费', en: 'Total spent' },
  orders: { zh: '订单', en: 'Orders' },
  balance: { zh: '余额', en: 'Balance' },
  latest: { zh: '最近订单', en: 'Latest orders' },
  all: { zh: '全部订单', en: 'All orders' },
  none: { zh: '还没有订单', en: 'No orders yet' },
}

/** Beside a customer: what he is worth, and what he bought last. */
export default function CustomerBeside({ customer }: { customer: Row }) {
  const say = useSay()
  const mayOrders = !!usePathOf('shoppingOrder')
  return (
    <div className="shops-beside">
      <dl className="shops-figures">
        <div><dt>{say(words.spent)}</dt><dd><Money value={customer.totalSpent} /></dd></div>
        <div><dt>{say(words.orders)}</dt><dd>{String(customer.orderCount)}</dd></div>
        <div><dt>{say(words.balance)}</dt><dd><Money value={customer.balance} /></dd></div>
      </dl>
      {mayOrders && <Latest customerId={String(customer.id)} />}
    </div>
  )
}

function Latest({ customerId }: { customerId: string }) {
  const say = useSay()
  const path = usePathOf('shoppingOrder')
  const { rows, isPending } = useList(shoppingOrder, { inAddress: false, fixed: { wxUserId: customerId } })
  return (
    <section>
      <h3>{say(words.latest)}<span className="kit-grow" />{path && <Link to={`${path}?wxUserId=${customerId}`}>{say(words.all)}</Link>}</h3>
      {!rows.length && !isPending && <p className="kit-quiet">{say(words.none)}</p>}
      <ul className="shops-rows">
        {rows.map((row) => (
          <li key={String(row.id)}>
            <span><Link to={`/order/shoppingOrder/${String(row.id)}`}>{String(row.summary)}</Link><small>{String(row.shopName)} · <When at={String(row.createTime)} /></small></span>
            <span><Money value={row.payAmount} /><small><DictTag code="order_status" value={row.status} label={String(row.statusName)} /></small></span>
          </li>
        ))}
      </ul>
    </section>
  )
}
