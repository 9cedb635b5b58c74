import { crc32, deflateSync } from 'node:zlib'
import { createRandom } from '#kit/server/base/random.ts'

function chunk(type: string, body: Buffer): Buffer {
  const [head, tail] = [Buffer.alloc(8), Buffer.alloc(4)]
  head.writeUInt32BE(body.length)
  head.write(type, 4, 'latin1')
  tail.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), body])))
  return Buffer.concat([head, body, tail])
}

type Painted = { width?: number; height?: number; seed?: number; isBlank?: boolean }

/** Draws a PNG with grey noise, or (`isBlank`) a plain one. */
export function paintedPicture({ width = 800, height = 600, seed = 1, isBlank = false }: Painted = {}): Buffer {
  const random = createRandom(seed)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits per pixel, greyscale.
  head[8] = 8
  const rows = Buffer.alloc((width + 1) * height, 200)
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = 0
    for (let x = 1; !isBlank && x <= width; x += 7) rows[y * (width + 1) + x] = random.int(0, 255)
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}
