import { describe, expect, test } from 'vitest'
import { defineResource } from './define-resource.ts'
import { f } from './f.ts'
import { rowLayoutOf } from './row-layout.ts'
import { rowTextOf, rowWarnings, tailOf } from './row-text.ts'

const label = (zh: string, en = zh) => ({ label: { zh, en } })

const parcel = defineResource({
  name: 'parcel',
  path: '/api/test/parcel',
  ...label('包裹', 'Parcel'),
  tenancy: 'tenant',
  scope: { depot: 'depotId' },
  title: 'parcelNo',
  fields: {
    parcelNo: f.text({ ...label('单号', 'Number'), search: 'part' }),
    depotId: f.ref('depot', label('仓库', 'Depot')),
    senderId: f.ref('person', { ...label('寄件人', 'Sender'), emptyLabel: { zh: '匿名', en: 'Anonymous' } }),
    price: f.money(label('运费', 'Price')),
    weight: f.number({ ...label('件数', 'Pieces'), unit: { zh: '件', en: 'piece|pieces' } }),
    isFragile: f.boolean(label('易碎', 'Fragile')),
    phone: f.phone(label('电话', 'Phone')),
    sentTime: f.datetime(label('寄出时间', 'Sent')),
  },
  list: { columns: ['parcelNo', 'depotId', 'senderId', 'price', 'phone', 'sentTime'], sort: '-sentTime' },
})

const row = {
  id: '385363791632970002',
  parcelNo: 'P2026112900155489',
  depotId: '7',
  depotName: '城西仓',
  senderId: '9',
  senderName: '林晓',
  price: '1234.5',
  phone: '138****0001',
  sentTime: '2026-11-29 08:30:00',
}

describe('a row', () => {
  test('is titled by whom it names when its own title is a number, whose end stands in the second line', () => {
    const text = rowTextOf(parcel, row, 'zh')
    expect(text.title).toBe('林晓')
    expect(text.sub).toEqual(['城西仓', '138****0001'])
    expect(text.number).toBe('…155489')
    expect(text.amount).toBe('¥1,234.50')
    expect(rowLayoutOf(parcel)).toMatchObject({ time: 'sentTime', group: 'day' })
  })

  test('says what an empty title means, never an id of eighteen digits whole, and leaves out what is empty', () => {
    const text = rowTextOf(parcel, { ...row, senderId: '', senderName: '', price: -1, phone: '' }, 'en')
    expect(text).toMatchObject({ title: 'Anonymous', sub: ['城西仓'], amount: '' })
    expect(rowTextOf(parcel, { id: row.id }, 'en').title).toBe('Anonymous')
    expect(tailOf(row.id)).toBe('…970002')
    expect(tailOf('1234')).toBe('1234')
  })

  test('says nothing twice', () => {
    const text = rowTextOf(parcel, { ...row, depotName: '林晓' }, 'zh')
    expect(text.sub).toEqual(['138****0001'])
  })

  test('shortens a reference whose word is a long number', () => {
    const text = rowTextOf(parcel, { ...row, depotName: 'SO385396778283167752' }, 'zh')
    expect(text.sub).toEqual(['…167752', '138****0001'])
  })

  test('shows signs and changes of amounts, and yes as the label of the field', () => {
    const layout = rowLayoutOf(parcel)
    const signed = { ...layout, amount: { key: 'weight', isSigned: true as const }, sub: ['isFragile'] }
    expect(rowTextOf(parcel, { ...row, weight: 3, isFragile: true }, 'en', signed)).toMatchObject({
      amount: '+3 pieces',
      sub: ['Fragile'],
    })
    expect(rowTextOf(parcel, { ...row, weight: -1, isFragile: false }, 'zh', signed)).toMatchObject({
      amount: '-1件',
      sub: [],
    })
    const changed = { ...layout, amount: { from: 'price', key: 'newPrice' } }
    expect(rowTextOf(parcel, row, 'zh', changed).amount).toBe('')
  })

  test('warns of what its layout names, and not of an empty value', () => {
    const layout = { ...rowLayoutOf(parcel), warn: { weight: { le: 0 }, isFragile: { eq: 'true' } } }
    expect([...rowWarnings(layout, { weight: 0, isFragile: true })]).toEqual(['weight', 'isFragile'])
    expect([...rowWarnings(layout, { weight: '', isFragile: false })]).toEqual([])
    expect([...rowWarnings(layout, { weight: 1 })]).toEqual([])
  })
})
