import { useParams } from 'react-router'
import { RowSidePanel } from '#kit/web/detail/row-side-panel.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { visitStayDuration } from './stay.ts'
import { useWholeVisit } from './use-whole-visit.ts'
import { VisitTimeline } from './visit-timeline.tsx'
import '#kit/web/base/kit.css'
import './visits.css'

const words = {
  visit: { zh: '到店', en: 'Visit' },
  unknown: { zh: '未识别顾客', en: 'Unidentified customer' },
  inside: { zh: '店内', en: 'Inside' },
  stay: { zh: '停留 {minutes} 分 {seconds} 秒', en: 'Stayed {minutes} min {seconds} s' },
  video: { zh: '录像', en: 'Recording' },
}

/** Page of a visit with everything that belongs to it. */
export default function WholeVisitPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const { data, error, refetch } = useWholeVisit(id)
  const visit = data?.visit
  useTabTitle(visit && `${t(words.visit)} ${String(visit.enterTime).slice(5, 16)}`)

  if (!visit)
    return (
      <div className="kit-page">
        {error ? (
          <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <section className="visit-card">
            <span className="kit-skeleton" />
          </section>
        )}
      </div>
    )

  const stay = visitStayDuration(visit)
  return (
    <div className="kit-page">
      <section className="visit-card">
        <h1>
          {visit.wxUserName ? (
            <RowLink to="wxUser" id={String(visit.wxUserId)}>
              {String(visit.wxUserName)}
            </RowLink>
          ) : (
            t(words.unknown)
          )}{' '}
          {visit.result ? <DictTag code="visit_result" value={visit.result} /> : t(words.inside)}
        </h1>
        <p className="visit-facts">
          <RowLink to="basicShopInfo" id={String(visit.shopId)}>
            {String(visit.shopName)}
          </RowLink>
          <RelativeTime at={String(visit.enterTime)} full />
          {stay && <span>{t(words.stay, stay)}</span>}
          <Money value={visit.paidAmount} />
          {visit.videoUrl && (
            <a href={String(visit.videoUrl)} target="_blank" rel="noreferrer">
              {t(words.video)}
            </a>
          )}
        </p>
        {visit.snapshot && <Thumbnails links={[String(visit.snapshot)]} large />}
      </section>
      <section className="visit-card">
        <VisitTimeline id={id} />
        <RowSidePanel resource="customerVisitLog" id={id} />
      </section>
    </div>
  )
}
