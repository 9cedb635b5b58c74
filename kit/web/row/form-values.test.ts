import { describe, expect, it } from 'vitest'
import { f } from '#kit/resource/index.ts'
import {
  changedFormFieldKeys,
  findEditConflicts,
  presetFromSingleLimits,
  buildFormPayload,
  withFieldsRequiredByLimits,
  initialFormValues,
  toFormValue,
} from './form-values.ts'
import { isBlankWireValue } from '#kit/fields/kinds.ts'

const label = { zh: '名', en: 'Name' }
const fields = {
  name: f.text({ label, required: true }),
  price: f.money({ label }),
  count: f.number({ label, min: 0 }),
  phone: f.phone({ label, mask: 'phone' }),
  tags: f.tags({ label }),
  open: f.boolean({ label }),
  settings: f.json({ label }),
  secret: f.password({ label }),
  parentId: f.tree('x', { label }),
  code: f.text({ label, form: 'add' }),
  total: f.money({ label, form: 'read' }),
  owner: f.ref('user', { label, form: 'hidden' }),
  status: f.dict('status', { label, default: '1' }),
}
const row = {
  id: '5',
  name: '茶',
  price: '12.50',
  count: -1,
  phone: '138****5678',
  tags: 'a,b',
  open: true,
  settings: { a: 1 },
  secret: '',
  parentId: '0',
  code: 'C1',
  total: '3.00',
  status: '2',
}
const before = initialFormValues(fields, row)

describe('a form', () => {
  it('reads -1 and its like as empty where the kind says so', () => {
    expect(isBlankWireValue(-1, fields.count)).toBe(true)
    expect(isBlankWireValue(-1, f.number({ label }))).toBe(false)
    expect(isBlankWireValue(-1, f.number({ label, decimals: 6, min: -180 }))).toBe(true)
    expect(isBlankWireValue('-1.000000', f.number({ label, decimals: 6, min: -180 }))).toBe(false)
    expect(isBlankWireValue('0', fields.parentId)).toBe(true)
    expect(isBlankWireValue({}, fields.settings)).toBe(true)
    expect(toFormValue(-1, fields.price)).toBe('')
    expect(before.settings).toBe('{\n  "a": 1\n}')
  })

  it('asks who is limited to some rows which of them, and begins with the one that is alone', () => {
    const shopId = f.ref('shop', { label, requiredOf: 'shop' })
    const shopIds = f.refs('shop', { label, requiredOf: 'shop' })
    const readOnly = f.ref('shop', { label, requiredOf: 'shop', form: 'read' })
    const formFields = { name: fields.name, shopId, shopIds, settled: readOnly }
    const areRequired = (limits: Parameters<typeof withFieldsRequiredByLimits>[1]) =>
      Object.values(withFieldsRequiredByLimits(formFields, limits)).map((field) => !!field.required)
    expect(areRequired({})).toEqual([true, false, false, false])
    expect(areRequired({ dept: {} })).toEqual([true, false, false, false])
    expect(areRequired({ shop: {} })).toEqual([true, true, true, true])
    expect(presetFromSingleLimits(formFields, { shop: {} })).toEqual({})
    expect(presetFromSingleLimits(formFields, { shop: { only: '7' } })).toEqual({ shopId: '7', shopIds: '7' })
  })

  it('starts a new row with its defaults', () => {
    expect(initialFormValues(fields, undefined)).toMatchObject({ name: '', status: '1', open: false })
  })

  it('sees no change where only the writing differs', () => {
    expect(
      changedFormFieldKeys(fields, before, { ...before, price: '12.5', settings: '{"a":1}', tags: 'a, b' }),
    ).toEqual([])
  })

  it('sends only what changed, so that a masked number never travels back', () => {
    expect(buildFormPayload(fields, 'edit', before, { ...before, price: '13', tags: '' })).toEqual({
      price: '13',
      tags: '',
    })
  })

  it('sends JSON as JSON', () => {
    expect(buildFormPayload(fields, 'edit', before, { ...before, settings: '{"b":2}' })).toEqual({ settings: { b: 2 } })
  })

  it('sends every writable field of a new row, and no fixed or hidden one', () => {
    const sent = buildFormPayload(fields, 'add', initialFormValues(fields, undefined), {
      ...initialFormValues(fields, undefined),
      name: '新',
    })
    expect(sent).toMatchObject({ name: '新', status: '1', code: '' })
    expect(sent).not.toHaveProperty('total')
    expect(sent).not.toHaveProperty('owner')
  })

  it('finds the fields that two people changed differently', () => {
    const mine = { ...before, name: '红茶', price: '15', count: '3' }
    const theirs = { ...row, name: '绿茶', price: '15.00', phone: '139****0000' }
    expect(findEditConflicts(fields, before, mine, theirs).map(({ key }) => key)).toEqual(['name'])
  })
})
