import { expect, test } from 'vitest'
import { cpu, BLOCK_MAX_MS, eventLoopBlockOf } from '#kit/testing/event-loop-block.ts'
import { analyzeImageInWorker } from './look-aside.ts'
import { greyThumbnail } from './image-stats.ts'

const segment = (marker: number, body: number[]) => [
  0xff,
  marker,
  (body.length + 2) >> 8,
  (body.length + 2) & 255,
  ...body,
]
const table = (place: number, symbol: number) =>
  segment(0xc4, [place, 1, ...Array.from({ length: 15 }, () => 0), symbol])

/** A grey picture whose codes are all one bit long, which maximises the work. */
function greyJpeg({ width = 6_400, height = 6_240, acSymbol = 0x01, bytes = 0 } = {}): Buffer {
  const head = [
    0xff,
    0xd8,
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    ...segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    ...table(0x00, 0),
    ...table(0x10, acSymbol),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
  ]
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)])
}

test('a picture is seen as it is where it is looked at beside the others', async () => {
  const small = greyJpeg({ width: 160, height: 90, acSymbol: 0, bytes: 240 })
  expect(greyThumbnail(small)).toEqual(Array.from({ length: 144 }, () => 128))
  expect(await analyzeImageInWorker(small)).toEqual(greyThumbnail(small))
  expect(await analyzeImageInWorker(Buffer.from('no picture'))).toBeUndefined()
})

test('a picture made to be work holds nobody up, ends in time, and the next one is seen', async () => {
  const heavy = greyJpeg({ bytes: 8_000_000 })
  const began = cpu()
  greyThumbnail(heavy.subarray(0, 4_000_000))
  expect(cpu() - began).toBeGreaterThan(BLOCK_MAX_MS)
  expect(await eventLoopBlockOf(() => analyzeImageInWorker(heavy, 200))).toBeLessThan(BLOCK_MAX_MS)
  expect(await analyzeImageInWorker(greyJpeg({ width: 160, height: 90, acSymbol: 0, bytes: 240 }))).toHaveLength(144)
})
