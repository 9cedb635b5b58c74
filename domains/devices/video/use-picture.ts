import { useEffect, useRef, useState, type RefObject } from 'react'
import { apiGet, ApiError } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizeFunction } from '#kit/web/base/language.tsx'
import { words } from './player-words.ts'
import {
  canUseMediaSource,
  canShowHevc,
  playFlv,
  playHls,
  canPlayHlsNatively,
  playWebRtc,
  type StreamPlayback,
} from './playing.ts'
import type { CameraStream } from './watch.server.ts'

/** Seconds before each further try. Trying at once hardly ever helps. */
const AGAIN_SECONDS = [1, 2, 5, 10]
/** A live picture that has not moved for so long counts as lost. */
const STILL_MS = 8_000

export type VideoSource = {
  /** API path that returns the stream's address. Another path or query is another stream. */
  path: string
  query: Record<string, string>
  /** Id of the camera, for low-delay playback by WebRTC. */
  lowDelayOf?: string
  isLive: boolean
}

export type VideoPlayerState = {
  state: 'idle' | 'loading' | 'playing' | 'broken' | 'ended'
  /** The error, or what happens next. */
  message: string
  /** Seconds until the next try; undefined when there is none. */
  again?: number
  shown?: CameraStream & { control?: string }
  retry: () => void
}

type Turn = { source: VideoSource; video: HTMLVideoElement; isStopped: () => boolean }
type Report = (change: Partial<VideoPlayerState>) => void

/** HTTP statuses after which trying again does not help. */
const FINAL = new Set([403, 404])

function problemOf(error: unknown): { message: string; isFinal: boolean } {
  if (error instanceof ApiError) return { message: error.msg, isFinal: FINAL.has(error.status) }
  return { message: error instanceof Error ? error.message : String(error), isFinal: false }
}

class Unplayable extends Error {}

async function startPlayback(
  { source, video, isStopped }: Turn,
  report: Report,
  lost: () => void,
  t: LocalizeFunction,
): Promise<StreamPlayback> {
  if (!canUseMediaSource() && !canPlayHlsNatively(video)) throw new Unplayable(t(words.noWay))
  const listeners = { playing: () => report({ state: 'playing', message: '' }), lost }
  if (source.lowDelayOf) return playWebRtc(video, source.lowDelayOf, listeners)
  const shown = await apiGet<CameraStream & { control?: string }>(source.path, source.query, { quiet: true })
  if (shown.codec === 'H265' && !canShowHevc()) throw new Unplayable(t(words.hevc))
  if (!isStopped()) report({ shown })
  if (isStopped()) return { stop: () => {} }
  if (!shown.address || !canUseMediaSource()) return playHls(video, shown.segments, listeners)
  return playFlv(video, shown.address, source.isLive, listeners)
}

/** Plays once, until the stream is lost or stopped. Returns a function that stops it. */
function playOnce(
  made: Omit<Turn, 'isStopped'>,
  report: Report,
  over: (message: string, isFinal: boolean) => void,
  t: LocalizeFunction,
) {
  let isStopped = false
  let playing: StreamPlayback | undefined
  let at = { time: -1, since: performance.now() }
  const end = (message = '', isFinal = false) => {
    if (isStopped) return
    stop()
    over(message, isFinal)
  }
  const watch = setInterval(() => {
    const { currentTime, paused } = made.video
    const now = performance.now()
    if (currentTime !== at.time || paused || !made.source.isLive) at = { time: currentTime, since: now }
    else if (playing && now - at.since > STILL_MS) end()
  }, 1_000)
  const stop = () => {
    isStopped = true
    clearInterval(watch)
    playing?.stop()
    playing = undefined
  }
  startPlayback({ ...made, isStopped: () => isStopped }, report, () => end(), t).then(
    (begun) => {
      if (isStopped) begun.stop()
      else playing = begun
    },
    (error: unknown) => {
      const { message, isFinal } = problemOf(error)
      end(message, isFinal || error instanceof Unplayable)
    },
  )
  return stop
}

const nothing: Omit<VideoPlayerState, 'retry'> = { state: 'idle', message: '' }

/** Plays a stream in a video element while `isWanted`, and tries again whenever it is lost. */
export function useVideoPlayer(
  ref: RefObject<HTMLVideoElement | null>,
  source: VideoSource | undefined,
  isWanted: boolean,
): VideoPlayerState {
  const t = useLocalize()
  const lang = useLanguage()
  const [picture, setPicture] = useState(nothing)
  const [tries, setTries] = useState(0)
  const failed = useRef(0)
  const key = source ? JSON.stringify(source) : ''

  useEffect(() => {
    const video = ref.current
    if (!video || !key || !isWanted) {
      setPicture(nothing)
      return
    }

    const playedSource = JSON.parse(key) as VideoSource
    let timer: ReturnType<typeof setInterval> | undefined
    setPicture({ state: 'loading', message: '' })

    const report: Report = (change) => {
      if (change.state === 'playing') failed.current = 0
      setPicture((before) => ({ ...before, again: undefined, ...change }))
    }
    const over = (message: string, isFinal: boolean) => {
      if (!playedSource.isLive && !message) return report({ state: 'ended' })
      if (isFinal) return report({ state: 'broken', message })
      let left = AGAIN_SECONDS[Math.min(failed.current++, AGAIN_SECONDS.length - 1)]!
      report({ state: 'broken', message, again: left })
      timer = setInterval(() => {
        if (--left <= 0) {
          clearInterval(timer)
          setTries((count) => count + 1)
        } else report({ again: left })
      }, 1_000)
    }

    const stop = playOnce({ source: playedSource, video }, report, over, t)
    return () => {
      clearInterval(timer)
      stop()
    }
    // `t` is left out, as it changes with `lang`, which is listed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ref, key, isWanted, tries, lang])

  return { ...picture, retry: () => setTries((count) => count + 1) }
}
