import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigit } from './barcode.ts'
import { drawBarcode, readBarcode } from './read-barcode.ts'

const digits = (count: number) =>
  fc.array(fc.nat(9), { minLength: count, maxLength: count }).map((list) => list.join(''))
const number = fc.oneof(digits(12), digits(7)).map((body) => body + String(checkDigit(body)))

/**
 * A line across a printed label as a camera sees it: so many pixels a module, a background beside, blur, a shadow,
 * grain.
 */
function seen(
  bars: string,
  {
    scale,
    margin,
    shadow,
    grain,
    seed,
  }: { scale: number; margin: number; shadow: number; grain: number; seed: number },
): number[] {
  const white = '0'.repeat(margin)
  const modules = `${white}${bars}${white}`
  const length = Math.floor(modules.length * scale)
  const PARTS = 8
  const part = (at: number) => (modules[Math.floor(at / scale)] === '1' ? 40 : 215)
  const sharp = Array.from(
    { length },
    (_, at) =>
      Array.from({ length: PARTS }, (_one, n) => part(at + n / PARTS)).reduce((sum, one) => sum + one, 0) / PARTS,
  )
  let state = seed
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state / 2_147_483_648 - 0.5) * grain
  }
  return sharp.map((value, at) => {
    const soft = (sharp[Math.max(0, at - 1)]! + 2 * value + sharp[Math.min(length - 1, at + 1)]!) / 4
    return Math.max(0, Math.min(255, soft * (1 - (shadow * at) / length) + noise()))
  })
}

const view = fc.record({
  scale: fc.double({ min: 2.6, max: 7, noNaN: true }),
  margin: fc.integer({ min: 9, max: 40 }),
  shadow: fc.double({ min: 0, max: 0.4, noNaN: true }),
  grain: fc.integer({ min: 0, max: 12 }),
  seed: fc.nat(),
})
/** What is printed with a nought before twelve digits is a UPC-A number. */
const kept = (text: string) => (text.length === 13 && text.startsWith('0') ? text.slice(1) : text)

describe('a barcode before the camera', () => {
  it('is read as it is printed, near or far, in shadow, with grain, either way round', () => {
    fc.assert(
      fc.property(number, view, fc.boolean(), (text, how, isTurned) => {
        const line = seen(drawBarcode(text), how)
        expect(readBarcode(isTurned ? line.toReversed() : line)).toBe(kept(text))
      }),
      { numRuns: 300 },
    )
  })

  it('is drawn as on the packets of the trade', () => {
    // The bars of 5901234123457, the number standards documents show.
    expect(drawBarcode('5901234123457')).toBe(
      '10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101',
    )
  })

  it(
    'is not made up: what is covered in part, has a wrong check digit or is no ' + 'barcode at all reads as nothing',
    () => {
      fc.assert(
        fc.property(number, fc.integer({ min: 1, max: 9 }), (text, wrong) => {
          const last = (Number(text.at(-1)) + wrong) % 10
          const how = { scale: 4, margin: 12, shadow: 0, grain: 0, seed: 1 }
          expect(readBarcode(seen(drawBarcode(text.slice(0, -1) + String(last)), how))).toBeUndefined()
          const line = seen(drawBarcode(text), how)
          expect(readBarcode(line.slice(0, line.length / 2))).toBeUndefined()
        }),
      )
      fc.assert(
        fc.property(fc.array(fc.nat(255), { minLength: 200, maxLength: 800 }), (noise) => {
          expect(readBarcode(noise)).toBeUndefined()
        }),
      )
    },
  )
})
