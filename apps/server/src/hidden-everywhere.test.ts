import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askWithin, attemptsOn, seedMarkedRows, type Attempt } from '#tests/support/attack.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { toSqlName, type Resource } from '#kit/resource/define-resource.ts'
import { hasTenantColumn, isSecretField } from '#kit/server/database/row-sql.ts'
import type { DataScope } from '#kit/server/base/caller.ts'
import { testProduct, type Product } from './test-product.ts'

/**
 * What a data scope hides of a resource must be hidden wherever its rows are read: in lists that refer to them, in
 * other modules' results, in choices and histories. Every text and amount of every row is set to a mark that names its
 * field; then a caller without the right to see them calls every route.
 */

vi.setConfig({ testTimeout: 240_000 })

let product: Product
beforeAll(async () => {
  product = await testProduct()
}, 240_000)
afterAll(() => product?.close())

/** Returns the text and amount fields that can hold a mark. */
const marked = ({ fields }: Resource<any, any>) =>
  Object.entries<Field>(fields).filter(([, field]) => {
    const kind = fieldKindOf(field)
    return (
      !field.computed && !field.secret && !isSecretField(field) && (kind.currency || (kind.isFree && kind.sortable))
    )
  })

/** Writes a mark into every such field of the tenant's rows. Returns the fields that accepted one. */
async function mark(resources: readonly Resource<any, any>[], tenantId: string): Promise<Map<string, string>> {
  const { systemPool } = product.server.services
  const marks = new Map<string, string>()
  let count = 0
  for (const resource of resources)
    for (const [key, field] of marked(resource)) {
      count++
      const { currency } = fieldKindOf(field)
      const cents = 80_000_000 + count * 101
      const text = currency ? (cents / 100).toFixed(2) : `ZQ${count}ZQ`
      const value = currency ? String(cents) : `'${text}' || right(id::text, 3)`
      // Fields that refuse the mark (by pattern, length, or as an append-only log) are left out.
      const isStored = await systemPool
        .query(`update "${resource.table}" set "${toSqlName(key)}" = ${value} where tenant_id = $1`, [tenantId])
        .then(
          () => true,
          () => false,
        )
      if (isStored) marks.set(text, `${resource.name}.${key}`)
    }
  return marks
}

/** Marks that may be shown nevertheless, with the reason; of amounts only those of the row itself. */
const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/blade-(user|system\/user)\/info /, "one's own card"],
  [/^\/api\/blade-(user|system\/user)\/\S+ tenant\.tenantName$/, 'the tenant one works in'],
  [/^\/api\/blade-system\/tenant\/(select|find-by-name) /, 'the tenant one works in'],
  [/^\/api\/kit\/views\/\w+ role\.roleName$/, 'roles one holds, to share a view with'],
  [/^\/api\/blade-system\/(role|dept)\/select /, 'what one holds, to choose from while signing in'],
  [/^\/api\/blade-system\/menu\/(held|top-menu) /, 'the menu one holds'],
  [/^\/api\/blade-desk\/notice\/mine/, 'notices are for everybody of the tenant'],
  [/^\/api\/shop\/noticeSubscribe\/mine /, "one's own hours"],
  [/^\/api\/blade-develop\//, 'a table is designed with all of its columns'],
  [/^\/api\/blade-flow\/work\//, 'what one started or is asked to sign'],
  [/^\/api\/blade-flow\/manager\/(list|detail) flowProcess\.key$/, 'stands in the number of its version as well'],
  [/^\/api\/pay\/payAccount\/(list|detail) payAccount\.notifyBase$/, 'stands in the address the platform is told'],
  [/^\/api\/gb28181\/devices /, 'channels as their platform knows them'],
  [/^\/api\/shop\/basicShopInfo\/cmdResult /, 'the session one works in'],
  [/^\/api\/shop\/deviceCommand\/\w+ device(Command\.\w+|Link\.name)$/, 'what becomes of a command one gave'],
  [/^\/api\/shop\/priceTag\/list2 priceTag\./, 'tags of the goods that are listed'],
  [/^\/api\/shop\/rollout\/board deviceLink\.firmware$/, 'what is counted there is versions'],
  [/^\/api\/merchant\/bill\/bridge billDetail\./, 'what a bill one sees adds up to'],
  [/^\/api\/shop\/(home\/today|guardShift\/handover) basicShopInfo\.shop(Name|Code)$/, 'the shops one works in'],
  [/^\/api\/shop\/discountConf\/goods goodInfo\.upc$/, 'a campaign names goods by their barcode'],
  [/^\/api\/shop\/goodType\/tree goodType\.name$/, 'a tree of names'],
  [
    /^\/api\/thirdparty\/parity\/(list|shops) \w+\.(name|shopName|upc|syncError|pausedWhy|reason)$/,
    'what stands there',
  ],
  [/^\/api\/thirdparty\/stock\/figure goodInfo\.unit$/, 'a figure is read with its unit'],
]

test('what is hidden of a resource is said by no list of another', async () => {
  const { world, samples, tenants, cast } = product
  const { tenantId } = tenants[0]!
  const own = await seedMarkedRows(world, samples, tenantId)
  const resources = [...world.registry.served.values()].map(({ resource }) => resource).filter(hasTenantColumn)
  const marks = await mark(resources, tenantId)
  expect(marks.size).toBeGreaterThan(500)
  const hidden = resources.map((resource): DataScope => {
    const keys = new Set(marked(resource).map(([key]) => key))
    const shown = ['id', ...Object.keys(resource.fields).filter((key) => !keys.has(key))]
    return { resourceCode: resource.name, type: 1, column: null, value: null, fields: shown.join() }
  })

  const reader = (dataScopes: DataScope[]) =>
    world.be({ ...cast.owner.caller, isAdmin: false, roleAliases: ['x'], dataScopes })
  const [whole, narrow] = [reader([]), reader(hidden)]

  const marksIn = async (who: typeof whole, attempt: Attempt): Promise<string[]> => {
    const answer = await askWithin(world, who, attempt)
    if (answer?.status !== 200) return []
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    const found = text.match(/ZQ\d+ZQ|\b8\d{5}\.\d\d\b/g) ?? []
    return [...new Set(found.flatMap((one) => marks.get(one) ?? []))].toSorted()
  }

  // Only calls whose answer shows marks to a full reader are repeated, and each answer once.
  const saying = new Map<string, Attempt>()
  const open = new Set<string>()
  for (const route of world.routes) {
    if (route.method !== 'GET' || route.path === '/api/live') continue
    const ofResources = resources.map(({ name }): Attempt => {
      const query = { id: own.ids.get(name), size: 50 }
      return { method: 'GET', path: route.path.replace(':resource', name), query }
    })
    const attempts = route.path.includes(':resource')
      ? ofResources
      : await attemptsOn(world, samples, route, own, tenantId)
    for (const attempt of attempts) {
      const found = await marksIn(whole, attempt)
      for (const one of found) open.add(`${attempt.path} ${one}`)
      if (found.length) saying.set(`${attempt.path} ${found.join()}`, attempt)
    }
  }

  expect(open.size).toBeGreaterThan(1500)
  const shown = new Set<string>()
  for (const attempt of saying.values())
    for (const one of await marksIn(narrow, attempt)) shown.add(`${attempt.path} ${one}`)
  expect([...shown].filter((one) => !EXPECTED.some(([place]) => place.test(one))).toSorted()).toEqual([])

  // An exception that no longer applies must be removed.
  expect(EXPECTED.filter(([place]) => ![...shown].some((one) => place.test(one))).map(String)).toEqual([])
})
