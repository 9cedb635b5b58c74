import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { DoorSettingsCell, DoorSettingsInput } from './doors.input.tsx'
import { LightScheduleCell, LightScheduleInput } from './lights.input.tsx'
import { shopConf } from './shop-conf.resource.ts'

type Row = WireRow<typeof shopConf>

const words = {
  intro: {
    zh: '每家门店怎么进店、收款、提醒；网关需要的设置改动后会同步给网关',
    en: 'How each store handles entry, payment and alerts. Settings the gateway needs are synced to it after a change.',
  },
  current: { zh: '已同步', en: 'Synced' },
  behind: { zh: '待同步：网关 {reported}，期望 {wanted}', en: 'Sync pending: gateway {reported}, expected {wanted}' },
  never: { zh: '网关未上报', en: 'Not reported by gateway' },
}

function VersionCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  const [wanted, reported] = [Number(row.wantedVersion), Number(row.reportedVersion)]
  if (reported <= 0) return <span className="kit-quiet">{t(words.never)}</span>
  return reported >= wanted ? (
    <span className="kit-yes">{t(words.current)}</span>
  ) : (
    <span>{t(words.behind, { reported, wanted })}</span>
  )
}

/** List of the shops' settings. */
export default createResourcePage(
  { ...shopConf, fields: { ...shopConf.fields, reportedVersion: { ...shopConf.fields.reportedVersion, width: 180 } } },
  {
    intro: words.intro,
    inputs: { lightSchedule: LightScheduleInput, doorSettings: DoorSettingsInput },
    cells: {
      lightSchedule: (props: CellProps<Row>) => <LightScheduleCell {...props} />,
      doorSettings: (props: CellProps<Row>) => <DoorSettingsCell {...props} />,
      reportedVersion: (props: CellProps<Row>) => <VersionCell {...props} />,
    },
  },
)
