import { expect, test } from 'vitest'
import { applyMeterReading } from './read-meter.ts'

const MINUTE = 60_000
/** Applies meter readings five minutes apart and returns the result of each. */
function readAll(figures: readonly number[], everyMs = 5 * MINUTE) {
  let [energy, doubtful]: (number | null)[] = [null, null]
  let readAt: number | null = null
  return figures.map((shown, n) => {
    const at = n * everyMs
    const meter = { id: '1', power: true, energy: energy!, doubtful: doubtful!, readAt, last: n ? at - everyMs : null }
    const read = applyMeterReading(meter, shown, at)
    if (read.doubtful === null) readAt = at
    ;[energy, doubtful] = [read.energy, read.doubtful]
    return read.used
  })
}

test.each([
  ['counts what it counted', [10, 10.5, 11], [0, 0.5, 0.5]],
  ['a nought between two figures is a fault', [15508.51, 0, 15508.51], [0, 0, 0]],
  ['a fall by rounding is none', [15508.51, 15508.5, 15508, 15508.6], [0, 0, 0, 0.09]],
  ['noughts for a while, then the old figure', [15508.51, 0, 0, 0, 15508.6, 15508.7], [0, 0, 0, 0, 0, 0.1]],
  ['a new meter counts from nothing once it is sure', [15508.51, 0.2, 0.5, 0.7], [0, 0, 0.5, 0.2]],
  ['a meter that was used elsewhere counts from where it began', [10, 700, 700.5, 701], [0, 0, 0.5, 0.5]],
  ['a jump and back is a fault', [10, 99_999, 10.1], [0, 0, 0.1]],
])('%s', (_what, figures, used) => {
  expect(readAll(figures)).toEqual(used)
})

test('after a day without a word as much is believed as a shop can draw in it', () => {
  expect(readAll([10, 900], 24 * 60 * MINUTE)).toEqual([0, 890])
  expect(readAll([10, 9_000], 24 * 60 * MINUTE)).toEqual([0, 0])
})
