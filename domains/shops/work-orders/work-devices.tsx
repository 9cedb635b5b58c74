import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowButtons } from '#kit/web/list/row-buttons.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { WORK_ORDER_STATE, workDevice, type workInfo } from './work-info.resource.ts'

type Row = WireRow<typeof workInfo>
type DeviceRow = WireRow<typeof workDevice>

const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))
const RemoveDialog = lazy(() => import('#kit/web/form/remove-dialog.tsx'))

const words = {
  devices: { zh: '设备', en: 'Devices' },
  addDevice: { zh: '加一台设备', en: 'Add device' },
  registered: { zh: '已登记到门店', en: 'Registered to the store' },
  noDevices: { zh: '这张工单没有涉及设备', en: 'No devices on this work order' },
  noDevicesYet: {
    zh: '还没有设备；记下要装、要修的设备和序列号',
    en: 'No devices yet. Record devices to install or repair with their serial numbers.',
  },
  devicesHint: {
    zh: '安装工单完成时，这里的设备登记到门店',
    en: 'When an installation is completed, these devices are registered to the store',
  },
}

type Editing = { id?: string; preset?: Partial<DeviceRow> }

/** Devices of a work order: what is done to each, and which are already registered in the shop. */
export function WorkOrderDevices({ row }: { row: Row }) {
  const t = useLocalize()
  const may = useResourcePermissions(workDevice)
  const isClosed = Number(row.status) >= WORK_ORDER_STATE.done
  const { rows, isPending } = useResourceList(workDevice, {
    inAddress: false,
    fixed: { workId: String(row.id), size: 100, ascs: 'id' },
  })
  const [editing, setEditing] = useState<Editing>()
  const [removing, setRemoving] = useState<DeviceRow>()
  return (
    <section className="work-devices">
      <h3>
        {t(words.devices)} <span className="kit-quiet">{rows.length || ''}</span>
      </h3>
      {row.type === 'install' && !isClosed && <p className="kit-quiet">{t(words.devicesHint)}</p>}
      {!isPending && !rows.length && <p className="kit-quiet">{t(isClosed ? words.noDevices : words.noDevicesYet)}</p>}
      <ul>
        {rows.map((one) => (
          <Device
            key={String(one.id)}
            device={one}
            isClosed={isClosed}
            onEdit={() => setEditing({ id: String(one.id) })}
            onRemove={() => setRemoving(one)}
          />
        ))}
      </ul>
      {may.add && !isClosed && (
        <Button icon={<Icon name="plus" />} onClick={() => setEditing({ preset: newOf(row) })}>
          {t(words.addDevice)}
        </Button>
      )}
      <Suspense>
        {editing && <EditDialog resource={workDevice} {...editing} onClose={() => setEditing(undefined)} />}
        {removing && <RemoveDialog resource={workDevice} rows={[removing]} onClose={() => setRemoving(undefined)} />}
      </Suspense>
    </section>
  )
}

/** Default values of a new line: the action follows from the type of the work order. */
const newOf = (row: Row): Partial<DeviceRow> => ({
  workId: String(row.id),
  workTitle: row.title,
  action: row.type === 'install' || row.type === 'remove' ? row.type : 'repair',
})

type DeviceProps = { device: DeviceRow; isClosed: boolean; onEdit: () => void; onRemove: () => void }

function Device({ device, isClosed, onEdit, onRemove }: DeviceProps) {
  const t = useLocalize()
  const may = useResourcePermissions(workDevice)
  return (
    <li>
      <div>
        <strong>{String(device.deviceTypeName)}</strong> <CopyableText text={String(device.sn)} />
        <p className="kit-quiet">{[device.actionName, device.position, device.remark].filter(Boolean).join(' · ')}</p>
        {device.deviceId ? (
          <p className="work-registered">
            <Icon name="check-circle" />{' '}
            <RowLink to="deviceInfo" id={String(device.deviceId)}>
              {t(words.registered)}
            </RowLink>
          </p>
        ) : null}
        {device.picture ? (
          <Thumbnails links={[String(device.picture)]} label={workDevice.fields.picture.label} />
        ) : null}
      </div>
      {!isClosed && !device.deviceId && (
        <RowButtons
          rowActions={[
            ...(may.edit ? [{ key: 'edit', label: kit.edit, icon: 'edit' as const, run: onEdit }] : []),
            ...(may.remove
              ? [{ key: 'remove', label: kit.remove, icon: 'delete' as const, danger: true, run: onRemove }]
              : []),
          ]}
        />
      )}
    </li>
  )
}
