import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 480
const HEIGHT = 270
const SHELVES = 3
const COLUMNS = 12

type Colour = readonly [number, number, number]
const WALL: Colour = [214, 218, 224]
const BOARD: Colour = [120, 96, 72]
const FLOOR: Colour = [168, 160, 150]
const BOX: Colour = [188, 140, 84]

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/**
 * Draws a shelf as PNG. The text decides which products it shows, so that they differ by camera and change with time.
 */
export function cameraPictureOf(word: string): Buffer {
  const chances = createHash('sha256').update(word).digest()
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  const paint = (x: number, y: number, w: number, h: number, [r, g, b]: Colour) => {
    for (let row = Math.max(0, y); row < Math.min(HEIGHT, y + h); row++)
      for (let at = Math.max(0, x); at < Math.min(WIDTH, x + w); at++) {
        const place = (row * WIDTH + at) * 3
        pixels[place] = r
        pixels[place + 1] = g
        pixels[place + 2] = b
      }
  }
  paint(0, 0, WIDTH, HEIGHT, WALL)
  paint(0, 230, WIDTH, 40, FLOOR)
  for (let shelf = 0; shelf < SHELVES; shelf++) {
    const base = 70 + shelf * 70
    paint(20, base, WIDTH - 40, 6, BOARD)
    for (let column = 0; column < COLUMNS; column++) {
      const byte = chances[(shelf * COLUMNS + column) % chances.length]!
      // A gap now and then.
      if (byte % 6 === 0) continue
      const colour: Colour = [80 + (byte % 140), 60 + ((byte * 7) % 150), 70 + ((byte * 13) % 140)]
      paint(28 + column * 36, base - 44 - (byte % 8), 28, 44 + (byte % 8), colour)
    }
  }
  paint(120 + (chances[3]! % 200), 222, 58, 34, BOX)
  const lines = Buffer.alloc(HEIGHT * (WIDTH * 3 + 1))
  for (let row = 0; row < HEIGHT; row++)
    pixels.copy(lines, row * (WIDTH * 3 + 1) + 1, row * WIDTH * 3, (row + 1) * WIDTH * 3)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
