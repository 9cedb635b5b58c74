import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { get } from '#kit/web/http.ts'
import { useLang, useSay } from '#kit/web/language.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { RowLink } from '#kit/web/list/row-link.tsx'
import { Thumbnails } from '#kit/web/list/thumbnails.tsx'
import { fromShanghai } from '#domains/operations/index.ts'
import { customerVisitLog } from './visit.resource.ts'
import './visits.css'

type Row = WireRow<typeof customerVisitLog>

const words = {
  intro: { zh: '每一次进店：谁、拿了什么、付了没有', en: 'Every visit: who, what was taken, and whether it was paid' },
  show: { zh: '显示', en: 'Show' },
  all: { zh: '全部', en: 'All' },
  odd: { zh: '未付款与可疑', en: 'Unpaid and suspicious' },
  inside: { zh: '店内', en: 'Inside' },
  unknown: { zh: '未识别顾客', en: 'Not known' },
  stay: { zh: '停留 {minutes} 分 {seconds} 秒', en: 'Stayed {minutes} min {seconds} s' },
  timeline: { zh: '时间线', en: 'Timeline' },
  none: { zh: '没有记录', en: 'Nothing recorded' },
  pieces: { zh: '{good} ×{count}', en: '{good} ×{count}' },
}

function stayOf(row: Pick<Row, 'enterTime' | 'leaveTime'>): { minutes: number; seconds: number } | undefined {
  if (!row.leaveTime || !row.enterTime) return undefined
  const seconds = Math.round(
    (fromShanghai(String(row.leaveTime)).getTime() - fromShanghai(String(row.enterTime)).getTime()) / 1000,
  )
  return { minutes: Math.floor(seconds / 60), seconds: seconds % 60 }
}

function LeaveCell({ row, place }: CellProps<Row>) {
  const say = useSay()
  const stay = stayOf(row)
  if (!stay) return <span className="kit-quiet">{say(words.inside)}</span>
  return place === 'detail' ? (
    <>
      {String(row.leaveTime)} <span className="kit-quiet">{say(words.stay, stay)}</span>
    </>
  ) : (
    <span data-tip={String(row.leaveTime)}>{say(words.stay, stay)}</span>
  )
}

function WhoCell({ row }: CellProps<Row>) {
  const say = useSay()
  return row.wxUserName ? (
    <RowLink to="wxUser" id={String(row.wxUserId)}>
      {String(row.wxUserName)}
    </RowLink>
  ) : (
    <span className="kit-quiet">{say(words.unknown)}</span>
  )
}

const cells = {
  leaveTime: (props: CellProps<Row>) => <LeaveCell {...props} />,
  wxUserId: (props: CellProps<Row>) => <WhoCell {...props} />,
}
const resource = {
  ...customerVisitLog,
  list: {
    ...customerVisitLog.list,
    columns: [
      'wxUserId',
      'shopId',
      'result',
      'paidAmount',
      'enterTime',
      'leaveTime',
      'orderIds',
      'entryMode',
      'snapshot',
    ],
  },
}

/** Visits with what happened in them. */
export default function VisitPage() {
  const say = useSay()
  const [isOdd, setOdd] = useState(false)
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        fixed: isOdd ? { result: 'unpaid,suspicious' } : undefined,
        isNarrowed: isOdd,
        beside: (row) => <Timeline visit={row} />,
        head: () => (
          <div className="kit-tabs">
            <Segmented
              value={isOdd ? 'odd' : 'all'}
              onChange={(next) => setOdd(next === 'odd')}
              aria-label={say(words.show)}
              options={[
                { value: 'all', label: say(words.all) },
                { value: 'odd', label: say(words.odd) },
              ]}
            />
          </div>
        ),
      }}
    />
  )
}

type Moment = {
  id: string
  kind: string
  kindName: string
  time: string
  deviceName: string
  picture: string
  goodId: string
  goodName: string
  quantity: number
  orderId: string
  orderNo: string
  note: string
}

const TONE: Record<string, string> = { paid: 'good', returned: 'quiet' }

function Timeline({ visit }: { visit: Row }) {
  const say = useSay()
  const language = useLang()
  const { data } = useQuery({
    queryKey: ['detail', customerVisitLog.name, language, 'timeline', visit.id, visit.updateTime],
    queryFn: () => get<Moment[]>(`${customerVisitLog.path}/record/list`, { id: String(visit.id) }, { quiet: true }),
  })
  return (
    <section className="visit-timeline">
      <h3>{say(words.timeline)}</h3>
      {data?.length === 0 && <p className="kit-quiet">{say(words.none)}</p>}
      <ol className="kit-moments">
        {data?.map((one) => (
          <li key={one.id} data-kind={TONE[one.kind]}>
            <p>
              <strong>{one.kindName}</strong>{' '}
              <span className="kit-quiet">
                {one.time.slice(11)}
                {one.deviceName && ` · ${one.deviceName}`}
              </span>
            </p>
            {one.goodName && (
              <p>
                <RowLink to="goodInfo" id={one.goodId}>
                  {say(words.pieces, { good: one.goodName, count: one.quantity })}
                </RowLink>
              </p>
            )}
            {one.orderNo && (
              <p>
                <RowLink to="shoppingOrder" id={one.orderId}>
                  {one.orderNo}
                </RowLink>
              </p>
            )}
            {one.note && <p>{one.note}</p>}
            {one.picture && <Thumbnails links={[one.picture]} large />}
          </li>
        ))}
      </ol>
    </section>
  )
}
