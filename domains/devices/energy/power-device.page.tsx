import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense, useState } from 'react'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { epaDevice } from './epa.resource.ts'
import { powerSwitchLabels } from './switch-words.ts'

type Row = WireRow<typeof epaDevice>
type SwitchRequest = { row: Row; opt: 'on' | 'off' }

const PowerDialog = lazy(() => import('./power-dialog.panel.tsx'))
const PowerUsage = lazy(() => import('./power-usage.panel.tsx'))

const intro = {
  zh: '灯、空调、招牌这些用电设备：状态和电量由网关上报，可手动通断电，也可按规则自动通断电',
  en:
    'Lights, air conditioners and signs. Gateways report status and consumption. Switch them manually ' +
    'or by schedule.',
}

/** List of power devices, to switch them and see their state and consumption. */
export default function PowerDevicePage() {
  const renew = useInvalidateResource()
  const maySwitch = useHasPermission(`${epaDevice.code}_power`)
  const [switchRequest, setSwitchRequest] = useState<SwitchRequest>()

  const rowActions = (row: Row): RowAction[] => {
    const opt = row.power === true ? 'off' : 'on'
    return maySwitch
      ? [{ key: 'power', label: powerSwitchLabels[opt], icon: 'poweroff', run: () => setSwitchRequest({ row, opt }) }]
      : []
  }

  return (
    <>
      <ResourcePage
        resource={epaDevice}
        page={{
          intro,
          rowActions,
          beside: (row: Row) => (
            <Suspense>
              <PowerUsage id={String(row.id)} />
            </Suspense>
          ),
        }}
      />
      <Suspense>
        {switchRequest && (
          <PowerDialog
            device={{
              name: String(switchRequest.row.name),
              shopName: String(switchRequest.row.shopName ?? ''),
              gatewayId: String(switchRequest.row.gatewayId),
              clientId: String(switchRequest.row.clientId),
              hasRules: Boolean(switchRequest.row.plan),
            }}
            opt={switchRequest.opt}
            onClose={() => {
              setSwitchRequest(undefined)
              void renew(epaDevice)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
