/** Ways to play a stream in a video element. Each plays until it is stopped and reports through `Heard`. */

import { requestHeaders } from '#kit/web/http/http.ts'
import { camera } from './camera.resource.ts'

type PlaybackListeners = {
  /** Called when the first picture is shown, or the picture moves again. */
  playing: () => void
  /** Called when playback has ended or failed to start. */
  lost: () => void
}

export type StreamPlayback = { stop: () => void }

const socketOf = (address: string) => `${location.protocol.replace('http', 'ws')}//${location.host}${address}`

const HEVC = 'video/mp4; codecs="hvc1.1.6.L93.B0"'
export const canShowHevc = (): boolean => typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(HEVC)

export const canUseMediaSource = (): boolean => 'MediaSource' in window || 'ManagedMediaSource' in window

/** Returns whether the browser plays HLS by itself, as phones without Media Source Extensions do. */
export const canPlayHlsNatively = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Plays FLV over a websocket, which works with every camera. Without sound, as FLV cannot carry the cameras' G.711. */
export async function playFlv(
  video: HTMLVideoElement,
  address: string,
  isLive: boolean,
  listeners: PlaybackListeners,
): Promise<StreamPlayback> {
  const { default: mpegts } = await import('mpegts.js')
  mpegts.LoggingControl.enableAll = false
  // A worker would be created from a string, which the page's security policy forbids.
  const player = mpegts.createPlayer(
    { type: 'flv', isLive, url: socketOf(address), hasAudio: false },
    {
      enableWorker: false,
      enableStashBuffer: !isLive,
      liveBufferLatencyChasing: isLive,
      autoCleanupSourceBuffer: true,
    },
  )
  let isOver = false
  const lost = () => {
    if (!isOver) listeners.lost()
  }
  player.on(mpegts.Events.ERROR, lost)
  player.on(mpegts.Events.LOADING_COMPLETE, () => setTimeout(lost, isLive ? 0 : restOf(video)))
  const moved = () => listeners.playing()
  video.addEventListener('playing', moved)
  player.attachMediaElement(video)
  player.load()
  void Promise.resolve(player.play()).catch(() => {})
  return {
    stop: () => {
      isOver = true
      video.removeEventListener('playing', moved)
      player.pause()
      player.unload()
      player.detachMediaElement()
      player.destroy()
    },
  }
}

/** Plays HLS, which has the longest delay, for browsers and media servers without a faster protocol. */
export async function playHls(
  video: HTMLVideoElement,
  address: string,
  listeners: PlaybackListeners,
): Promise<StreamPlayback> {
  const moved = () => listeners.playing()
  video.addEventListener('playing', moved)
  if (!canUseMediaSource()) {
    video.src = address
    void video.play().catch(() => {})
    video.addEventListener('error', listeners.lost)
    return {
      stop: () => {
        video.removeEventListener('playing', moved)
        video.removeEventListener('error', listeners.lost)
        video.removeAttribute('src')
        video.load()
      },
    }
  }
  const { default: Hls } = await import('hls.js/light')
  const player = new Hls({ enableWorker: false, liveSyncDurationCount: 1 })
  player.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && listeners.lost())
  player.on(Hls.Events.MEDIA_ATTACHED, () => void video.play().catch(() => {}))
  player.loadSource(address)
  player.attachMedia(video)
  return {
    stop: () => {
      video.removeEventListener('playing', moved)
      player.destroy()
    },
  }
}

/** Returns how much is loaded and not played yet, in milliseconds. */
function restOf({ buffered, currentTime, playbackRate }: HTMLVideoElement): number {
  const end = buffered.length ? buffered.end(buffered.length - 1) : currentTime
  return Math.max(0, (end - currentTime) * 1000) / (playbackRate || 1)
}

const GATHER_MS = 1_000

function gathered(connection: RTCPeerConnection): Promise<void> {
  return new Promise((done) => {
    const look = () => connection.iceGatheringState === 'complete' && done()
    connection.addEventListener('icegatheringstatechange', look)
    setTimeout(done, GATHER_MS)
    look()
  })
}

/** Plays WebRTC, with a second less delay and with sound. Only the offer passes through this server. */
export async function playWebRtc(
  video: HTMLVideoElement,
  cameraId: string,
  listeners: PlaybackListeners,
): Promise<StreamPlayback> {
  const connection = new RTCPeerConnection()
  connection.addTransceiver('video', { direction: 'recvonly' })
  connection.addTransceiver('audio', { direction: 'recvonly' })
  const stream = new MediaStream()
  connection.addEventListener('track', ({ track }) => {
    stream.addTrack(track)
    video.srcObject = stream
    void video.play().catch(() => {})
  })
  let isOver = false
  connection.addEventListener('connectionstatechange', () => {
    if (!isOver && ['failed', 'disconnected', 'closed'].includes(connection.connectionState)) listeners.lost()
  })
  const moved = () => listeners.playing()
  video.addEventListener('playing', moved)
  const stop = () => {
    isOver = true
    video.removeEventListener('playing', moved)
    video.srcObject = null
    connection.close()
  }
  try {
    await connection.setLocalDescription(await connection.createOffer())
    await gathered(connection)
    const response = await fetch(`${camera.path}/whep?id=${encodeURIComponent(cameraId)}`, {
      method: 'POST',
      headers: { ...requestHeaders(), 'Content-Type': 'application/sdp' },
      body: connection.localDescription?.sdp ?? '',
    })
    if (response.status !== 201) throw new Error(`webrtc ${response.status}`)
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() })
  } catch (error) {
    stop()
    throw error
  }
  return { stop }
}
