import { expect, test } from 'vitest'
import { BLOCK_MAX_MS, eventLoopBlockOf } from '#tests/support/event-loop-block.ts'
import { paintedPicture } from '#tests/support/pictures.ts'
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

test.each([
  ['a JPEG', greyJpeg({ width: 160, height: 90, acSymbol: 0, bytes: 240 }), 128],
  ['a PNG', paintedPicture({ isBlank: true }), 200],
])('%s is reduced to the mean greys of its parts', async (_name, bytes, grey) => {
  expect(await greyThumbnail(bytes)).toEqual(Array.from({ length: 144 }, () => grey))
})

test.each([
  ['no picture', Buffer.from('no picture')],
  ['a drawing, which no camera sends', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['an animation, which no camera sends', Buffer.from('R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAIBAAA=', 'base64')],
  ['a picture that is cut off', greyJpeg({ width: 160, height: 90, acSymbol: 0, bytes: 20 })],
])('%s is not looked at', async (_name, bytes) => {
  expect(await greyThumbnail(bytes)).toBeUndefined()
})

test('a picture with more pixels than any camera has is refused before it is decoded', async () => {
  const whole = paintedPicture({ width: 20_000, height: 2_000, isBlank: true })
  expect(await greyThumbnail(whole)).toHaveLength(144)
  expect(await greyThumbnail(paintedPicture({ width: 20_000, height: 2_001, isBlank: true }))).toBeUndefined()
})

test('a picture made to be work holds nobody up, and the next one is seen', async () => {
  const heavy = greyJpeg({ bytes: 8_000_000 })
  expect(await eventLoopBlockOf(() => greyThumbnail(heavy))).toBeLessThan(BLOCK_MAX_MS)
  expect(await greyThumbnail(greyJpeg({ width: 160, height: 90, acSymbol: 0, bytes: 240 }))).toHaveLength(144)
})
