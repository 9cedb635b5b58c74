/**
 * The media server's RTSP port, only for sound that is pushed to it: requires the signature of the push key, and keeps
 * the sound as A-law.
 */
import { createServer, type Socket } from 'node:net'
import { md5, type ReceivedSound, type World } from './world.ts'

const PCMA = 8
const HEADER = 12

type Publishing = { heard?: ReceivedSound; bytes: Buffer }

function respond(socket: Socket, cseq: string, status = '200 OK', more = ''): void {
  socket.write(`RTSP/1.0 ${status}\r\nCSeq: ${cseq}\r\n${more}\r\n`)
}

/** Returns whether a stream may be pushed: its camera exists and the signature matches the push key. */
function isLetIn({ pushKey, cameras }: World, url: URL): boolean {
  const [, app, name] = url.pathname.split('/')
  const isOurs = cameras.some(({ deviceId, channelId }) => name === `${deviceId}_${channelId}`)
  return app === 'broadcast' && isOurs && url.searchParams.get('sign') === md5(pushKey)
}

function handleRtspRequest(world: World, socket: Socket, publishing: Publishing, text: string): void {
  const [method = '', address = ''] = text.split(' ', 2)
  const cseq = /^CSeq:\s*(\d+)/im.exec(text)?.[1] ?? '0'
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (method === 'OPTIONS')
    return respond(socket, cseq, '200 OK', 'Public: OPTIONS, ANNOUNCE, SETUP, RECORD, TEARDOWN\r\n')
  if (method === 'ANNOUNCE') {
    if (!url || !isLetIn(world, url)) return respond(socket, cseq, '401 Unauthorized')
    if (!/rtpmap:8 PCMA\/8000/i.test(text)) return respond(socket, cseq, '415 Unsupported Media Type')
    publishing.heard = { stream: url.pathname.split('/')[2]!, aLaw: Buffer.alloc(0), isOver: false }
    return respond(socket, cseq)
  }
  if (!publishing.heard) return respond(socket, cseq, '455 Method Not Valid in This State')
  if (method === 'SETUP')
    return respond(socket, cseq, '200 OK', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 12345678\r\n')
  if (method === 'RECORD') {
    world.heard.push(publishing.heard)
    return respond(socket, cseq, '200 OK', 'Session: 12345678\r\n')
  }
  if (method === 'TEARDOWN') publishing.heard.isOver = true
  respond(socket, cseq)
}

function appendAudio({ heard: sound }: Publishing, packet: Buffer): void {
  if (sound && packet.length > HEADER && (packet[1]! & 0x7f) === PCMA)
    sound.aLaw = Buffer.concat([sound.aLaw, packet.subarray(HEADER)])
}

/** Handles the complete requests and packets received so far. */
function work(world: World, socket: Socket, publishing: Publishing): void {
  for (;;) {
    const { bytes } = publishing
    if (bytes[0] === 0x24) {
      if (bytes.length < 4 || bytes.length < 4 + bytes.readUInt16BE(2)) return
      const end = 4 + bytes.readUInt16BE(2)
      if (bytes[1] === 0) appendAudio(publishing, bytes.subarray(4, end))
      publishing.bytes = bytes.subarray(end)
      continue
    }
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/^Content-Length:\s*(\d+)/im.exec(bytes.subarray(0, end).toString())?.[1] ?? 0)
    if (bytes.length < end + 4 + length) return
    publishing.bytes = bytes.subarray(end + 4 + length)
    handleRtspRequest(world, socket, publishing, bytes.subarray(0, end + 4 + length).toString())
  }
}

export const createRtsp = (world: World) =>
  createServer((socket) => {
    const publishing: Publishing = { bytes: Buffer.alloc(0) }
    socket.on('data', (part: Buffer) => {
      if (world.mood.isAway) return socket.destroy()
      publishing.bytes = Buffer.concat([publishing.bytes, part])
      work(world, socket, publishing)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (publishing.heard) publishing.heard.isOver = true
    })
  })
