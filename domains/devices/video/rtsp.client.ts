/**
 * Pushes sound to a media server by RTSP (RFC 2326), as A-law of 8,000 samples a second in RTP over the same
 * connection. The platform starts to play it on the camera when it arrives, and stops when it ends.
 */

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isPrivateUrl, createPublicLookup } from '#kit/server/request/egress.ts'

const PACKET = 160
const PACKET_MS = 20
const PCMA = 8
const PORT = 554
const TIMEOUT_MS = 8_000
const SILENCE = 0xd5

export type RtspPublisher = {
  /** Sends samples in real time. Resolves when the last has been sent. */
  say: (aLaw: Buffer) => Promise<void>
  close: () => Promise<void>
  isOver: () => boolean
}

const SDP = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=announcement',
  'c=IN IP4 0.0.0.0',
  't=0 0',
  'm=audio 0 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  'a=control:streamid=0',
  '',
].join('\r\n')

/** Returns a function that sends a request and resolves with the head of its answer, one at a time. */
function createTalk(socket: Socket) {
  let cseq = 0
  let held = ''
  let resolveHead: ((head: string) => void) | undefined
  socket.on('data', (part: Buffer) => {
    held += part.toString('latin1')
    const end = held.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = held.slice(0, end)
    held = held.slice(end + 4)
    resolveHead?.(head)
  })
  return async (method: string, url: string, headers: Record<string, string> = {}, body = ''): Promise<string> => {
    const lines = Object.entries({
      CSeq: String(++cseq),
      ...headers,
      ...(body && { 'Content-Length': `${body.length}` }),
    })
    const answer = new Promise<string>((done, fail) => {
      resolveHead = done
      socket.once('close', () => fail(new Error('the media server hung up')))
      setTimeout(() => fail(new Error('the media server does not answer')), TIMEOUT_MS).unref()
    })
    socket.write(`${method} ${url} RTSP/1.0\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n${body}`)
    const head = await answer
    if (!head.startsWith('RTSP/1.0 200')) throw new Error(`${method}: ${head.split('\r\n', 1)[0]}`)
    return head
  }
}

function open(url: URL, mayBeInside: boolean): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!mayBeInside && isPrivateUrl(`http://${url.hostname}`))
    return Promise.reject(new Error('the address lies inside'))
  return new Promise((done, fail) => {
    const port = Number(url.port) || PORT
    const socket = connect({
      host,
      port,
      ...(mayBeInside ? {} : { lookup: createPublicLookup() }),
      timeout: TIMEOUT_MS,
    })
    socket.once('error', fail)
    socket.once('timeout', () => socket.destroy(new Error('the media server does not answer')))
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.on('error', () => {})
      done(socket)
    })
  })
}

function packetOf(n: number, samples: Buffer): Buffer {
  const packet = Buffer.alloc(16)
  packet[0] = 0x24
  packet.writeUInt16BE(12 + samples.length, 2)
  packet[4] = 0x80
  packet[5] = (n === 0 ? 0x80 : 0) | PCMA
  packet.writeUInt16BE(n & 0xffff, 6)
  packet.writeUInt32BE((n * PACKET) >>> 0, 8)
  packet.writeUInt32BE(0x53_54_4f_52, 12)
  return Buffer.concat([packet, samples])
}

const filled = (part: Buffer): Buffer =>
  part.length === PACKET ? part : Buffer.concat([part, Buffer.alloc(PACKET - part.length, SILENCE)])

/** Starts to push to an address, authorised by the signature `sign`. Throws when the media server rejects it. */
export async function startRtspPublishing(address: string, sign: string, mayBeInside: boolean): Promise<RtspPublisher> {
  const url = new URL(address)
  url.searchParams.set('sign', sign)
  const socket = await open(url, mayBeInside)
  const ask = createTalk(socket)
  try {
    await ask('OPTIONS', url.href)
    await ask('ANNOUNCE', url.href, { 'Content-Type': 'application/sdp' }, SDP)
    const transport = 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record'
    const setupReply = await ask('SETUP', `${url.href}/streamid=0`, { Transport: transport })
    const session = /^Session:\s*([^;\r\n]+)/im.exec(setupReply)?.[1] ?? ''
    await ask('RECORD', url.href, { Session: session, Range: 'npt=0.000-' })
    return publisherOf(socket, url, session)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function publisherOf(socket: Socket, url: URL, session: string): RtspPublisher {
  let sent = 0
  let begun = 0
  return {
    isOver: () => socket.destroyed,
    say: async (aLaw) => {
      // Paced by the clock and not by adding up pauses. Starts anew after a silence.
      if (!begun || Date.now() > begun + sent * PACKET_MS + 500) begun = Date.now() - sent * PACKET_MS
      for (let at = 0; at < aLaw.length; at += PACKET) {
        if (socket.destroyed) throw new Error('the media server hung up')
        socket.write(packetOf(sent++, filled(aLaw.subarray(at, at + PACKET))))
        const early = begun + sent * PACKET_MS - Date.now()
        if (early > 0) await pause(early)
      }
    },
    close: async () => {
      if (socket.destroyed) return
      socket.end(`TEARDOWN ${url.href} RTSP/1.0\r\nCSeq: 99\r\nSession: ${session}\r\n\r\n`)
      await Promise.race([new Promise((done) => socket.once('close', done)), pause(1_000)])
      socket.destroy()
    },
  }
}

export const createALawSilence = (ms: number): Buffer => Buffer.alloc(Math.round(ms * 8), SILENCE)
