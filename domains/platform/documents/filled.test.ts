import { expect, test } from 'vitest'
import { omitEmptyDocumentParts } from './filled.ts'
import type { DocumentLayout, DocumentField, DocumentValues } from './paper.ts'

const field = (key: string, look: DocumentField['look'] = 'text', isRequired?: true): DocumentField => ({
  key,
  label: { zh: key, en: key },
  look,
  ...(isRequired && { isAsked: isRequired }),
})
const none = { zh: '', en: '' }
const layout: DocumentLayout = {
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
const sheet: DocumentValues = {
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
const keys = (fields: readonly DocumentField[]) => fields.map(({ key }) => key)

test('a field without a value does not stand on paper; a column to write in stays, and each value in its place', () => {
  const shown = omitEmptyDocumentParts(layout, sheet)
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
  expect(keys(omitEmptyDocumentParts(layout, { ...sheet, lines: [] }).layout.columns)).toEqual(keys(layout.columns))
})
