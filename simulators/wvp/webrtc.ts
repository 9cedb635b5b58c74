/**
 * The media server's WebRTC: takes an offer, returns an answer, then sends packets directly to the browser. Plays the
 * same streams as FLV, and receives a microphone's sound.
 */
import type { RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import type { WvpSimContext } from './calls.ts'
import { md5, type ReceivedSound } from './world.ts'
import type { Frame } from './h264.ts'

type Werift = typeof import('werift')

const PAYLOAD_MAX = 1100
const CLOCK_PER_MS = 90
const FU_A = 28

/** Splits a frame's units into RTP payloads (RFC 6184), in fragments when they are too large. */
function payloadsOf({ units }: Frame): Buffer[] {
  return units.flatMap((unit) => {
    if (unit.length <= PAYLOAD_MAX) return [unit]
    const [head, type] = [(unit[0]! & 0xe0) | FU_A, unit[0]! & 0x1f]
    const parts: Buffer[] = []
    for (let at = 1; at < unit.length; at += PAYLOAD_MAX) {
      const isLast = at + PAYLOAD_MAX >= unit.length
      const mark = (at === 1 ? 0x80 : 0) | (isLast ? 0x40 : 0) | type
      parts.push(Buffer.concat([Buffer.from([head, mark]), unit.subarray(at, at + PAYLOAD_MAX)]))
    }
    return parts
  })
}

function connectionOf({ RTCPeerConnection, RTCRtpCodecParameters }: Werift): RTCPeerConnection {
  const parameters = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f'
  return new RTCPeerConnection({
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: {
      video: [new RTCRtpCodecParameters({ mimeType: 'video/H264', clockRate: 90_000, parameters })],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/PCMA', clockRate: 8_000, channels: 1, payloadType: 8 })],
    },
  })
}

/** Sends a stream's frames until either side ends. */
function sendPictures(
  { MediaStreamTrack, RtpHeader, RtpPacket }: Werift,
  { media }: WvpSimContext,
  connection: RTCPeerConnection,
  key: string,
): void {
  const track = new MediaStreamTrack({ kind: 'video' })
  const [transceiver] = connection.getTransceivers() as [RTCRtpTransceiver]
  void transceiver.sender.replaceTrack(track)
  transceiver.setDirection('sendonly')
  let sequence = 0
  let leave: (() => void) | undefined
  const take = (frame: Frame, at: number) => {
    const payloads = payloadsOf(frame)
    payloads.forEach((payload, n) => {
      const marker = n === payloads.length - 1
      const header = new RtpHeader({ sequenceNumber: sequence++ & 0xffff, timestamp: at * CLOCK_PER_MS, marker })
      header.payloadType = transceiver.codecs[0]?.payloadType ?? 96
      track.writeRtp(new RtpPacket(header, payload))
    })
  }
  connection.connectionStateChange.subscribe((state) => {
    if (state === 'connected') leave ??= media.read(key, { take, end: () => void connection.close() })
    if (['closed', 'failed', 'disconnected'].includes(state)) leave?.()
  })
}

function receiveAudio(connection: RTCPeerConnection, sound: ReceivedSound): void {
  connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ payload }) => {
      sound.aLaw = Buffer.concat([sound.aLaw, payload])
    })
  })
  connection.connectionStateChange.subscribe((state) => {
    if (['closed', 'failed', 'disconnected'].includes(state)) sound.isOver = true
  })
}

/** Answers an offer as the media server does; throws the message it would return. */
export async function answerOffer(place: WvpSimContext, query: URLSearchParams, offer: string): Promise<object> {
  const { world, media } = place
  const [app, stream, type] = ['app', 'stream', 'type'].map((key) => query.get(key) ?? '') as [string, string, string]
  const key = media.keyOf(app, stream)
  if (type === 'push' && query.get('sign') !== md5(world.pushKey)) throw new Error('push auth failed')
  if (type !== 'push' && !media.streams.has(key)) throw new Error('stream not found')
  const werift = await import('werift').catch(() => {
    throw new Error('this simulator was installed without WebRTC')
  })
  const connection = connectionOf(werift)
  if (type === 'push') {
    const sound: ReceivedSound = { stream, aLaw: Buffer.alloc(0), isOver: false }
    world.heard.push(sound)
    receiveAudio(connection, sound)
  }
  await connection.setRemoteDescription({ type: 'offer', sdp: offer })
  if (type !== 'push') sendPictures(werift, place, connection, key)
  await connection.setLocalDescription(await connection.createAnswer())
  return { code: 0, id: stream, type: 'answer', sdp: connection.localDescription!.sdp }
}
