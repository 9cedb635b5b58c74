import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { advertising } from './advertising.resource.ts'
import './marketing.css'

type Row = WireRow<typeof advertising>

const words = {
  intro: {
    zh: '收银机屏、门口屏和小程序播放什么、播多久、哪些时段播',
    en: 'What register screens, door screens and mini programs play, for how long and when',
  },
  all: { zh: '全部屏幕', en: 'All screens' },
  register: { zh: '收银机屏', en: 'Register screen' },
  door: { zh: '门口屏', en: 'Door screen' },
  app: { zh: '小程序', en: 'Mini program' },
  show: { zh: '屏幕', en: 'Screen' },
  day: { zh: '全天', en: 'All day' },
  hours: { zh: '播放时段', en: 'Play hours' },
}

function MaterialCell({ row, place }: CellProps<Row>) {
  if (row.type === 'picture')
    return (
      <img
        className={place === 'detail' ? 'banner-large' : 'banner-small'}
        src={String(row.material)}
        alt={String(row.name)}
        loading="lazy"
        decoding="async"
      />
    )
  return (
    <a href={String(row.material)} target="_blank" rel="noreferrer" onClick={(event) => event.stopPropagation()}>
      <Icon name="play-circle" /> {String(row.material).split('/').at(-1)}
    </a>
  )
}

function HoursCell({ row, place }: CellProps<Row>) {
  const t = useLocalize()
  if (place === 'detail') return <>{String(row.dayStart)}</>
  return row.dayStart ? (
    <span className="kit-number">
      {String(row.dayStart)} – {String(row.dayEnd)}
    </span>
  ) : (
    <span className="kit-quiet">{t(words.day)}</span>
  )
}

const cells = {
  material: (props: CellProps<Row>) => <MaterialCell {...props} />,
  dayStart: (props: CellProps<Row>) => <HoursCell {...props} />,
}
const resource = {
  ...advertising,
  fields: { ...advertising.fields, dayStart: { ...advertising.fields.dayStart, width: 130 } },
  list: {
    ...advertising.list,
    columns: [
      'material',
      'name',
      'screen',
      'state',
      'enabled',
      'seconds',
      'dayStart',
      'startTime',
      'endTime',
      'shopIds',
    ],
  },
}

/** Ads by the screen they play on. */
export default function AdvertisingPage() {
  const t = useLocalize()
  const [screen, setScreen] = useState('all')
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        fixed: screen === 'all' ? undefined : { screen },
        isNarrowed: screen !== 'all',
        preset: () => (screen === 'all' ? {} : { screen }),
        head: () => (
          <div className="marketing-tabs">
            <Segmented
              value={screen}
              onChange={setScreen}
              aria-label={t(words.show)}
              options={(['all', 'register', 'door', 'app'] as const).map((value) => ({
                value,
                label: t(words[value]),
              }))}
            />
          </div>
        ),
      }}
    />
  )
}
