import { describe, expect, it } from 'vitest'
import { baseFields, f } from '#kit/resource/index.ts'
import {
  filterChipsOf,
  timeFieldOfList,
  findQuickRange,
  quickRangeBounds,
  rangeFilterKeys,
  parseFilterKey,
  searchBarFields,
  searchBoxFilterKeys,
} from './filters.ts'

const label = { zh: '名', en: 'Name' }
const fields = {
  name: f.text({ label, search: 'like' }),
  code: f.text({ label, search: 'eq' }),
  status: f.dict('status', { label, search: 'eq' }),
  shopId: f.ref('shop', { label, search: 'eq' }),
  price: f.money({ label, search: 'range' }),
  day: f.date({ label, search: 'range' }),
  paidTime: f.datetime({ label, search: 'range' }),
  region: f.region({ label, search: 'likeright' }),
  note: f.longText({ label }),
  sum: f.money({ label, search: 'range', computed: true }),
}

describe('keys of the filters', () => {
  it('follow the suffixes of the wire contract', () => {
    expect(searchBoxFilterKeys('name', fields.name)).toEqual({ one: 'name_like' })
    expect(searchBoxFilterKeys('code', fields.code)).toEqual({ one: 'code_equal' })
    expect(searchBoxFilterKeys('status', fields.status)).toEqual({ one: 'status' })
    expect(searchBoxFilterKeys('shopId', fields.shopId)).toEqual({ one: 'shopId' })
    expect(searchBoxFilterKeys('price', fields.price)).toEqual({ from: 'price_ge', to: 'price_le' })
    expect(searchBoxFilterKeys('paidTime', fields.paidTime)).toEqual({ from: 'paidTime_dategt', to: 'paidTime_datelt' })
    expect(searchBoxFilterKeys('region', fields.region)).toEqual({ one: 'region_likeright' })
  })

  it('include both days of a range of days', () => {
    expect(searchBoxFilterKeys('day', fields.day)).toEqual({ from: 'day_datege', to: 'day_datele' })
  })

  it("of the time of a list are the buttons', which takes its box away", () => {
    const resource = { fields, list: { time: 'day', columns: ['day'] } } as never
    expect(searchBarFields(fields, timeFieldOfList(resource)).map(([key]) => key)).not.toContain('day')
    expect(rangeFilterKeys('createTime', baseFields.createTime)).toEqual({
      from: 'createTime_dategt',
      to: 'createTime_datelt',
    })
    expect(timeFieldOfList({ fields, list: { time: false } } as never)).toBeUndefined()
  })

  it('show only fields that ask for a search box and have a column', () => {
    expect(searchBarFields(fields).map(([key]) => key)).toEqual([
      'name',
      'code',
      'status',
      'shopId',
      'price',
      'day',
      'paidTime',
      'region',
    ])
  })

  it('are read back to their field, and nothing else is', () => {
    expect(parseFilterKey(fields, 'name_like')).toMatchObject({ key: 'name', suffix: 'like' })
    expect(parseFilterKey(fields, 'createTime_dategt')).toMatchObject({ key: 'createTime' })
    expect(parseFilterKey(fields, 'unknown_like')).toBeUndefined()
    expect(parseFilterKey(fields, 'size')).toBeUndefined()
  })
})

describe('chips', () => {
  it('make one of a range and name what each would drop', () => {
    const chips = filterChipsOf(fields, {
      name_like: '茶',
      price_ge: '1',
      price_le: '9',
      createTime_dategt: '2026-01-01',
      note_notlike: 'x',
    })
    expect(chips.map(({ key, keys }) => [key, keys])).toEqual([
      ['name', ['name_like']],
      ['price', ['price_ge', 'price_le']],
      ['createTime', ['createTime_dategt']],
      ['note', ['note_notlike']],
    ])
    expect(chips[1]).toMatchObject({ from: '1', to: '9' })
    expect(chips[3]).toMatchObject({ one: 'x', negative: true })
    expect(filterChipsOf(fields, { price_lt: '9' })).toMatchObject([{ to: '9', isStrict: true }])
    expect(chips[1]).not.toHaveProperty('isStrict')
  })

  it('say that a field is empty or filled, not the value that stands for it', () => {
    expect(filterChipsOf(fields, { paidTime_null: '1', name_notnull: '1' })).toEqual([
      { key: 'paidTime', field: fields.paidTime, keys: ['paidTime_null'], filled: false },
      { key: 'name', field: fields.name, keys: ['name_notnull'], filled: true },
    ])
  })

  it('leave out empty filters and keys that filter nothing', () => {
    expect(filterChipsOf(fields, { name_like: '', other: '1' })).toEqual([])
  })
})

describe('quick times', () => {
  const lateEvening = new Date('2026-03-01T16:30:00Z')

  it('are days of Shanghai, whatever the clock of the reader', () => {
    expect(quickRangeBounds('today', lateEvening)).toEqual({ from: '2026-03-02', to: '2026-03-02' })
    expect(quickRangeBounds('yesterday', lateEvening)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
    expect(quickRangeBounds('week', lateEvening)).toEqual({ from: '2026-02-24', to: '2026-03-02' })
  })

  it('are recognised again, and days chosen by hand are none of them', () => {
    expect(findQuickRange('2026-02-24', '2026-03-02', lateEvening)).toBe('week')
    expect(findQuickRange('', '', lateEvening)).toBe('all')
    expect(findQuickRange('2026-02-23', '2026-03-02', lateEvening)).toBeUndefined()
  })
})
