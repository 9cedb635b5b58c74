import type { ReactNode } from 'react'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { useWholeVisit, type VisitTimelineMoment, type WholeVisit } from './use-whole-visit.ts'
import '#kit/web/parts/parts.css'
import './visits.css'

const words = {
  timeline: { zh: '时间线', en: 'Timeline' },
  none: { zh: '没有记录', en: 'No entries' },
  pieces: { zh: '{good} ×{count}', en: '{good} ×{count}' },
  door: { zh: '{doorNo} 号门', en: 'Door {doorNo}' },
  refund: { zh: '退款', en: 'Refund' },
}

/** An entry of the timeline. */
type Entry = { key: string; time: string; title: ReactNode; quiet?: string; tone?: string; lines?: ReactNode }
type Say = (words: LocalizedText, params?: Record<string, unknown>) => string

const TONE: Record<string, string> = { paid: 'good', returned: 'quiet' }

function seenOf(one: VisitTimelineMoment, { orders, doors }: WholeVisit, t: Say): Entry {
  const order = orders?.find(({ id }) => id === one.orderId)
  const door = one.kind === 'opened' ? doors?.find(({ result }) => result === 'done') : undefined
  return {
    key: `moment/${one.id}`,
    time: one.time,
    tone: TONE[one.kind],
    title: door ? (
      <RowLink to="doorControlLog" id={door.id!}>
        {one.kindName}
      </RowLink>
    ) : (
      one.kindName
    ),
    quiet: one.deviceName,
    lines: (
      <>
        {one.goodName && (
          <p>
            <RowLink to="goodInfo" id={one.goodId}>
              {t(words.pieces, { good: one.goodName, count: one.quantity })}
            </RowLink>
          </p>
        )}
        {one.orderNo && (
          <p>
            <RowLink to="shoppingOrder" id={one.orderId}>
              {one.orderNo}
            </RowLink>{' '}
            {order && <Money value={order.payAmount!} />} {order?.summary}
          </p>
        )}
        {one.note && <p>{one.kind === 'opened' ? t(words.door, { doorNo: one.note }) : one.note}</p>}
        {one.picture && <Thumbnails links={[one.picture]} large />}
      </>
    ),
  }
}

/** Returns the entries from other modules. A successful door opening is left out if a device saw the door open. */
function entriesOfOtherModules(whole: WholeVisit, t: Say): Entry[] {
  const hasOpened = whole.moments.some(({ kind }) => kind === 'opened')
  const link = (to: string, id: string, text: ReactNode) => (
    <RowLink to={to} id={id}>
      {text}
    </RowLink>
  )
  const doors = (whole.doors ?? [])
    .filter(({ result }) => result !== 'done' || !hasOpened)
    .map((row) => ({
      key: `door/${row.id}`,
      time: row.createTime!,
      title: link('doorControlLog', row.id!, `${row.actionName} · ${row.resultName}`),
      quiet: t(words.door, { doorNo: row.doorNo }),
      lines: row.message && <p>{row.message}</p>,
    }))
  const commands = (whole.commands ?? []).map((row) => ({
    key: `command/${row.id}`,
    time: row.createTime!,
    title: link('deviceCommand', row.id!, `${row.title} · ${row.stateName}`),
    quiet: row.userName,
    lines: row.reason && <p>{row.reason}</p>,
  }))
  const refunds = (whole.refunds ?? []).map((row) => ({
    key: `refund/${row.id}`,
    time: row.finishTime || row.createTime!,
    title: link('refunds', row.id!, `${t(words.refund)} · ${row.statusName}`),
    lines: (
      <p>
        <Money value={row.amount!} /> {row.reason}
      </p>
    ),
  }))
  const events = (whole.events ?? []).map((row) => ({
    key: `event/${row.id}`,
    time: row.occurTime!,
    tone: 'bad',
    title: link('event', row.id!, row.content),
    quiet: row.statusName,
  }))
  return [...doors, ...commands, ...refunds, ...events]
}

/** Timeline of a visit with everything that belongs to it. */
export function VisitTimeline({ id }: { id: string }) {
  const t = useLocalize()
  const { data } = useWholeVisit(id)
  const entries = data && [...data.moments.map((one) => seenOf(one, data, t)), ...entriesOfOtherModules(data, t)]
  return (
    <section className="visit-timeline">
      <h3>{t(words.timeline)}</h3>
      {entries?.length === 0 && <p className="kit-quiet">{t(words.none)}</p>}
      <ol className="kit-moments">
        {entries
          ?.toSorted((a, b) => a.time.localeCompare(b.time))
          .map(({ key, time, title, quiet, tone, lines }) => (
            <li key={key} data-kind={tone}>
              <p>
                <strong>{title}</strong>{' '}
                <span className="kit-quiet">
                  {time.slice(11)}
                  {quiet && ` · ${quiet}`}
                </span>
              </p>
              {lines}
            </li>
          ))}
      </ol>
    </section>
  )
}
