// Checked by the type checker alone: each line below is a wrong use that must not compile.
import { defineResource, f, textSchema } from '../../resource/index.ts'
import type { Db } from '../database/db.ts'
import { defineRefusals, Refused } from '../base/refused.ts'
import { defineModule, invalidFieldRefusal, defineTodo, defineRoute, serve } from './module.ts'

const label = { zh: '名称', en: 'Name' }
const plain = defineResource({
  name: 'plain',
  path: '/api/t/plain',
  label,
  tenancy: 'tenant',
  fields: { name: f.text({ label }), price: f.money({ label }) },
  list: { columns: ['name'] },
})
const acting = defineResource({
  name: 'acting',
  path: '/api/t/acting',
  label,
  tenancy: 'tenant',
  fields: { name: f.text({ label }) },
  list: { columns: ['name'] },
  actions: {
    sell: { on: 'row', label, input: { count: f.number({ label }) }, answer: textSchema },
    sync: { on: 'toolbar', label },
  },
})
const sync = async () => undefined

export const right = [
  serve(plain),
  serve(acting, { actions: { sell: async (row, { count }) => `${row.name}${count}`, sync } }),
]

// @ts-expect-error an action that answers another shape than it declares
serve(acting, { actions: { sell: async (_row, { count }) => count, sync } })

// @ts-expect-error an action that answers what it does not declare
serve(acting, { actions: { sell: async () => 'sold', sync: async () => ({ count: 1 }) } })

// @ts-expect-error a declared action without handler
serve(acting, { actions: { sync } })

// @ts-expect-error declared actions without any hooks
serve(acting)

// @ts-expect-error a handler for an action nobody declared
serve(acting, { actions: { sell: async () => undefined, sync, refund: async () => undefined } })

// @ts-expect-error handlers for a resource without actions
serve(plain, { actions: { sell: async () => undefined } })

serve(acting, {
  actions: {
    // @ts-expect-error an input the action does not have
    sell: async (_row, { amount }) => amount,
    sync,
  },
})

serve(plain, {
  beforeSave: (draft) => {
    // @ts-expect-error a field the resource does not have
    draft.title = 'x'
    // @ts-expect-error money is cents, a number, inside the server
    draft.price = '12.50'
  },
})

// @ts-expect-error a hook nobody calls
serve(plain, { beforeStore: () => {} })

// @ts-expect-error a route that does not say who may call it
defineRoute({ method: 'GET', path: '/api/t/x', title: label, handle: async () => 1 })

// @ts-expect-error an access rule without a reason
defineRoute({ method: 'GET', path: '/api/t/x', title: label, can: { open: true }, handle: async () => 1 })

// @ts-expect-error a route without words for the log
defineRoute({ method: 'GET', path: '/api/t/x', can: 'plain', handle: async () => 1 })

defineRoute({
  method: 'GET',
  path: '/api/t/x',
  title: label,
  can: 'plain',
  input: { key: f.text({ label }) },
  // @ts-expect-error an argument the route does not declare
  handle: async ({ input }) => input.size,
})

defineRoute({
  method: 'GET',
  path: '/api/t/x',
  title: label,
  can: 'plain',
  // @ts-expect-error an option routes do not have
  handel: async () => 1,
  handle: async () => 1,
})

// @ts-expect-error a refusal code without texts
export const refused = new Refused('not_fuond')

// @ts-expect-error a refusal in one language
defineRefusals({ test_only: { zh: '不可以' } })

// @ts-expect-error a refusal with more than a refusal says
defineRefusals({ test_only: { zh: '不可以', en: 'No', code: 403 } })

// @ts-expect-error a field the resource does not have
invalidFieldRefusal(plain, 'nmae', 'required')

// @ts-expect-error a field problem without texts
invalidFieldRefusal(plain, 'name', 'not_fuond')

// @ts-expect-error a row found by a field it does not have
serve(plain, { key: 'nmae' })

// @ts-expect-error a detail asked by a field the row does not have
serve(plain, { detailBy: 'nmae' })

// @ts-expect-error a standard call there is not
serve(plain, { without: ['delete'] })

// @ts-expect-error a module without words
defineModule({ name: 'module' })

const need = { key: 'cheap', label, icon: 'tag', tone: 'warn', query: () => ({ price_le: '1.00', name: 'x' }) } as const
export const rightNeed = defineTodo(plain, {
  ...need,
  order: { ascs: 'price' },
  line: { title: 'name', notes: ['price'] },
})

// @ts-expect-error a todo that filters by a field the resource does not have
defineTodo(plain, { ...need, query: () => ({ name: 'x', prcie: '1' }) })

// @ts-expect-error a need that asks by a suffix there is not
defineTodo(plain, { ...need, query: () => ({ name: 'x', price_less: '1' }) })

// @ts-expect-error a todo titled by a field the resource does not have
defineTodo(plain, { ...need, line: { title: 'nmae' } })

// @ts-expect-error a todo with a note the resource does not have
defineTodo(plain, { ...need, line: { title: 'name', notes: ['priec'] } })

// @ts-expect-error a todo with a time the resource does not have
defineTodo(plain, { ...need, line: { title: 'name', time: 'creatTime' } })

// @ts-expect-error a todo ordered by a field the resource does not have
defineTodo(plain, { ...need, order: { ascs: 'prcie' } })

// @ts-expect-error a todo that sums a field the resource does not have
defineTodo(plain, { ...need, amount: 'prcie' })

// @ts-expect-error an option needs do not have
defineTodo(plain, { ...need, colour: 'red' })

// @ts-expect-error an option modules do not have
defineModule({ name: 'module', label, resource: [] })

const shortcut = { key: 'a', label, icon: 'a', path: '/a', can: 'a', sort: 1 }
// @ts-expect-error an option shortcuts do not have
defineModule({ name: 'module', label, shortcuts: [{ ...shortcut, colour: 'red' }] })

// @ts-expect-error an option menus do not have
defineModule({ name: 'module', label, menus: [{ code: 'a', label, path: '/a', icon: 'a', sort: 1, undr: 'b' }] })

export async function wrongUseOfRows(db: Db): Promise<void> {
  // @ts-expect-error a column the resource does not have
  await db.insert(plain, { title: 'x' })
  // @ts-expect-error a tenant is never written by hand
  await db.update(plain, '1', { tenantId: '000000' })
  // @ts-expect-error crossing tenants needs a reason
  await db.acrossTenants(async (all) => all.tenantId)
  // @ts-expect-error a statement is made by the sql tag, never text
  await db.query('select 1')
}
