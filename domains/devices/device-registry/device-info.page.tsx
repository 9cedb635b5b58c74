import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { Link } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { deviceInfo } from './device-info.resource.ts'
import './devices.css'

const words = {
  intro: {
    zh: '门店里的网关、摄像头、门锁和其他设备；在线和版本由设备上报',
    en: 'Gateways, cameras, locks and other devices in the stores. They report connection and version.',
  },
  all: { zh: '全部', en: 'All' },
  online: { zh: '在线', en: 'Online' },
  offline: { zh: '离线', en: 'Offline' },
  never: { zh: '从未上线', en: 'Never online' },
  lookAgain: { zh: '检查电源、网线和网络', en: 'Check the power, cable and network' },
  lookFirst: {
    zh: '检查是否通电、联网，序列号是否与设备一致',
    en: 'Check power and network, and whether the serial number matches the device',
  },
  behind: {
    zh: '经网关连接，先看网关是否在线：',
    en: 'Connected through a gateway. Check first whether it is online:',
  },
}

type Row = WireRow<typeof deviceInfo>

function OnlineCell({ value, row, place }: CellProps<Row>) {
  const t = useLocalize()
  const links = useResourcePath('deviceLink')
  const isOn = value === true || value === 'true'
  const { lastSeenTime: seen, clientId: gateway } = row
  const state = (
    <span className="device-state" data-on={isOn}>
      {t(isOn ? words.online : seen ? words.offline : words.never)}
      {!isOn && seen && <RelativeTime at={seen} />}
    </span>
  )
  if (isOn || place !== 'detail') return state
  return (
    <div className="device-why">
      {state}
      <span>{t(seen ? words.lookAgain : words.lookFirst)}</span>
      {gateway && (
        <span>
          {t(words.behind)}{' '}
          {links ? <Link to={`${links}?clientId=${encodeURIComponent(gateway)}`}>{gateway}</Link> : gateway}
        </span>
      )}
    </div>
  )
}

const cells = { online: (props: CellProps<Row>) => <OnlineCell {...props} /> }

function States({ list }: { list: ResourceList }) {
  const t = useLocalize()
  return (
    <div className="device-tabs">
      <Segmented
        value={list.state.filters.online ?? ''}
        aria-label={t(deviceInfo.fields.online.label)}
        onChange={(next) => list.set((before) => withListFilters(before, { online: String(next) }))}
        options={[
          { value: '', label: t(words.all) },
          { value: 'true', label: t(words.online) },
          { value: 'false', label: t(words.offline) },
        ]}
      />
    </div>
  )
}

/** List of the shops' devices with their online state. */
export default function DeviceInfoPage() {
  return (
    <ResourcePage resource={deviceInfo} page={{ intro: words.intro, cells, head: (list) => <States list={list} /> }} />
  )
}
