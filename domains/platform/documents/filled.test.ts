import { expect, test } from 'vitest'
import { filled } from './filled.ts'
import type { Layout, PaperField, Sheet } from './paper.ts'

const field = (key: string, look: PaperField['look'] = 'text', isAsked?: true): PaperField => ({
  key,
  label: { zh: key, en: key },
  look,
  ...(isAsked && { isAsked }),
})
const none = { zh: '', en: '' }
const layout: Layout = {
  paper: 'a4',
  language: 'zh',
  title: none,
  number: none,
  logo: '',
  head: none,
  footer: none,
  facts: [field('shop'), field('remark')],
  columns: [field('spec'), field('name'), field('counted', 'number'), field('notes', 'text', true), field('size')],
  totals: [field('surplus', 'amount'), field('goods', 'number')],
  signs: [],
}
const sheet: Sheet = {
  id: '1',
  number: 'C1',
  facts: ['文三路店', ''],
  lines: [
    ['', '可乐', '', '', ''],
    ['', '雪碧', '', '', '大'],
  ],
  sums: ['', '', '0', '', ''],
  totals: ['', '2'],
  isPartial: false,
}
const keys = (fields: readonly PaperField[]) => fields.map(({ key }) => key)

test('a field without a value does not stand on paper; a column to write in stays, and each value in its place', () => {
  const shown = filled(layout, sheet)
  expect(keys(shown.layout.facts)).toEqual(['shop'])
  expect(keys(shown.layout.totals)).toEqual(['goods'])
  expect(keys(shown.layout.columns)).toEqual(['name', 'counted', 'notes', 'size'])
  expect(shown.sheet).toEqual({
    ...sheet,
    facts: ['文三路店'],
    lines: [
      ['可乐', '', '', ''],
      ['雪碧', '', '', '大'],
    ],
    sums: ['', '0', '', ''],
    totals: ['2'],
  })
})

test('a document without lines keeps the heads of its columns', () => {
  expect(keys(filled(layout, { ...sheet, lines: [] }).layout.columns)).toEqual(keys(layout.columns))
})
