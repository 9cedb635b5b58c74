import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useSay } from '#kit/web/language.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { audioConf } from './audio-conf.resource.ts'
import './announcements.css'

type Row = WireRow<typeof audioConf>

const PlayDialog = lazy(() => import('./play-dialog.tsx').then((m) => ({ default: m.PlayDialog })))

const words = {
  intro: {
    zh: '进店、离店、告警、定时或手动播的话；由语音引擎合成，或上传录音',
    en: 'What the shops say on entering, leaving, alarms, by the clock or by hand: spoken by an engine, or recorded',
  },
  play: { zh: '立即播放', en: 'Play now' },
  listen: { zh: '试听：{name}', en: 'Listen: {name}' },
}

function StateCell({ row }: CellProps<Row>) {
  return (
    <span className="kit-line" data-tip={row.failReason || undefined}>
      <DictTag code="audio_state" value={row.state || 'NONE'} label={row.stateName} />
      {row.state === 'FAILED' && <span className="kit-quiet">{row.failReason}</span>}
    </span>
  )
}

/** Hears the sound in the browser. */
function Listen({ row }: { row: Row }) {
  const say = useSay()
  if (!row.audioUrl) return null
  const label = say(words.listen, { name: String(row.name) })
  return <audio className="announcement-sound" controls preload="none" src={row.audioUrl} aria-label={label} />
}

const cells = {
  state: StateCell,
  audioUrl: ({ row }: CellProps<Row>) => <Listen row={row} />,
}

/** What the shops say, how it sounds, and a way to say it now. */
export default function AudioConfPage() {
  const mayPlay = useCan('audioConf_play')
  const [playing, setPlaying] = useState<Row>()
  const rowActions = (row: Row): RowAction[] =>
    mayPlay
      ? [
          {
            key: 'play',
            label: words.play,
            icon: 'play-circle',
            disabled: row.state !== 'READY',
            run: () => setPlaying(row),
          },
        ]
      : []
  return (
    <>
      <ResourcePage
        resource={audioConf}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          // What can be played is played sooner than made again.
          transformActions: (list, row) =>
            (row.state === 'READY'
              ? list.toSorted((a, b) => Number(b.key === 'play') - Number(a.key === 'play'))
              : list
            ).map((one) => (one.key === 'genAudio' ? { ...one, disabled: row.state === 'GENERATING' } : one)),
        }}
      />
      <Suspense>{playing && <PlayDialog row={playing} onClose={() => setPlaying(undefined)} />}</Suspense>
    </>
  )
}
