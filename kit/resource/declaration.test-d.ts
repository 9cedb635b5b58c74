// Checked by the type checker alone: each line below is a wrong use that must not compile.
import { defineDict, defineResource, f, type Words } from './index.ts'

const label: Words = { zh: '名称', en: 'Name' }
const fields = { name: f.text({ label }), count: f.number({ label }) }
const base = { name: 'thing', path: '/api/t/thing', label, tenancy: 'tenant', fields, list: { columns: ['name'] } } as const

export const right = defineResource({ ...base, actions: { sell: { on: 'row', label, enabled: { count: { in: [1] } } } }, scope: { shop: 'name' } })

// @ts-expect-error a list column that is no field
defineResource({ ...base, list: { columns: ['nmae'] } })

// @ts-expect-error a resource without tenancy
defineResource({ name: 'thing', path: '/api/t/thing', label, fields, list: { columns: ['name'] } })

// @ts-expect-error a tenancy nobody knows
defineResource({ ...base, tenancy: 'everyone' })

// @ts-expect-error a condition on a field that does not exist
defineResource({ ...base, actions: { sell: { on: 'row', label, enabled: { stock: { in: [1] } } } } })

// @ts-expect-error a data scope on a field that does not exist
defineResource({ ...base, scope: { shop: 'shopId' } })

// @ts-expect-error a title that is no field
defineResource({ ...base, title: 'heading' })

// @ts-expect-error a unique set with a field that does not exist
defineResource({ ...base, unique: [['name', 'code']] })

// @ts-expect-error an index over a field that does not exist
defineResource({ ...base, indexes: [['colour']] })

// @ts-expect-error a label in one language
defineResource({ ...base, label: { zh: '物品' } })

// @ts-expect-error a field without label
f.text({ max: 3 })

// @ts-expect-error a field whose label lacks a language
f.number({ label: { en: 'Count' } })

// @ts-expect-error an option that kind does not have
f.money({ label, decimals: '2', min: 'none' })

// @ts-expect-error an operator nobody knows
f.text({ label, search: 'sounds' })

// @ts-expect-error an action that says not what it works on
defineResource({ ...base, actions: { sell: { label } } })

// @ts-expect-error an action without words
defineResource({ ...base, actions: { sell: { on: 'row' } } })

// @ts-expect-error an entry of a dictionary in one language
defineDict({ code: 'kind', label, entries: [{ key: '1', zh: '一' }] })
