import { Button } from 'antd'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { words } from './player-words.ts'
import { useVideoPlayer, type VideoPlayerState, type VideoSource } from './use-picture.ts'
import { useIsElementVisible } from './use-seen.ts'
import './video.css'

type Props = {
  name: string
  source: VideoSource | undefined
  /** Shows only the picture, as on the camera wall. */
  isSmall?: boolean
  /** Id of the camera, if low-delay playback is possible. */
  cameraId?: string
  /** Further buttons for the bar. */
  more?: (video: RefObject<HTMLVideoElement | null>, picture: VideoPlayerState) => ReactNode
  /** Drawn over the picture, such as a zoom box. */
  over?: ReactNode
}

/** The picture of the moment, as a JPEG. */
export const captureVideoFrame = (video: HTMLVideoElement): Promise<Blob | null> => {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.92))
}

async function saveStill(video: HTMLVideoElement | null, name: string) {
  const blob = video && video.videoWidth ? await captureVideoFrame(video) : null
  if (!blob) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `${name} ${new Date().toISOString().slice(0, 19).replace(/:/g, '-')}.jpg`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Video player. Starts muted, pauses while it is not visible, and reconnects by itself. */
export function VideoPlayer({ name, source, isSmall, cameraId, more, over }: Props) {
  const t = useLocalize()
  const frame = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const isSeen = useIsElementVisible(frame)
  const [isLow, setLow] = useState(false)
  const [isMuted, setMuted] = useState(true)
  const playedSource = source && isLow && cameraId ? { ...source, lowDelayOf: cameraId } : source
  const picture = useVideoPlayer(video, playedSource, isSeen)
  const canLow = !!source?.isLive && !!cameraId && (isLow || !!picture.shown?.hasLowDelay)
  return (
    <div className="video-player" ref={frame} data-state={picture.state} data-small={isSmall || undefined}>
      <div className="video-frame">
        <video ref={video} muted={isMuted} playsInline aria-label={t(words.picture, { name })} />
        {over}
        <Note picture={picture} isSeen={isSeen} />
      </div>
      <div className="video-bar">
        {!isSmall && more?.(video, picture)}
        <span className="video-space" />
        {canLow && !isSmall && <DelayTool isLow={isLow} set={setLow} />}
        {isLow && !isSmall && <SoundTool isMuted={isMuted} set={setMuted} />}
        <PlayerToolButton icon="camera" label={t(words.still)} run={() => void saveStill(video.current, name)} />
        <PlayerToolButton icon="fullscreen" label={t(words.full)} run={() => toggleFullscreen(frame.current)} />
      </div>
    </div>
  )
}

const toggleFullscreen = (frame: HTMLElement | null): void =>
  void (document.fullscreenElement ? document.exitFullscreen() : frame?.requestFullscreen())

/** Button that switches between normal and low-delay playback. */
function DelayTool({ isLow, set }: { isLow: boolean; set: (isLow: boolean) => void }) {
  const t = useLocalize()
  return (
    <PlayerToolButton
      icon="thunderbolt"
      label={t(isLow ? words.isLow : words.lowDelay)}
      isOn={isLow}
      run={() => set(!isLow)}
    />
  )
}

function SoundTool({ isMuted, set }: { isMuted: boolean; set: (isMuted: boolean) => void }) {
  const t = useLocalize()
  return (
    <PlayerToolButton
      icon={isMuted ? 'audio' : 'sound'}
      label={t(isMuted ? words.sound : words.mute)}
      run={() => set(!isMuted)}
    />
  )
}

type ToolProps = { icon: Parameters<typeof Icon>[0]['name']; label: string; isOn?: boolean; run: () => void }

export function PlayerToolButton({ icon, label, isOn, run }: ToolProps) {
  return (
    <Button
      type="text"
      size="small"
      icon={<Icon name={icon} />}
      aria-label={label}
      aria-pressed={isOn}
      data-tip={label}
      onClick={run}
    />
  )
}

/** Message in place of the picture. */
function Note({ picture, isSeen }: { picture: VideoPlayerState; isSeen: boolean }) {
  const t = useLocalize()
  const { state, message, again, retry } = picture
  if (state === 'playing') return null
  return (
    <div className="video-note" role="status">
      {state === 'loading' && <p>{t(words.loading)}</p>}
      {state === 'idle' && !isSeen && <p>{t(words.paused)}</p>}
      {state === 'ended' && (
        <>
          <p>{t(words.ended)}</p>
          <Button size="small" onClick={retry}>
            {t(words.replay)}
          </Button>
        </>
      )}
      {state === 'broken' && (
        <>
          {message && <p>{message}</p>}
          {again !== undefined && <p className="video-again">{t(words.again, { seconds: again })}</p>}
          <Button size="small" onClick={retry}>
            {t(words.retry)}
          </Button>
        </>
      )}
    </div>
  )
}
