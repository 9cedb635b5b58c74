import { expect, test } from 'vitest'
import { splitLinesIntoPages, type PageHeights } from './cut-pages.ts'

const page = (part: Partial<PageHeights>) =>
  splitLinesIntoPages({ room: 100, first: 40, next: 20, lines: [], end: 10, ...part })
const lines = (count: number, height = 10) => Array.from({ length: count }, () => height)

test('lines fill each page up to its room, none is left out, and none stands twice', () => {
  expect(page({ lines: lines(5) })).toEqual([{ from: 0, to: 5 }])
  expect(page({ lines: lines(20) })).toEqual([
    { from: 0, to: 6 },
    { from: 6, to: 14 },
    { from: 14, to: 20 },
  ])
  for (const count of [0, 1, 6, 7, 13, 14, 15, 60]) {
    const cuts = page({ lines: lines(count, 7) })
    expect(cuts.map(({ from }) => from)).toEqual([0, ...cuts.slice(0, -1).map(({ to }) => to)])
    expect(cuts.at(-1)!.to).toBe(count)
    for (const [at, { from, to }] of cuts.entries())
      expect((to - from) * 7 + (at ? 20 : 40) + (at === cuts.length - 1 ? 10 : 0)).toBeLessThanOrEqual(100)
  }
})

test('what follows the last line takes that line along to a page of its own, and never stands without one', () => {
  expect(page({ lines: lines(6), end: 10 })).toEqual([
    { from: 0, to: 5 },
    { from: 5, to: 6 },
  ])
  expect(page({ lines: lines(1, 60), end: 10 })).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 1 },
  ])
  expect(page({ lines: [], end: 90 })).toEqual([{ from: 0, to: 0 }])
})

test('a head that fills its page leaves the lines to the next one', () => {
  expect(page({ first: 95, lines: lines(2) })).toEqual([
    { from: 0, to: 0 },
    { from: 0, to: 2 },
  ])
})
