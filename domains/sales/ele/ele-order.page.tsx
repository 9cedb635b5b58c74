import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import '#kit/web/parts/parts.css'
import { eleDeliveryAddress, eleOrderDetail, eleOrderDiscount } from './ele-order-parts.resource.ts'
import { eleOrder } from './ele-order.resource.ts'

type Row = WireRow<typeof eleOrder>

const words = {
  intro: {
    zh: '饿了么推送来的订单，每单只生成一次我们的订单',
    en: 'Orders received from Ele.me. Each creates exactly one order of yours.',
  },
  bears: { zh: '商户承担 {amount}', en: '{amount} paid by merchant' },
}

/** Orders at Ele; lines, discounts and address are shown next to the list. */
export default function EleOrderPage() {
  return (
    <ResourcePage
      resource={eleOrder}
      page={{ intro: words.intro, beside: (row) => <Parts key={String(row.id)} order={row} /> }}
    />
  )
}

type Part = Row & {
  id: string
  name: string
  quantity: number
  price: string
  amount: string
  fee: string
  shopRate: string
  address: string
  phone: string
}

function useParts(resource: { name: string; path: string }, orderId: unknown) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['list', resource.name, 'of', orderId, language],
    queryFn: ({ signal }) =>
      apiGet<{ records: Part[] }>(
        `${resource.path}/list`,
        { eleOrderId: String(orderId), size: 100, ascs: 'id' },
        { quiet: true, signal },
      ),
  })
}

function Parts({ order }: { order: Row }) {
  const t = useLocalize()
  const [lines, discounts, addresses] = [
    useParts(eleOrderDetail, order.id),
    useParts(eleOrderDiscount, order.id),
    useParts(eleDeliveryAddress, order.id),
  ]
  const failed = [lines, discounts, addresses].find((one) => one.error)
  if (failed) return <ErrorNote title={t(kit.failedDetail)} error={failed.error!} retry={() => void failed.refetch()} />
  if (!lines.data || !discounts.data || !addresses.data) return <Skeleton active paragraph={{ rows: 6 }} />

  return (
    <div className="kit-side">
      <h3>{t(eleOrderDetail.label)}</h3>
      <ul className="kit-rows">
        {lines.data.records.map((line) => (
          <li key={line.id}>
            <span>
              {line.name} ×{line.quantity}
            </span>
            <Money value={line.amount} />
          </li>
        ))}
      </ul>
      {discounts.data.records.length > 0 && <h3>{t(eleOrderDiscount.label)}</h3>}
      <ul className="kit-rows">
        {discounts.data.records.map((one) => (
          <li key={one.id}>
            <span>
              {one.name}
              <small>{t(words.bears, { amount: `¥${one.shopRate}` })}</small>
            </span>
            <Money value={one.fee} />
          </li>
        ))}
      </ul>
      {addresses.data.records.map((one) => (
        <p key={one.id} className="kit-quiet">
          {one.name} {one.phone}
          <br />
          {one.address}
        </p>
      ))}
    </div>
  )
}
