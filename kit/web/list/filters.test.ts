import { describe, expect, it } from 'vitest'
import { baseFields, f } from '#kit/resource/index.ts'
import { chipsOf, listTime, quickOf, quickRange, rangeKeys, readKey, searchFields, searchKeys } from './filters.ts'

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
    expect(searchKeys('name', fields.name)).toEqual({ one: 'name_like' })
    expect(searchKeys('code', fields.code)).toEqual({ one: 'code_equal' })
    expect(searchKeys('status', fields.status)).toEqual({ one: 'status' })
    expect(searchKeys('shopId', fields.shopId)).toEqual({ one: 'shopId' })
    expect(searchKeys('price', fields.price)).toEqual({ from: 'price_ge', to: 'price_le' })
    expect(searchKeys('paidTime', fields.paidTime)).toEqual({ from: 'paidTime_dategt', to: 'paidTime_datelt' })
    expect(searchKeys('region', fields.region)).toEqual({ one: 'region_likeright' })
  })

  it('include both days of a range of days', () => {
    expect(searchKeys('day', fields.day)).toEqual({ from: 'day_datege', to: 'day_datele' })
  })

  it("of the time of a list are the buttons', which takes its box away", () => {
    const resource = { fields, list: { time: 'day', columns: ['day'] } } as never
    expect(searchFields(fields, listTime(resource)).map(([key]) => key)).not.toContain('day')
    expect(rangeKeys('createTime', baseFields.createTime)).toEqual({
      from: 'createTime_dategt',
      to: 'createTime_datelt',
    })
    expect(listTime({ fields, list: { time: false } } as never)).toBeUndefined()
  })

  it('show only fields that ask for a search box and have a column', () => {
    expect(searchFields(fields).map(([key]) => key)).toEqual([
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
    expect(readKey(fields, 'name_like')).toMatchObject({ key: 'name', suffix: 'like' })
    expect(readKey(fields, 'createTime_dategt')).toMatchObject({ key: 'createTime' })
    expect(readKey(fields, 'unknown_like')).toBeUndefined()
    expect(readKey(fields, 'size')).toBeUndefined()
  })
})

describe('chips', () => {
  it('make one of a range and name what each would drop', () => {
    const chips = chipsOf(fields, {
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
    expect(chipsOf(fields, { price_lt: '9' })).toMatchObject([{ to: '9', isStrict: true }])
    expect(chips[1]).not.toHaveProperty('isStrict')
  })

  it('say that a field is empty or filled, not the value that stands for it', () => {
    expect(chipsOf(fields, { paidTime_null: '1', name_notnull: '1' })).toEqual([
      { key: 'paidTime', field: fields.paidTime, keys: ['paidTime_null'], filled: false },
      { key: 'name', field: fields.name, keys: ['name_notnull'], filled: true },
    ])
  })

  it('leave out empty filters and keys that filter nothing', () => {
    expect(chipsOf(fields, { name_like: '', other: '1' })).toEqual([])
  })
})

describe('quick times', () => {
  const lateEvening = new Date('2026-03-01T16:30:00Z')

  it('are days of Shanghai, whatever the clock of the reader', () => {
    expect(quickRange('today', lateEvening)).toEqual({ from: '2026-03-02', to: '2026-03-02' })
    expect(quickRange('yesterday', lateEvening)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
    expect(quickRange('week', lateEvening)).toEqual({ from: '2026-02-24', to: '2026-03-02' })
  })

  it('are recognised again, and days chosen by hand are none of them', () => {
    expect(quickOf('2026-02-24', '2026-03-02', lateEvening)).toBe('week')
    expect(quickOf('', '', lateEvening)).toBe('all')
    expect(quickOf('2026-02-23', '2026-03-02', lateEvening)).toBeUndefined()
  })
})
