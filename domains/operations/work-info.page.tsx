import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Copyable } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { RowButtons } from '#kit/web/list/row-buttons.tsx'
import { RowLink } from '#kit/web/list/row-link.tsx'
import { Thumbnails } from '#kit/web/list/thumbnails.tsx'
import { useList } from '#kit/web/list/use-list.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { useNow, When } from '#kit/web/parts/when.tsx'
import { fromShanghai } from './clock.ts'
import { BoardPage, type Column } from './board.tsx'
import { WORK, workDevice, workInfo } from './work-info.resource.ts'

const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))
const RemoveDialog = lazy(() => import('#kit/web/form/remove-dialog.tsx'))

const words = {
  intro: {
    zh: '门店的勘测、安装、维修和巡检；拖动卡片或点按钮推进',
    en: 'Surveys, installations, repairs and inspections; drag a card or press its button to move it on',
  },
  nobody: { zh: '未派单', en: 'Nobody yet' },
  devices: { zh: '设备', en: 'Devices' },
  addDevice: { zh: '加一台设备', en: 'Add a device' },
  registered: { zh: '已登记到门店', en: 'Registered in the shop' },
  noDevices: { zh: '这张工单没有涉及设备', en: 'No device had to do with this order' },
  noDevicesYet: {
    zh: '还没有设备；记下要装、要修的设备和序列号',
    en: 'No devices yet: note which are put in or mended, with their serial numbers',
  },
  devicesHint: {
    zh: '安装工单完成时，这里的设备登记到门店',
    en: 'When an installation is finished, these devices are registered in the shop',
  },
}

const columns: Column[] = [
  { status: WORK.waiting, step: 'assign', sort: { ascs: 'createTime' } },
  { status: WORK.assigned, by: 'assign', step: 'start', sort: { ascs: 'planTime' } },
  { status: WORK.running, by: 'start', step: 'finish', sort: { ascs: 'planTime' } },
  { status: WORK.done, by: 'finish', sort: { descs: 'finishTime' } },
]

const LATE: ReadonlySet<number> = new Set([WORK.assigned, WORK.running])
const DAY_MS = 86_400_000

function Card({ row }: { row: Row }) {
  const say = useSay()
  const now = useNow()
  const plan = String(row.planTime ?? '')
  // By whole days, as the home page counts them.
  const isLate = plan !== '' && LATE.has(Number(row.status)) && fromShanghai(plan.slice(0, 10)).getTime() + DAY_MS < now
  return (
    <>
      <strong>{String(row.title)}</strong>
      <span>
        <DictTag code="work_type" value={row.type} /> <span className="kit-quiet">{String(row.shopName)}</span>
      </span>
      <span className="board-foot">
        <span>
          <Icon name="user" /> {row.workerName ? String(row.workerName) : say(words.nobody)}
        </span>
        {plan && (
          <span className={isLate ? 'kit-bad' : undefined}>
            <Icon name="clock-circle" /> <When at={plan} />
          </span>
        )}
      </span>
    </>
  )
}

/** The devices of an order: what is done to which, and what of it stands in the shop by now. */
function Devices({ row }: { row: Row }) {
  const say = useSay()
  const may = useMay(workDevice)
  const isClosed = Number(row.status) >= WORK.done
  const { rows, isPending } = useList(workDevice, {
    inAddress: false,
    fixed: { workId: String(row.id), size: 100, ascs: 'id' },
  })
  const [editing, setEditing] = useState<{ id?: string; preset?: Row }>()
  const [removing, setRemoving] = useState<Row>()
  const add = () =>
    setEditing({
      preset: {
        workId: String(row.id),
        workTitle: row.title,
        action: row.type === 'install' || row.type === 'remove' ? row.type : 'repair',
      },
    })
  return (
    <section className="work-devices">
      <h3>
        {say(words.devices)} <span className="kit-quiet">{rows.length || ''}</span>
      </h3>
      {row.type === 'install' && !isClosed && <p className="kit-quiet">{say(words.devicesHint)}</p>}
      {!isPending && !rows.length && (
        <p className="kit-quiet">{say(isClosed ? words.noDevices : words.noDevicesYet)}</p>
      )}
      <ul>
        {rows.map((one) => (
          <li key={String(one.id)}>
            <div>
              <strong>{String(one.deviceTypeName)}</strong> <Copyable text={String(one.sn)} />
              <p className="kit-quiet">{[one.actionName, one.position, one.remark].filter(Boolean).join(' · ')}</p>
              {one.deviceId ? (
                <p className="work-registered">
                  <Icon name="check-circle" />{' '}
                  <RowLink to="deviceInfo" id={String(one.deviceId)}>
                    {say(words.registered)}
                  </RowLink>
                </p>
              ) : null}
              {one.picture ? (
                <Thumbnails links={[String(one.picture)]} label={workDevice.fields.picture.label} />
              ) : null}
            </div>
            {!isClosed && !one.deviceId && (
              <RowButtons
                deeds={[
                  ...(may.edit
                    ? [{ key: 'edit', label: kit.edit, icon: 'edit', run: () => setEditing({ id: String(one.id) }) }]
                    : []),
                  ...(may.remove
                    ? [{ key: 'remove', label: kit.remove, icon: 'delete', danger: true, run: () => setRemoving(one) }]
                    : []),
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      {may.add && !isClosed && (
        <Button icon={<Icon name="plus" />} onClick={add}>
          {say(words.addDevice)}
        </Button>
      )}
      <Suspense>
        {editing && <EditDialog resource={workDevice} {...editing} onClose={() => setEditing(undefined)} />}
        {removing && <RemoveDialog resource={workDevice} rows={[removing]} onClose={() => setRemoving(undefined)} />}
      </Suspense>
    </section>
  )
}

/** Work orders as a board. */
export default function WorkInfoPage() {
  return (
    <BoardPage
      resource={workInfo}
      dict="work_status"
      intro={words.intro}
      columns={columns}
      card={(row) => <Card row={row} />}
      beside={(row) => <Devices row={row} />}
      isClosed={(row) => Number(row.status) >= WORK.done}
    />
  )
}
