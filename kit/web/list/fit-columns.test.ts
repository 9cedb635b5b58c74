import { expect, test } from 'vitest'
import type { TableColumn } from './columns.tsx'
import { fitColumnWidths } from './fit-columns.ts'

const column = (key: string, more: Partial<TableColumn> = {}): TableColumn => ({
  key,
  label: { zh: key, en: key },
  width: 100,
  cell: () => null,
  ...more,
})
const widths = (columns: TableColumn[], width: number, rows: Record<string, unknown>[] = [{ id: '1' }]) =>
  fitColumnWidths(columns, rows, width).map((one) => one.width)
const loose = { need: () => 70 }

test('columns keep their width where there is room, and grow to what their rows hold', () => {
  expect(widths([column('a', loose), column('b')], 200)).toEqual([100, 100])
  expect(widths([column('a', { fits: true, need: () => 150 }), column('b', loose)], 1000)).toEqual([150, 100])
})

test('room that is left goes to columns whose rows are cut, as far as it goes and as they need', () => {
  const cut = { need: () => 180 }
  expect(widths([column('a', cut), column('b')], 1000)).toEqual([180, 100])
  expect(widths([column('a', cut), column('b', cut)], 260)).toEqual([130, 130])
  expect(widths([column('a', { need: () => 900 }), column('b')], 500)).toEqual([400, 100])
})

test('no column is cut while another one has room its rows do not need', () => {
  const cut = { need: () => 180 }
  expect(widths([column('a', loose), column('b', loose), column('c', cut)], 320)).toEqual([70, 70, 180])
  expect(widths([column('a', loose), column('b', loose), column('c', cut)], 340)[2]).toBe(180)
  expect(widths([column('a', loose), column('b', loose), column('c', cut)], 300)).toEqual([70, 70, 160])
  // Columns beyond the edge of a scrolling table are not cut either.
  expect(widths([column('a', loose), column('b'), column('c', cut)], 180)).toEqual([80, 100, 180])
})

test('columns that are a little too wide give up what neither rows nor headings need, and no more', () => {
  const narrow = widths([column('a', loose), column('b', { need: () => 90 }), column('c')], 270)
  expect(narrow.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(270)
  expect(narrow[0]).toBeGreaterThanOrEqual(70)
  expect(narrow[1]).toBeGreaterThanOrEqual(90)
  expect(narrow[2]).toBe(100)
})

test(
  'a table that cannot fit scrolls, and its edge falls between two columns; a ' + 'width somebody drew is not touched',
  () => {
    expect(widths([column('a', loose), column('b', loose)], 100)).toEqual([100, 100])
    expect(widths([column('a', loose), column('b', loose), column('c', loose)], 160)).toEqual([80, 80, 100])
    expect(widths([column('a'), column('b'), column('c', { isDrawn: true }), column('d')], 350)).toEqual([
      125, 125, 100, 100,
    ])
    expect(widths([column('a')], 50)).toEqual([100])
    expect(widths([column('a', { isDrawn: true }), column('b')], 180)).toEqual([100, 100])
  },
)
