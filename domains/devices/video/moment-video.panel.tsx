import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState, type RefObject } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { requestHeaders } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { camera } from './camera.resource.ts'
import { momentVideoCall } from './moment-video.calls.ts'
import { captureVideoFrame, PlayerToolButton } from './player.tsx'
import { RecordedClip, CameraClockNote } from './recordings.tsx'
import './video.css'

const words = {
  title: { zh: '视频', en: 'Video' },
  see: { zh: '看 {time} 的录像', en: 'View recording of {time}' },
  camera: { zh: '摄像头', en: 'Camera' },
  keep: { zh: '留存这一帧', en: 'Save this frame' },
  kept: { zh: '已留存，录像删除后仍在', en: 'Saved. It is kept after the recording is deleted.' },
  notKept: { zh: '画面没有留存', en: 'The snapshot was not saved' },
  pictures: { zh: '留存画面', en: 'Saved snapshots' },
}

/** The `kind` of each resource whose rows can have video. */
const KINDS: Record<string, string> = {
  customerVisitLog: 'visit',
  doorControlLog: 'door',
  shoppingOrder: 'order',
  event: 'event',
  stocktake: 'count',
}

type MomentVideoData = CallAnswerOf<typeof momentVideoCall>

/** Shows the video of a row's moment, if its shop has cameras and the user may see them. */
export default function MomentVideo({ resource, id }: { resource: string; id: string }) {
  const kind = KINDS[resource]
  const maySee = useHasPermission('camera_view')
  return kind && maySee ? <OfMoment key={`${kind}/${id}`} kind={kind} id={id} /> : null
}

function OfMoment({ kind, id }: { kind: string; id: string }) {
  const t = useLocalize()
  const lang = useLanguage()
  const { data, refetch } = useQuery({
    queryKey: ['video', 'beside', kind, id, lang],
    queryFn: () => callApi(momentVideoCall, { kind, id }, { quiet: true }),
    retry: false,
  })

  const [chosen, setChosen] = useState<string>()
  const [at, setAt] = useState<Dayjs>()

  if (!data?.cameras.length && !data?.pictures.length) return null
  const shown = data.cameras.find((one) => one.id === chosen) ?? data.cameras[0]
  const moment = dayjs(data.at)

  return (
    <section className="video-beside">
      <h3>{t(words.title)}</h3>
      {data.pictures.length > 0 && (
        <div className="video-kept" aria-label={t(words.pictures)}>
          <Thumbnails links={data.pictures.flatMap(({ picture }) => picture ?? [])} large />
        </div>
      )}
      {shown && data.canRecord && (
        <>
          {data.cameras.length > 1 && (
            <Segmented
              aria-label={t(words.camera)}
              value={shown.id}
              onChange={setChosen}
              options={data.cameras.map((one) => ({ value: one.id, label: one.name }))}
            />
          )}
          {at ? (
            <RecordedClip
              key={`${shown.id}/${at.valueOf()}`}
              id={shown.id}
              name={shown.name}
              at={at}
              onAt={setAt}
              seconds={spanOf(data)}
              more={(video) => (
                <Keep video={video} query={{ kind, id, cameraId: shown.id }} at={at} onKept={() => void refetch()} />
              )}
            />
          ) : (
            <Button icon={<Icon name="video-camera" />} onClick={() => setAt(moment)}>
              {t(words.see, { time: data.at.slice(11) })}
            </Button>
          )}
          <CameraClockNote clockError={shown.clockError ?? undefined} />
        </>
      )}
    </section>
  )
}

const LEAST_SECONDS = 60
const MOST_SECONDS = 3_600

/** Returns the length of the clip in seconds, within limits. */
const spanOf = ({ at, until }: MomentVideoData): number =>
  Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, until ? dayjs(until).diff(dayjs(at), 'second') + 10 : 0))

type KeepProps = {
  video: RefObject<HTMLVideoElement | null>
  query: Record<string, string>
  at: Dayjs
  onKept: () => void
}

/** Button that keeps the picture on screen with the row. */
function Keep({ video, query, at, onKept }: KeepProps) {
  const t = useLocalize()
  const keep = async () => {
    const { current } = video
    const blob = current?.videoWidth ? await captureVideoFrame(current) : null
    if (!blob) return toast.error(t(words.notKept))
    const takenTime = at.add(current!.currentTime, 'second').format('YYYY-MM-DD HH:mm:ss')
    const response = await fetch(`${camera.path}/keep?${String(new URLSearchParams({ ...query, takenTime }))}`, {
      method: 'POST',
      headers: { ...requestHeaders(), 'Content-Type': 'image/jpeg' },
      body: blob,
    })
    if (!response.ok) return toast.error(t(words.notKept))
    toast.success(t(words.kept))
    onKept()
  }
  return (
    <PlayerToolButton
      icon="save"
      label={t(words.keep)}
      run={() => void keep().catch(() => toast.error(t(words.notKept)))}
    />
  )
}
