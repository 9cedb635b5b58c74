import { useQuery } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Select, TimePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { camera } from './camera.resource.ts'
import { words } from './camera-words.ts'
import { VideoPlayer, PlayerToolButton } from './player.tsx'
import { RecordDownload } from './record-download.tsx'
import { cameraRecordsCall } from './recordings.calls.ts'
import type { VideoPlayerState } from './use-picture.ts'

type Recorded = CallAnswerOf<typeof cameraRecordsCall>[number]

const FORMAT = 'YYYY-MM-DD HH:mm:ss'
const MINUTE = 60
const LONG_SECONDS = 3_600
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8]
const DAY_SECONDS = 86_400

/** Returns the time in Shanghai, wherever the user is. */
const SHANGHAI_UTC_HOURS = 8
const shopNow = (): Dayjs => {
  const now = dayjs()
  return now.add(SHANGHAI_UTC_HOURS * 60 - now.utcOffset(), 'minute')
}

const secondsOf = (text: string) => {
  const [hours, minutes, seconds] = text.slice(11, 19).split(':').map(Number) as [number, number, number]
  return hours * 3_600 + minutes * 60 + seconds
}

type ClipProps = { id: string; name: string; at: Dayjs; onAt: (at: Dayjs) => void; seconds?: number; more?: Extra }
type Extra = Parameters<typeof VideoPlayer>[0]['more']

/** Plays a camera's recording from a true time on. */
export function RecordedClip({ id, name, at, onAt, seconds = LONG_SECONDS, more }: ClipProps) {
  const t = useLocalize()
  const query = { id, startTime: at.format(FORMAT), endTime: at.add(seconds, 'second').format(FORMAT) }
  return (
    <VideoPlayer
      name={name}
      source={{ path: `${camera.path}/playback`, query, isLive: false }}
      more={(video, picture) => (
        <>
          <PlayerToolButton icon="undo" label={t(words.back)} run={() => onAt(at.subtract(10, 'second'))} />
          <PlayerToolButton icon="redo" label={t(words.forth)} run={() => onAt(at.add(10, 'second'))} />
          <Speed key={query.startTime} picture={picture} />
          {more?.(video, picture)}
        </>
      )}
    />
  )
}

function Speed({ picture }: { picture: VideoPlayerState }) {
  const t = useLocalize()
  const [speed, setSpeed] = useState(1)
  const control = picture.shown?.control
  const choose = (next: number) => {
    setSpeed(next)
    void apiPost(`${camera.path}/playSpeed`, { body: { control, speed: next } }).catch(() => setSpeed(speed))
  }
  return (
    <Select
      size="small"
      aria-label={t(words.speed)}
      value={speed}
      disabled={!control}
      onChange={choose}
      options={SPEEDS.map((one) => ({ value: one, label: `${one}×` }))}
    />
  )
}

/** Recordings of a camera on a day, with a time line to choose a moment. */
export function CameraRecordings({ id, name, clockError }: { id: string; name: string; clockError?: number }) {
  const t = useLocalize()
  const lang = useLanguage()
  const [at, setAt] = useState(() => shopNow().subtract(5, 'minute').startOf('minute'))
  const [playing, setPlaying] = useState<Dayjs>()
  const day = at.format('YYYY-MM-DD')
  const { data, error } = useQuery({
    queryKey: ['video', 'records', id, day, lang],
    queryFn: () =>
      callApi(cameraRecordsCall, { id, startTime: `${day} 00:00:00`, endTime: `${day} 23:59:59` }, { quiet: true }),
    retry: false,
  })
  return (
    <div className="video-view">
      <div className="video-row">
        <DatePicker
          aria-label={t(words.day)}
          allowClear={false}
          value={at}
          disabledDate={(one) => one.isAfter(shopNow(), 'day')}
          onChange={(next) => next && setAt(next.hour(at.hour()).minute(at.minute()).second(at.second()))}
        />
        <TimePicker aria-label={t(words.from)} allowClear={false} value={at} onChange={(next) => next && setAt(next)} />
        <Button type="primary" icon={<Icon name="play-circle" />} onClick={() => setPlaying(at)}>
          {t(words.play)}
        </Button>
      </div>
      <RecordDownload id={id} at={playing ?? at} />
      {error && <Alert type="warning" showIcon title={error.message} />}
      {data?.length === 0 && <p className="kit-quiet">{t(words.none)}</p>}
      <DayLine day={day} records={data ?? []} />
      <CameraClockNote clockError={clockError} />
      {playing && <RecordedClip key={playing.valueOf()} id={id} name={name} at={playing} onAt={setPlaying} />}
    </div>
  )
}

export function CameraClockNote({ clockError }: { clockError?: number }) {
  const t = useLocalize()
  const seconds = Math.round(Math.abs(clockError ?? 0) / 1000)
  if (seconds < 2) return null
  return <p className="kit-quiet">{t(clockError! > 0 ? words.clockFast : words.clockSlow, { seconds })}</p>
}

/** Time line of a day that shows where there are recordings. */
function DayLine({ day, records }: { day: string; records: readonly Recorded[] }) {
  return (
    <div>
      <div className="video-line" aria-hidden="true">
        {records.map(({ startTime, endTime }) => {
          const from = startTime < day ? 0 : secondsOf(startTime)
          const until = endTime.startsWith(day) ? secondsOf(endTime) : DAY_SECONDS
          const width = Math.max(until - from, MINUTE)
          return (
            <i
              key={startTime}
              style={{ left: `${(from / DAY_SECONDS) * 100}%`, width: `${(width / DAY_SECONDS) * 100}%` }}
            />
          )
        })}
      </div>
      <div className="video-hours kit-quiet" aria-hidden="true">
        {['00', '06', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}:00</span>
        ))}
      </div>
    </div>
  )
}
