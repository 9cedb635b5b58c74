import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { visitStayDuration } from './stay.ts'
import { VisitTimeline } from './visit-timeline.tsx'
import { customerVisitLog } from './visit.resource.ts'
import './visits.css'

type Row = WireRow<typeof customerVisitLog>

const words = {
  intro: {
    zh: '每一次进店：谁、拿了什么、付了没有',
    en: 'Every visit: who came, what they took and whether they paid',
  },
  show: { zh: '显示', en: 'Show' },
  all: { zh: '全部', en: 'All' },
  odd: { zh: '未付款与可疑', en: 'Unpaid & suspicious' },
  inside: { zh: '店内', en: 'Inside' },
  unknown: { zh: '未识别顾客', en: 'Unidentified customer' },
  stay: { zh: '停留 {minutes} 分 {seconds} 秒', en: 'Stayed {minutes} min {seconds} s' },
  whole: { zh: '到店全程', en: 'Visit details' },
}

function LeaveCell({ row, place }: CellProps<Row>) {
  const t = useLocalize()
  const stay = visitStayDuration(row)
  if (!stay) return <span className="kit-quiet">{t(words.inside)}</span>
  return place === 'detail' ? (
    <>
      {String(row.leaveTime)} <span className="kit-quiet">{t(words.stay, stay)}</span>
    </>
  ) : (
    <span data-tip={String(row.leaveTime)}>{t(words.stay, stay)}</span>
  )
}

function WhoCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  return row.wxUserName ? (
    <RowLink to="wxUser" id={String(row.wxUserId)}>
      {String(row.wxUserName)}
    </RowLink>
  ) : (
    <span className="kit-quiet">{t(words.unknown)}</span>
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

/** List of visits with their timelines. */
export default function VisitPage() {
  const t = useLocalize()
  const navigate = useNavigate()
  const [isSuspicious, setSuspicious] = useState(false)
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        fixed: isSuspicious ? { result: 'unpaid,suspicious' } : undefined,
        isNarrowed: isSuspicious,
        beside: (row) => <VisitTimeline id={String(row.id)} />,
        rowActions: (row) => [
          {
            key: 'whole',
            label: words.whole,
            icon: 'history',
            run: () => void navigate(`/shop/customerVisitLog/${String(row.id)}`),
          },
        ],
        head: () => (
          <div className="kit-tabs">
            <Segmented
              value={isSuspicious ? 'odd' : 'all'}
              onChange={(next) => setSuspicious(next === 'odd')}
              aria-label={t(words.show)}
              options={[
                { value: 'all', label: t(words.all) },
                { value: 'odd', label: t(words.odd) },
              ]}
            />
          </div>
        ),
      }}
    />
  )
}
