import { formatAmount } from '#kit/fields/money/cents.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useNow, RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { BoardPage, type BoardColumnDefinition } from './board.tsx'
import { parseWireTime } from './clock.ts'
import { joinUs, joinUsFollow, LEAD_STATE } from './join-us.resource.ts'
import '#kit/web/parts/parts.css'

type Row = WireRow<typeof joinUs>

const words = {
  intro: {
    zh: '想加盟开店的人；到了下次跟进时间会提醒跟进人',
    en: 'People who want to open a store with you. The owner of the lead is reminded of the next follow-up.',
  },
  budget: { zh: '预算 {amount} 元', en: 'Budget ¥{amount}' },
  history: { zh: '跟进记录', en: 'Activities' },
  none: { zh: '还没有跟进', en: 'No activities yet' },
  next: { zh: '下次', en: 'next' },
}

const columns: BoardColumnDefinition[] = [
  { status: LEAD_STATE.fresh, step: 'follow', sort: { descs: 'createTime' } },
  { status: LEAD_STATE.contact, by: 'follow', step: 'follow', sort: { ascs: 'nextFollowTime' } },
  { status: LEAD_STATE.signed, by: 'sign', sort: { descs: 'closeTime' } },
  { status: LEAD_STATE.rejected, by: 'reject', sort: { descs: 'closeTime' } },
]

function Card({ row }: { row: Row }) {
  const t = useLocalize()
  const now = useNow()
  const next = String(row.nextFollowTime ?? '')
  const isOpen = Number(row.status) < LEAD_STATE.signed
  const isDue = isOpen && next !== '' && parseWireTime(next).getTime() < now
  return (
    <>
      <strong>
        {String(row.name)} <span className="kit-quiet">{String(row.phone)}</span>
      </strong>
      <span className="kit-quiet">
        {String(row.districtName ?? '')
          .split('/')
          .at(-1)}
        {Number(row.budget) > 0 && ` · ${t(words.budget, { amount: formatAmount(row.budget).replace(/\.00$/, '') })}`}
      </span>
      {row.followRemark ? (
        <span className="board-said">{String(row.followRemark)}</span>
      ) : row.message ? (
        <span className="board-said">{String(row.message)}</span>
      ) : null}
      <span className="board-foot">
        {row.followUserName ? (
          <span>
            <Icon name="user" /> {String(row.followUserName)}
          </span>
        ) : (
          <DictTag code="lead_source" value={row.source} />
        )}
        {isOpen && next && (
          <span className={isDue ? 'kit-bad' : undefined}>
            <Icon name="phone" /> <RelativeTime at={next} />
          </span>
        )}
      </span>
    </>
  )
}

function Contacts({ row }: { row: Row }) {
  const t = useLocalize()
  const { rows, isPending } = useResourceList(joinUsFollow, {
    inAddress: false,
    fixed: { joinId: String(row.id), size: 100 },
  })
  return (
    <section className="lead-contacts">
      <h3>{t(words.history)}</h3>
      {!isPending && !rows.length && <p className="kit-quiet">{t(words.none)}</p>}
      <ol className="kit-moments">
        {rows.map((one) => (
          <li
            key={String(one.id)}
            data-kind={
              Number(one.status) === LEAD_STATE.signed
                ? 'good'
                : Number(one.status) === LEAD_STATE.rejected
                  ? 'bad'
                  : ''
            }
          >
            <p>
              <strong>{String(one.wayName || one.statusName || '')}</strong>{' '}
              <span className="kit-quiet">
                {String(one.userName)} · <RelativeTime at={String(one.createTime)} />
              </span>
            </p>
            <p>{String(one.content)}</p>
            {one.nextFollowTime ? (
              <p className="kit-quiet">
                {t(words.next)} {String(one.nextFollowTime).slice(0, 16)}
              </p>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Franchise leads as a board by state. */
export default function JoinUsPage() {
  return (
    <BoardPage
      resource={joinUs}
      dict="lead_status"
      intro={words.intro}
      columns={columns}
      card={(row) => <Card row={row} />}
      beside={(row) => <Contacts row={row} />}
      isClosed={(row) => Number(row.status) >= LEAD_STATE.signed}
    />
  )
}
