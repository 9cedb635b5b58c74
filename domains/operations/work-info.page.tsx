import { DictTag } from '#kit/web/dict-tag.tsx'
import type { Row } from '#kit/web/form-values.ts'
import { Icon } from '#kit/web/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { useNow, When } from '#kit/web/when.tsx'
import { fromShanghai } from './clock.ts'
import { BoardPage, type Column } from './board.tsx'
import { WORK, workDevice, workInfo } from './work-info.resource.ts'

const words = {
  intro: { zh: '门店的勘测、安装、维修和巡检；拖动卡片或点按钮推进', en: 'Surveys, installations, repairs and inspections; drag a card or press its button to move it on' },
  nobody: { zh: '未派单', en: 'Nobody yet' },
  devices: { zh: '设备', en: 'Devices' },
  devicesHint: { zh: '安装工单完成时，这里的设备登记到门店', en: 'When an installation is finished, these devices are registered in the shop' },
}

const columns: Column[] = [
  { status: WORK.waiting, step: 'assign', sort: { ascs: 'createTime' } }, { status: WORK.assigned, by: 'assign', step: 'start', sort: { ascs: 'planTime' } }, { status: WORK.running, by: 'start', step: 'finish', sort: { ascs: 'planTime' } },
  { status: WORK.done, by: 'finish', sort: { descs: 'finishTime' } },
]

function Card({ row }: { row: Row }) {
  const say = useSay()
  const now = useNow()
  const plan = String(row.planTime ?? '')
  const isLate = plan !== '' && Number(row.status) < WORK.done && fromShanghai(plan).getTime() < now
  return (
    <>
      <strong>{String(row.title)}</strong>
      <span><DictTag code="work_type" value={row.type} /> <span className="kit-quiet">{String(row.shopName)}</span></span>
      <span className="board-foot">
        <span><Icon name="user" /> {row.workerName ? String(row.workerName) : say(words.nobody)}</span>
        {plan && <span className={isLate ? 'kit-bad' : undefined}><Icon name="clock-circle" /> <When at={plan} /></span>}
      </span>
    </>
  )
}

// The few devices of one order need neither filters nor workbooks.
const { workId, deviceType, sn, ...others } = workDevice.fields
const someDevices = { ...workDevice, fields: { workId: { ...workId, search: undefined }, deviceType: { ...deviceType, search: undefined }, sn: { ...sn, search: undefined }, ...others }, list: { ...workDevice.list, columns: ['deviceType', 'sn', 'action', 'position', 'picture'] }, buttons: { ...workDevice.buttons, export: false, import: false } } as never
const closedDevices = { ...(someDevices as typeof workDevice), buttons: { add: false, edit: false, delete: false, view: true, export: false, import: false } } as never

function Devices({ row }: { row: Row }) {
  const say = useSay()
  const isClosed = Number(row.status) >= WORK.done
  return (
    <section className="work-devices">
      <h3>{say(words.devices)}</h3>
      {row.type === 'install' && !isClosed && <p className="kit-quiet">{say(words.devicesHint)}</p>}
      <ResourcePage
        resource={isClosed ? closedDevices : someDevices}
        page={{ embedded: true, fixed: { workId: String(row.id) }, preset: () => ({ workId: String(row.id), workTitle: row.title, action: row.type === 'install' || row.type === 'remove' ? row.type : 'repair' }) }}
      />
    </section>
  )
}

/** Work orders as a board. */
export default function WorkInfoPage() {
  return <BoardPage resource={workInfo} dict="work_status" intro={words.intro} columns={columns} card={(row) => <Card row={row} />} beside={(row) => <Devices row={row} />} />
}
