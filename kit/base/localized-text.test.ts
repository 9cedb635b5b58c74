import { describe, expect, it, test } from 'vitest'
import { interpolate, sentenceLabelParams, pluralOf, pluralizeUnit } from './localized-text.ts'

const label = (en: string, many?: string) => ({ zh: '订单', en, ...(many !== undefined && { many }) })

describe('pluralOf', () => {
  it.each([
    ['Order', 'Orders'],
    ['Category', 'Categories'],
    ['Delivery', 'Deliveries'],
    ['Day', 'Days'],
    ['Batch', 'Batches'],
    ['Access', 'Access'],
    ['API log', 'API log'],
    ['Price history', 'Price history'],
    ['Orders', 'Orders'],
    ['Device of a work order', 'Devices of a work order'],
  ])('says of "%s" "%s"', (en, many) => {
    expect(pluralOf(label(en))).toEqual({ zh: '订单', en: many })
  })

  it('takes the irregular plural a label declares', () => {
    expect(pluralOf(label('Employee', 'Staff'))).toEqual({ zh: '订单', en: 'Staff' })
  })
})

test('labels within an English sentence begin small, names and abbreviations do not', () => {
  const within = (en: string) => sentenceLabelParams(label(en), 'en')
  expect(within('Purchase order')).toEqual({ label: 'purchase order', labels: 'purchase orders' })
  expect(within('WeChat app')).toEqual({ label: 'WeChat app', labels: 'WeChat apps' })
  expect(within('Ele.me order')).toEqual({ label: 'Ele.me order', labels: 'Ele.me orders' })
  expect(sentenceLabelParams({ ...label('Meituan listing'), isName: true }, 'en').labels).toBe('Meituan listings')
  expect(within('AI run')).toEqual({ label: 'AI run', labels: 'AI runs' })
  expect(sentenceLabelParams(label('Order'), 'zh')).toEqual({ label: '订单', labels: '订单' })
})

test('a unit follows its value, and one without a plural stays', () => {
  const days = { zh: '天', en: 'day|days' }
  expect([1, '1', 0, 2, '1.5'].map((value) => pluralizeUnit(days, 'en', value))).toEqual([
    'day',
    'day',
    'days',
    'days',
    'days',
  ])
  expect(pluralizeUnit(days, 'zh', 3)).toBe('天')
  expect(pluralizeUnit({ zh: '秒', en: 's' }, 'en', 3)).toBe('s')
})

test('a count chooses its word, and a hole nobody fills stays visible', () => {
  expect(interpolate('{count} {count|row|rows}', { count: 1 })).toBe('1 row')
  expect(interpolate('{count} {count|row|rows}', { count: 0 })).toBe('0 rows')
  expect(interpolate('{name} missing')).toBe('{name} missing')
})
