import fc from 'fast-check'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawLabel } from '#tests/support/labels.ts'
import { checkDigit, barcodeFormats } from './barcode.ts'
import { createBarcodeReader, type BarcodeImage, type BarcodeReader } from './read-barcode.ts'

let read: BarcodeReader
beforeAll(async () => {
  const program = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  read = await createBarcodeReader(Uint8Array.from(await readFile(program)).buffer)
})

const digits = (count: number) =>
  fc.array(fc.nat(9), { minLength: count, maxLength: count }).map((list) => list.join(''))
const number = fc.oneof(digits(12), digits(7)).map((body) => body + String(checkDigit(body)))
const kindOf = (text: string) => (text.length === 13 ? barcodeFormats.ean_13 : barcodeFormats.ean_8)
const barsOf = async (text: string, kind: (typeof barcodeFormats)[keyof typeof barcodeFormats] = kindOf(text)) =>
  (await drawLabel(text, kind))[0]!

type View = { scale: number; margin: number; shadow: number; grain: number; seed: number }

/**
 * Renders a printed label as a camera would see it: `scale` pixels a module, with background, blur, shadow and grain.
 */
function seen(rows: readonly string[], { scale, margin, shadow, grain, seed }: View): BarcodeImage {
  const white = '0'.repeat(margin)
  const isBars = rows.length === 1
  const around = isBars ? [] : Array.from({ length: margin }, () => '0'.repeat(rows[0]!.length))
  const modules = [...around, ...rows, ...around].map((row) => `${white}${row}${white}`)
  const [width, height] = [modules[0]!.length, isBars ? 24 / scale : modules.length].map((n) =>
    Math.floor(n * scale),
  ) as [number, number]
  const PARTS = 8
  const part = (at: number, row: string) => (row[Math.floor(at / scale)] === '1' ? 40 : 215)
  let state = seed
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state / 2_147_483_648 - 0.5) * grain
  }
  /** One row of modules through the lens: blurred, darker to the right. */
  const softOf = (row: string): number[] => {
    const sharp = Array.from(
      { length: width },
      (_one, at) =>
        Array.from({ length: PARTS }, (_two, n) => part(at + n / PARTS, row)).reduce((sum, one) => sum + one, 0) /
        PARTS,
    )
    return sharp.map(
      (value, at) =>
        ((sharp[Math.max(0, at - 1)]! + 2 * value + sharp[Math.min(width - 1, at + 1)]!) / 4) *
        (1 - (shadow * at) / width),
    )
  }
  const soft = modules.map(softOf)
  const lines = Array.from({ length: height }, (_, y) =>
    soft[isBars ? 0 : Math.floor(y / scale)]!.map((value) => Math.max(0, Math.min(255, value + noise()))),
  )
  return picture(lines)
}

const picture = (lines: readonly (readonly number[])[]): BarcodeImage => ({
  data: greys(lines.flat()),
  width: lines[0]!.length,
  height: lines.length,
})

function greys(values: readonly number[]): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(values.length * 4).fill(255)
  for (const [at, value] of values.entries()) pixels.fill(value, at * 4, at * 4 + 3)
  return pixels
}

/** The picture mirrored end to end, as of a label held upside down. */
const turned = ({ data, ...size }: BarcodeImage): BarcodeImage => ({
  ...size,
  data: new Uint8ClampedArray(new Uint32Array(data.buffer).toReversed().buffer),
})

const view = fc.record({
  scale: fc.double({ min: 2.6, max: 7, noNaN: true }),
  margin: fc.integer({ min: 9, max: 40 }),
  shadow: fc.double({ min: 0, max: 0.4, noNaN: true }),
  grain: fc.integer({ min: 0, max: 12 }),
  seed: fc.nat(),
})
const CLEAR: View = { scale: 4, margin: 12, shadow: 0, grain: 0, seed: 1 }
/** The number as stored: 13 digits with a leading zero are a UPC-A number. */
const kept = (text: string) => (text.length === 13 && text.startsWith('0') ? text.slice(1) : text)

describe('a barcode before the camera', () => {
  it('is read as it is printed, near or far, in shadow, with grain, either way round', async () => {
    await fc.assert(
      fc.asyncProperty(number, view, fc.boolean(), async (text, how, isTurned) => {
        const label = seen([await barsOf(text)], how)
        expect(await read(isTurned ? turned(label) : label)).toBe(kept(text))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['a UPC-A number', '036000291452', barcodeFormats.upc_a],
    ['a label of the shop’s own in Code 128', 'AB12', barcodeFormats.code_128],
    ['one in Code 39', 'K7', barcodeFormats.code_39],
    ['a box of goods in ITF', '15901234123454', barcodeFormats.itf],
    ['a QR code', 'https://shop.example/goods/5901234123457?from=shelf', barcodeFormats.qr_code],
  ])('may be %s', async (_what, text, kind) => {
    const label = await drawLabel(text, kind)
    for (const scale of [2.6, 4, 5.5]) {
      expect(await read(seen(label, { ...CLEAR, scale, shadow: 0.2, grain: 8 }))).toBe(text)
      expect(await read(turned(seen(label, { ...CLEAR, scale })))).toBe(text)
    }
  })

  it('says all of Code 128 that a printer writes, near or far, in shadow, with grain', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'ABCXYZabcxyz0123456789-/ ._'), minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(text, view, async (code, how) => {
        expect(await read(seen([await barsOf(code, barcodeFormats.code_128)], how))).toBe(code)
      }),
    )
  })

  it('is drawn as on the packets of the trade', async () => {
    // The bars of 5901234123457, the usual example in the standard.
    expect(await barsOf('5901234123457')).toBe(
      '10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101',
    )
  })

  it('is not made up: covered in part, with a wrong check digit or no barcode at all it reads as nothing', async () => {
    await fc.assert(
      fc.asyncProperty(number, fc.integer({ min: 1, max: 9 }), async (text, wrong) => {
        const bars = await barsOf(text)
        // The right end of a label whose number has a wrong check digit.
        const other = Array.from({ length: 10 }, (_, n) => `${text.slice(0, -2)}${n}`)
          .map((body) => body + String(checkDigit(body)))
          .find((one) => Number(one.at(-1)) === (Number(text.at(-1)) + wrong) % 10)!
        const end = (await barsOf(other)).slice(-10)
        expect(await read(seen([bars.slice(0, -10) + end], CLEAR))).toBeUndefined()
        expect(await read(seen([bars.slice(0, bars.length / 2)], CLEAR))).toBeUndefined()
        expect(await read(seen([bars.slice(bars.length / 3)], CLEAR))).toBeUndefined()
      }),
    )
    const line = fc.array(fc.nat(255), { minLength: 200, maxLength: 800 })
    await fc.assert(
      fc.asyncProperty(line, async (noise) => {
        expect(await read(picture(Array.from({ length: 24 }, () => noise)))).toBeUndefined()
      }),
    )
  })
})
