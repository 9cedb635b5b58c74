import type { WireRow } from '#kit/resource/index.ts'
import { Button, Modal } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { CommandSteps, DeviceLinkStatus, useClockSyncActions } from '#domains/devices/device-messaging/ui.ts'
import { epaDevice, epaGateway } from './epa.resource.ts'

type Row = WireRow<typeof epaGateway>

const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

const words = {
  intro: {
    zh: '门店里管用电设备的网关；在线、时钟和固件由网关上报',
    en: 'Gateways that control power devices in the stores. They report connection, clock and firmware.',
  },
  sync: { zh: '同步设备', en: 'Sync devices' },
  removeAll: { zh: '移除全部设备', en: 'Remove all devices' },
  removeWhat: {
    zh: '“{name}”的用电设备全部移除，网关也会清空；离线的网关上线后清空。',
    en:
      'All power devices of “{name}” are removed and the gateway is cleared. An offline gateway is ' +
      'cleared when it reconnects.',
  },
}

const cells = {
  online: ({ row }: CellProps<Row>) => (
    <DeviceLinkStatus state={row.online === true ? 'online' : 'offline'} lastSeen={row.lastSeenTime} />
  ),
}

type Does = { onSteps: (id: string) => void; onClear: (row: Row) => void; onSet: () => void }

/** Returns the row actions of a gateway. `onSteps` receives the id of a command to follow. */
function useGatewayActions({ onSteps, onClear, onSet }: Does) {
  const clock = useClockSyncActions(epaGateway.path, onSet)
  const maySync = useHasPermission(`${epaGateway.code}_sync`)
  const mayRemove = useHasPermission(`${epaDevice.code}_delete`)
  const sync = async ({ clientId }: Row) => {
    try {
      onSteps((await apiPost<{ cmdId: string }>(`${epaGateway.path}/syncInfo`, { query: { clientId } })).cmdId)
    } catch {
      // The error is shown as a toast.
    }
  }
  return (row: Row): RowAction[] => {
    const actions: RowAction[] = []
    if (maySync) actions.push({ key: 'sync', label: words.sync, icon: 'sync', run: () => void sync(row) })
    actions.push(...clock(row))
    if (mayRemove)
      actions.push({ key: 'clear', label: words.removeAll, icon: 'clear', danger: true, run: () => onClear(row) })
    return actions
  }
}

/** List of power gateways, to set their clocks and to synchronise or clear their devices. */
export default function PowerGatewayPage() {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [steps, setSteps] = useState<string>()
  const [clearing, setClearing] = useState<Row>()
  const rowActions = useGatewayActions({
    onSteps: setSteps,
    onClear: setClearing,
    onSet: () => void renew(epaGateway),
  })
  return (
    <>
      <ResourcePage resource={epaGateway} page={{ intro: words.intro, cells, rowActions }} />
      {steps && (
        <Modal
          open
          width={440}
          title={t(words.sync)}
          onCancel={() => setSteps(undefined)}
          footer={<Button onClick={() => setSteps(undefined)}>{t(kit.close)}</Button>}
        >
          <CommandSteps id={steps} />
        </Modal>
      )}
      <Suspense>
        {clearing && (
          <ConfirmDialog
            title={words.removeAll}
            text={t(words.removeWhat, { name: String(clearing.name) })}
            danger
            run={() => apiPost(`${epaDevice.path}/removeAll`, { query: { clientId: clearing.clientId } })}
            onClose={() => {
              setClearing(undefined)
              void renew(epaDevice)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
