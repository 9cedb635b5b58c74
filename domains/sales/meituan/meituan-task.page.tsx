import type { WireRow } from '#kit/resource/index.ts'
import { Link } from 'react-router'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import '#kit/web/parts/parts.css'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'
import { meituanTask } from './meituan-task.resource.ts'

type Row = WireRow<typeof meituanTask>
type Failure = { skuId: string; name: string; reason: string; field: string | null }

const words = {
  intro: {
    zh: '许多商品一起改动时整批交给美团，做完逐个写明结果',
    en: 'Products that change together are sent to Meituan as one batch. Each result is shown.',
  },
  none: { zh: '没有失败的商品', en: 'No failed products' },
}

/** Batches at Meituan; the failed products and the reasons are shown next to the list. */
export default function MeituanTaskPage() {
  return (
    <ResourcePage
      resource={meituanTask}
      page={{ intro: words.intro, beside: (row) => <Failures key={String(row.id)} task={row} /> }}
    />
  )
}

/** Failed products, each linked to the field to correct in its form. */
function Failures({ task }: { task: Row }) {
  const t = useLocalize()
  const path = useResourcePath(meituanSkuInfo.name)
  const failures = (Array.isArray(task.failures) ? task.failures : []) as Failure[]
  if (!failures.length) return Number(task.failed) ? null : <p className="kit-quiet">{t(words.none)}</p>
  return (
    <div className="kit-side">
      <h3>{t(meituanTask.fields.failures.label)}</h3>
      <ul className="kit-rows">
        {failures.map(({ skuId, name, reason, field }) => (
          <li key={skuId}>
            <span>
              {path ? <Link to={`${path}?edit=${skuId}${field ? `&field=${field}` : ''}`}>{name}</Link> : name}
            </span>
            <span className="kit-bad">{reason}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
