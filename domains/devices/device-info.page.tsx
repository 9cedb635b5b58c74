import { Segmented } from 'antd'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useSay } from '#kit/web/language.tsx'
import { withFilters } from '#kit/web/list/list-state.ts'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import type { List } from '#kit/web/list/use-list.ts'
import { deviceInfo } from './device-info.resource.ts'
import './devices.css'

const words = {
  intro: {
    zh: '门店里的网关、摄像头、门锁和其他设备；在线和版本由设备上报',
    en: 'Gateways, cameras, locks and whatever else stands in the shops; they report their own state',
  },
  all: { zh: '全部', en: 'All' },
  online: { zh: '在线', en: 'Online' },
  offline: { zh: '离线', en: 'Offline' },
}

function OnlineCell({ value }: CellProps) {
  const say = useSay()
  const isOn = value === true || value === 'true'
  return (
    <span className="device-state" data-on={isOn}>
      {say(isOn ? words.online : words.offline)}
    </span>
  )
}

const cells = { online: (props: CellProps) => <OnlineCell {...props} /> }

function States({ list }: { list: List }) {
  const say = useSay()
  return (
    <div className="device-tabs">
      <Segmented
        value={list.state.filters.online ?? ''}
        aria-label={say(deviceInfo.fields.online.label)}
        onChange={(next) => list.set((before) => withFilters(before, { online: String(next) }))}
        options={[
          { value: '', label: say(words.all) },
          { value: 'true', label: say(words.online) },
          { value: 'false', label: say(words.offline) },
        ]}
      />
    </div>
  )
}

/** Devices of the shops; which are silent stands out. */
export default function DeviceInfoPage() {
  return (
    <ResourcePage resource={deviceInfo} page={{ intro: words.intro, cells, head: (list) => <States list={list} /> }} />
  )
}
