// Checked by the type checker alone: each line below is a wrong use that must not compile.
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { tenantPage } from './for-tenant.tsx'
import { page } from './page.tsx'
import { ResourcePage } from './resource-page.tsx'
import type { RoomPages } from './rooms.ts'

const label = { zh: '名称', en: 'Name' }
const thing = defineResource({
  name: 'thing',
  path: '/api/t/thing',
  label,
  tenancy: 'tenant',
  fields: { name: f.text({ label }), price: f.money({ label }) },
  list: { columns: ['name'] },
  actions: { sell: { on: 'row', label, input: { count: f.number({ label }) } } },
})
const Cell = ({ value }: CellProps) => <b>{String(value)}</b>
const Input = ({ id }: InputProps) => <input id={id} />

export const right = page(thing, { cells: { name: Cell, createTime: Cell }, inputs: { price: Input, count: Input } })

// @ts-expect-error a cell of a field that does not exist
page(thing, { cells: { name: Cell, prcie: Cell } })

// @ts-expect-error an input of a field and an argument that do not exist
page(thing, { inputs: { price: Input, cuont: Input } })

// @ts-expect-error a part pages do not have
page(thing, { intor: label })

const cells = { name: Cell, prcie: Cell }
// @ts-expect-error cells that were written before, one of a field that does not exist
page(thing, { cells })

// @ts-expect-error a cell of a field that does not exist, on a page of tenants' rows
tenantPage(thing, { cells: { prcie: Cell } })

// @ts-expect-error a cell of a field that does not exist, inside another page
export const inside = <ResourcePage resource={thing} page={{ cells: { prcie: Cell } }} />

// @ts-expect-error a kind of page rooms do not have
export const pages = { rowPage: { thing: '/t/:id' } } satisfies RoomPages
