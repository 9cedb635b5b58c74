import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { buildOpenApiDocument } from '#kit/server/mount/open-api.ts'
import { productModules } from './modules.ts'

const root = join(import.meta.dirname, '../../..')

/** Operations of the documentation that do not say what they answer. May only fall. */
const OPERATIONS_WITHOUT_SHAPE = 401

/** Calls of the browser whose answer's type is asserted instead of declared, by folder. May only fall. */
const ASSERTED_ANSWERS: Record<string, number> = {
  'apps/web': 14,
  'domains/catalogue/inventory': 5,
  'domains/catalogue/products': 2,
  'domains/catalogue/purchasing': 3,
  'domains/devices/device-maintenance': 7,
  'domains/devices/device-messaging': 3,
  'domains/devices/door-access': 1,
  'domains/devices/energy': 2,
  'domains/devices/video': 2,
  'domains/insight/ai': 3,
  'domains/insight/reports': 6,
  'domains/insight/statistics': 3,
  'domains/money/checkout': 1,
  'domains/money/merchant-accounts': 3,
  'domains/money/reconciliation': 1,
  'domains/platform/access': 7,
  'domains/platform/code-generator': 7,
  'domains/platform/documents': 3,
  'domains/platform/identity': 4,
  'domains/platform/system': 8,
  'domains/platform/workflow': 11,
  'domains/sales/customers': 2,
  'domains/sales/delivery-platforms': 3,
  'domains/sales/ele': 1,
  'domains/sales/marketing': 2,
  'domains/sales/meituan': 1,
  'domains/sales/orders': 4,
  'domains/sales/point-of-sale': 1,
  'domains/shops/incidents': 4,
  'domains/shops/shop-events': 1,
  'domains/shops/shops': 4,
  'domains/shops/visits': 1,
  'kit/fields': 1,
  'kit/web': 39,
}

/** Calls with an asserted answer: `apiGet<Row[]>(…)`. */
const ASSERTION = /\bapi(?:Get|Post|Upload)<(?!T>|T = )/g

test('operations of the API documentation say what they answer, and those that do not become no more', () => {
  const registry = createModuleRegistry(productModules)
  const routes = [...registry.routes, ...kitRoutes]
  const { paths } = buildOpenApiDocument(registry, routes, '1') as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
    >
  }
  type Schema = { properties?: { success?: object; data?: object } }
  const isSilent = ({ responses }: (typeof paths)[string][string]) => {
    const { content } = Object.values(responses)[0]!
    if (!content) return false
    const { schema } = Object.values(content)[0]!
    return Object.keys((schema.properties?.success ? schema.properties.data : schema) ?? {}).length === 0
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  expect(operations.filter(isSilent).length).toBe(OPERATIONS_WITHOUT_SHAPE)
})

test('the browser asserts no type of an answer, but for the calls counted here', () => {
  const found: Record<string, number> = {}
  for (const file of globSync('{apps/web,kit,domains}/**/*.{ts,tsx}', { cwd: root }).sort()) {
    if (/node_modules|\/dist\/|\.test\.|\.test-d\./.test(file)) continue
    const count = [...readFileSync(join(root, file), 'utf8').matchAll(ASSERTION)].length
    const folder = file
      .split('/')
      .slice(0, file.startsWith('domains/') ? 3 : 2)
      .join('/')
    if (count) found[folder] = (found[folder] ?? 0) + count
  }
  expect(found).toEqual(ASSERTED_ANSWERS)
})
