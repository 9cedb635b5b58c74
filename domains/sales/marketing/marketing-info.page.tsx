import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { marketingInfo } from './marketing-info.resource.ts'
import './marketing.css'

type Row = WireRow<typeof marketingInfo>

const CleanHtml = lazy(() => import('#kit/fields/rich-text/clean-html.web.tsx'))

const words = {
  intro: {
    zh: '活动介绍与素材：给小程序、公众号、社群和店内用的图文',
    en: 'Articles and material for mini programs, official accounts, groups and stores',
  },
  reads: { zh: '阅读 {count}', en: '{count} {count|view|views}' },
}

function Article({ row }: { row: Row }) {
  const t = useLocalize()
  return (
    <article className="marketing-article">
      {row.cover ? <img src={String(row.cover)} alt="" loading="lazy" /> : null}
      <h2>{String(row.title)}</h2>
      <p className="kit-quiet">
        <span>{String(row.channelName ?? '')}</span>
        {row.startTime ? <RelativeTime at={String(row.startTime)} full /> : null}
        <span>{t(words.reads, { count: row.readCount })}</span>
      </p>
      {row.body ? (
        <Suspense>
          <CleanHtml html={String(row.body)} />
        </Suspense>
      ) : null}
    </article>
  )
}

/** Articles; the detail shows one as its readers see it. */
export default function MarketingInfoPage() {
  return (
    <ResourcePage
      resource={marketingInfo}
      page={{ intro: words.intro, formWidth: 860, detail: (row) => <Article row={row} /> }}
    />
  )
}
