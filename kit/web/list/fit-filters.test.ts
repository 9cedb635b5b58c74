import { expect, test } from 'vitest'
import { fitSearchBoxes } from './fit-filters.ts'

test('filters that fit stand in one line, and nothing is left to unfold', () => {
  expect(fitSearchBoxes(3, 300, 1200)).toEqual({ boxes: 3, hasTime: true })
  expect(fitSearchBoxes(0, 300, 300)).toEqual({ boxes: 0, hasTime: true })
  expect(fitSearchBoxes(2, 0, 416)).toEqual({ boxes: 2, hasTime: false })
})

test(
  'where the line is short the first box stays, then the choice of days, then further ' +
    'boxes; it never needs a second line',
  () => {
    expect(fitSearchBoxes(6, 300, 700)).toEqual({ boxes: 1, hasTime: true })
    expect(fitSearchBoxes(6, 300, 900)).toEqual({ boxes: 2, hasTime: true })
    expect(fitSearchBoxes(6, 300, 480)).toEqual({ boxes: 1, hasTime: false })
    expect(fitSearchBoxes(6, 300, 100)).toEqual({ boxes: 1, hasTime: false })
    expect(fitSearchBoxes(6, 0, 700)).toEqual({ boxes: 2, hasTime: false })
  },
)
