import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { guardShift } from './guard-shift.resource.ts'
import { watchReasonTexts, type ShiftHandover } from './handover.ts'

const words = {
  open: { zh: '留给下一班', en: 'Left for the next shift' },
  noneOpen: { zh: '没有未结的事', en: 'No open cases' },
  watch: { zh: '请下一班留意', en: 'To watch in the next shift' },
  kinds: { zh: '按类型', en: 'By type' },
  kindLine: { zh: '来 {came} 件，处理 {done} 件', en: '{came} new, {done} closed' },
  outcomes: { zh: '处理结果', en: 'Outcomes' },
  note: { zh: '补充说明', en: 'Note' },
  with: { zh: '{name} 处理中', en: 'assigned to {name}' },
} satisfies Record<string, LocalizedText>

type HandoverData = ShiftHandover & { lines: string[]; note: string }

/** A handover: new, done and open cases, shops to watch, and notes added by hand. */
export function ShiftHandoverView({ id, version }: { id: string; version?: unknown }) {
  const t = useLocalize()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['detail', guardShift.name, language, 'handover', id, version],
    queryFn: () => apiGet<HandoverData>(`${guardShift.path}/handover`, { id }, { quiet: true }),
  })

  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 5 }} />
  return (
    <div className="guard-handover">
      <ul className="guard-lines">
        {data.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Counts data={data} />
      <section>
        <h3>{t(words.open)}</h3>
        {!data.open.length && <p className="kit-quiet">{t(words.noneOpen)}</p>}
        <ul className="guard-rows">
          {data.open.map((one) => (
            <li key={one.id}>
              <DictTag code="guard_kind" value={one.kind} />{' '}
              <Link to={`/guard/desk?case=${one.id}`}>{one.shopName}</Link> <RelativeTime at={one.since} />{' '}
              {one.takerName && <span className="kit-quiet">{t(words.with, { name: one.takerName })}</span>}
            </li>
          ))}
        </ul>
      </section>
      {data.watch.length > 0 && (
        <section>
          <h3>{t(words.watch)}</h3>
          <ul className="guard-rows">
            {data.watch.map(({ why, shopId, shopName, count }) => (
              <li key={`${why}/${shopId}`}>
                <RowLink to="basicShopInfo" id={shopId}>
                  {t(watchReasonTexts[why], { shop: shopName, count })}
                </RowLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.note && (
        <section>
          <h3>{t(words.note)}</h3>
          <p className="guard-note">{data.note}</p>
        </section>
      )}
    </div>
  )
}

function Counts({ data }: { data: HandoverData }) {
  const t = useLocalize()
  if (!data.kinds.length) return null
  return (
    <div className="guard-two">
      <section>
        <h3>{t(words.kinds)}</h3>
        <ul className="guard-rows">
          {data.kinds.map((one) => (
            <li key={one.kind}>
              <DictTag code="guard_kind" value={one.kind} /> {t(words.kindLine, one)}
            </li>
          ))}
        </ul>
      </section>
      {data.outcomes.length > 0 && (
        <section>
          <h3>{t(words.outcomes)}</h3>
          <ul className="guard-rows">
            {data.outcomes.map(({ outcome, count }) => (
              <li key={outcome}>
                <DictTag code="guard_outcome" value={outcome} /> {count}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
