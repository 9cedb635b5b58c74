// Compile-time tests: each line marked with @ts-expect-error is a wrong use that must not compile.
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { useRowDetail } from '../row/use-detail.ts'
import { createTenantPage } from './for-tenant.tsx'
import { useResourceList } from '../list/use-list.ts'
import { createResourcePage } from './page.tsx'
import { ResourcePage } from './resource-page.tsx'
import type { ModulePages } from '../base/module-pages.ts'

const label = { zh: '名称', en: 'Name' }
const thing = defineResource({
  name: 'thing',
  path: '/api/t/thing',
  label,
  tenancy: 'tenant',
  fields: { name: f.text({ label }), price: f.money({ label }), shopId: f.ref('basicShopInfo', { label }) },
  list: { columns: ['name'] },
  actions: { sell: { on: 'row', label, input: { count: f.number({ label }) } } },
})
const Cell = ({ value }: CellProps) => <b>{String(value)}</b>
const Input = ({ id }: InputProps) => <input id={id} />

export const right = createResourcePage(thing, {
  cells: { name: Cell, createTime: Cell },
  inputs: { price: Input, count: Input },
})

// @ts-expect-error a cell of a field that does not exist
createResourcePage(thing, { cells: { name: Cell, prcie: Cell } })

// @ts-expect-error an input of a field and an argument that do not exist
createResourcePage(thing, { inputs: { price: Input, cuont: Input } })

// @ts-expect-error a part pages do not have
createResourcePage(thing, { intor: label })

const cells = { name: Cell, prcie: Cell }
// @ts-expect-error cells that were written before, one of a field that does not exist
createResourcePage(thing, { cells })

// @ts-expect-error a cell of a field that does not exist, on a page of tenants' rows
createTenantPage(thing, { cells: { prcie: Cell } })

// @ts-expect-error a cell of a field that does not exist, inside another page
export const inside = <ResourcePage resource={thing} page={{ cells: { prcie: Cell } }} />

// @ts-expect-error a kind of page modules do not have
export const pages = { rowPage: { thing: '/t/:id' } } satisfies ModulePages

/** Reads rows by their wire keys: an amount is text, the label of a reference has its own key. */
export const read = createResourcePage(thing, {
  cells: { name: ({ row }) => <b>{row.price}</b> },
  rowActions: (row) => [{ key: row.name, label, run: () => {} }],
  formLayout: [{ fields: ['name'], when: (values) => values.price !== '' }],
  columns: [{ key: 'own', label, width: 80, before: 'price', cell: (row) => row.shopName }],
  totals: (rows) => ({ price: rows.length }),
})

// @ts-expect-error a cell that reads a key the row does not have
createResourcePage(thing, { cells: { name: ({ row }) => <b>{row.prcie}</b> } })

// @ts-expect-error what is done with a row reads a key it does not have
createResourcePage(thing, { rowActions: (row) => [{ key: row.nmae, label, run: () => {} }] })

// @ts-expect-error a layout with a field the form does not have
createResourcePage(thing, { formLayout: [{ fields: ['nmae'] }] })

// @ts-expect-error a layout that looks at a field the form does not have
createResourcePage(thing, { formLayout: [{ fields: ['name'], when: (values) => values.prcie === '1' }] })

// @ts-expect-error a column before one that does not exist
createResourcePage(thing, { columns: [{ key: 'own', label, width: 80, before: 'prcie', cell: () => '' }] })

// @ts-expect-error a total under a column that does not exist
createResourcePage(thing, { totals: () => ({ prcie: 1 }) })

export function ReadDetail() {
  const { data } = useRowDetail(thing, '1')
  const { rows } = useResourceList(thing)
  // @ts-expect-error the words of a reference stand under its own key
  return <b>{[data?.shopName, rows[0]?.price, data?.shopIdName]}</b>
}
