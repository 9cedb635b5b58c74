import type { WireRow } from '#kit/resource/index.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useNow, RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { parseWireTime } from './clock.ts'
import { BoardPage, type BoardColumnDefinition } from './board.tsx'
import { WORK_ORDER_STATE, workInfo } from './work-info.resource.ts'
import { WorkOrderDevices } from './work-devices.tsx'

type Row = WireRow<typeof workInfo>

const words = {
  intro: {
    zh: '门店的勘测、安装、维修和巡检；拖动卡片或点按钮推进',
    en: 'Store surveys, installations, repairs and inspections. Drag a card or use its buttons to move it on.',
  },
  nobody: { zh: '未派单', en: 'Unassigned' },
}

const columns: BoardColumnDefinition[] = [
  { status: WORK_ORDER_STATE.waiting, step: 'assign', sort: { ascs: 'createTime' } },
  { status: WORK_ORDER_STATE.assigned, by: 'assign', step: 'start', sort: { ascs: 'planTime' } },
  { status: WORK_ORDER_STATE.running, by: 'start', step: 'finish', sort: { ascs: 'planTime' } },
  { status: WORK_ORDER_STATE.done, by: 'finish', sort: { descs: 'finishTime' } },
]

const LATE: ReadonlySet<number> = new Set([WORK_ORDER_STATE.assigned, WORK_ORDER_STATE.running])
const DAY_MS = 86_400_000

function Card({ row }: { row: Row }) {
  const t = useLocalize()
  const now = useNow()
  const plan = String(row.planTime ?? '')
  // By whole days, as on the home page.
  const isLate =
    plan !== '' && LATE.has(Number(row.status)) && parseWireTime(plan.slice(0, 10)).getTime() + DAY_MS < now
  return (
    <>
      <strong>{String(row.title)}</strong>
      <span>
        <DictTag code="work_type" value={row.type} /> <span className="kit-quiet">{String(row.shopName)}</span>
      </span>
      <span className="board-foot">
        <span>
          <Icon name="user" /> {row.workerName ? String(row.workerName) : t(words.nobody)}
        </span>
        {plan && (
          <span className={isLate ? 'kit-bad' : undefined}>
            <Icon name="clock-circle" /> <RelativeTime at={plan} />
          </span>
        )}
      </span>
    </>
  )
}

/** Work orders as a board by state. */
export default function WorkInfoPage() {
  return (
    <BoardPage
      resource={workInfo}
      dict="work_status"
      intro={words.intro}
      columns={columns}
      card={(row) => <Card row={row} />}
      beside={(row) => <WorkOrderDevices row={row} />}
      isClosed={(row) => Number(row.status) >= WORK_ORDER_STATE.done}
    />
  )
}
