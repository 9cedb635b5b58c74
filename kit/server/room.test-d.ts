// Checked by the type checker alone: each line below is a wrong use that must not compile.
import { defineResource, f } from '../resource/index.ts'
import type { Db } from './db.ts'
import { defineRoom, route, serve } from './room.ts'

const label = { zh: '名称', en: 'Name' }
const plain = defineResource({ name: 'plain', path: '/api/t/plain', label, tenancy: 'tenant', fields: { name: f.text({ label }), price: f.money({ label }) }, list: { columns: ['name'] } })
const acting = defineResource({
  name: 'acting', path: '/api/t/acting', label, tenancy: 'tenant', fields: { name: f.text({ label }) }, list: { columns: ['name'] },
  actions: { sell: { on: 'row', label, input: { count: f.number({ label }) } }, sync: { on: 'toolbar', label } },
})
const sync = async () => undefined

export const right = [serve(plain), serve(acting, { actions: { sell: async (row, { count }) => `${row.name}${count}`, sync } })]

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
route({ method: 'GET', path: '/api/t/x', title: label, handle: async () => 1 })

// @ts-expect-error a door without a reason
route({ method: 'GET', path: '/api/t/x', title: label, can: { open: true }, handle: async () => 1 })

// @ts-expect-error a route without words for the log
route({ method: 'GET', path: '/api/t/x', can: 'plain', handle: async () => 1 })

route({
  method: 'GET', path: '/api/t/x', title: label, can: 'plain', input: { key: f.text({ label }) },
  // @ts-expect-error an argument the route does not declare
  handle: async ({ input }) => input.size,
})

// @ts-expect-error a room without words
defineRoom({ name: 'room' })

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
