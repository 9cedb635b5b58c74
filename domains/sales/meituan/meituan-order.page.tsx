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
import { meituanOrderDetail } from './meituan-order-detail.resource.ts'
import { meituanOrder } from './meituan-order.resource.ts'

type Row = WireRow<typeof meituanOrder>

const words = {
  intro: {
    zh: '美团推送来的订单，每单只生成一次我们的订单',
    en: 'Orders received from Meituan. Each creates exactly one order of yours.',
  },
}

/** Orders at Meituan; their lines are shown next to the list. */
export default function MeituanOrderPage() {
  return (
    <ResourcePage
      resource={meituanOrder}
      page={{ intro: words.intro, beside: (row) => <Parts key={String(row.id)} order={row} /> }}
    />
  )
}

type Part = Row & { id: string; name: string; quantity: number; amount: string }

function Parts({ order }: { order: Row }) {
  const t = useLocalize()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', meituanOrderDetail.name, 'of', order.id, language],
    queryFn: ({ signal }) =>
      apiGet<{ records: Part[] }>(
        `${meituanOrderDetail.path}/list`,
        { meituanOrderId: String(order.id), size: 100, ascs: 'id' },
        { quiet: true, signal },
      ),
  })
  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />
  return (
    <div className="kit-side">
      <h3>{t(meituanOrderDetail.label)}</h3>
      <ul className="kit-rows">
        {data.records.map((line) => (
          <li key={line.id}>
            <span>
              {line.name} ×{line.quantity}
            </span>
            <Money value={line.amount} />
          </li>
        ))}
      </ul>
    </div>
  )
}
