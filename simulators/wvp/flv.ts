/** Encodes frames as FLV, as media servers send it over HTTP and websockets. */
import type { Frame } from './h264.ts'

const VIDEO = 9
const AVC = 7
const HEVC = 12

function tag(timestamp: number, body: Buffer): Buffer {
  const head = Buffer.alloc(11)
  head.writeUInt8(VIDEO, 0)
  head.writeUIntBE(body.length, 1, 3)
  head.writeUIntBE(timestamp & 0xffffff, 4, 3)
  head.writeUInt8((timestamp >>> 24) & 0xff, 7)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 11)
  return Buffer.concat([head, body, size])
}

/** The header of every stream: video without sound. */
export const flvHead = (): Buffer => Buffer.from([0x46, 0x4c, 0x56, 1, 0b0000_0001, 0, 0, 0, 9, 0, 0, 0, 0])

const codecOf = (isHevc: boolean) => (isHevc ? HEVC : AVC)

export function flvSequence([sps, pps]: readonly Buffer[], isHevc: boolean): Buffer {
  const length = (bytes: Buffer) => Buffer.from([bytes.length >> 8, bytes.length & 0xff])
  const record = [Buffer.from([1, sps![1]!, sps![2]!, sps![3]!, 0xff, 0xe1]), length(sps!), sps!, Buffer.from([1])]
  const head = Buffer.from([0x10 | codecOf(isHevc), 0, 0, 0, 0])
  return tag(0, Buffer.concat([head, ...record, length(pps!), pps!]))
}

export function flvFrame({ isKey, units }: Frame, timestamp: number, isHevc: boolean): Buffer {
  const head = Buffer.from([(isKey ? 0x10 : 0x20) | codecOf(isHevc), 1, 0, 0, 0])
  const sized = units.flatMap((one) => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(one.length)
    return [size, one]
  })
  return tag(timestamp, Buffer.concat([head, ...sized]))
}
