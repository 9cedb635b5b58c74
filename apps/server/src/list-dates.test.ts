import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Resource } from '#kit/resource/index.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { baseFields } from '#kit/resource/define-resource.ts'
import type { ServedResource } from '#kit/server/module/module.ts'
import { testProduct, type Product } from './test-product.ts'

const SEED = Number(process.env.PROPERTY_SEED ?? fc.readConfigureGlobal().seed)
/** Date ranges tested per list. */
const QUESTIONS = 12
const DAY_MS = 86_400_000
const FIRST = Date.UTC(2026, 2, 1)
const SPAN = 9

const dayAt = (n: number): string => new Date(FIRST + n * DAY_MS).toISOString().slice(0, 10)
/** Times at both ends of a day, where off-by-one errors show. */
const TIMES = ['00:00:00.000', '00:00:00.001', '12:00:00.000', '23:59:59.000', '23:59:59.999']
/** The two forms of the bounds, which different date controls send. */
const BOUNDS = [
  ['dategt', 'datelt'],
  ['datege', 'datele'],
] as const

let product: Product
beforeAll(async () => {
  product = await testProduct()
  for (const served of dated()) await fillWith(served)
}, 240_000)
afterAll(() => product?.close())

/** Returns the time field of a list; undefined when it has none. */
const timeOf = ({ list, fields }: Resource<any, any>) =>
  list.time
    ? { key: list.time, field: list.time === 'createTime' ? baseFields.createTime : fields[list.time] }
    : undefined
const listOf = ({ path, list }: Resource<any, any>): string => `${path}/${list.path}`

/** Resources whose list can be filtered by date. */
const dated = (): ServedResource[] =>
  product.underTest.resources.filter(
    ({ resource }) =>
      timeOf(resource) &&
      product.world.routes.some((route) => route.path === listOf(resource) && route.method === 'GET'),
  )

type Row = Record<string, string>
async function rowsOf(resource: Resource<any, any>, query: Record<string, unknown> = {}): Promise<Row[]> {
  const { cast, world } = product
  const answer = await world.ask(cast.owner, 'GET', listOf(resource), { query: { ...query, size: 1000 } })
  expect([resource.name, query, answer.code]).toEqual([resource.name, query, 200])
  return Array.isArray(answer.data) ? answer.data : answer.data.records
}

/** Inserts rows with times at both ends of some days. */
async function fillWith(served: ServedResource): Promise<void> {
  const { key, field } = timeOf(served.resource)!
  const { tenantId } = product.cast.owner.caller
  for (let n = 0; n < SPAN; n += 2)
    for (const time of fieldKindOf(field).readsAs === 'day' ? ['00:00:00.000'] : TIMES) {
      const value = fieldKindOf(field).readsAs === 'day' ? dayAt(n) : `${dayAt(n)} ${time}`
      await product.samples.insert(served, tenantId, { [key]: value })
    }
}

describe('the days of a list', () => {
  it('find the rows of those days, the first and the last with them, however the bounds are written', async () => {
    const without: string[] = []
    for (const served of dated()) {
      const { resource } = served
      const { key } = timeOf(resource)!
      const all = await rowsOf(resource)
      if (!all.length) without.push(resource.name)
      for (const [a, b] of fc.sample(fc.tuple(fc.nat(SPAN), fc.nat(SPAN)), { numRuns: QUESTIONS, seed: SEED })) {
        const [from, to] = [dayAt(Math.min(a, b)), dayAt(Math.max(a, b))]
        const wanted = all.filter((row) => row[key]! >= from && row[key]!.slice(0, 10) <= to).map(({ id }) => id!)
        for (const [lower, upper] of BOUNDS) {
          const query = { [`${key}_${lower}`]: from, [`${key}_${upper}`]: to }
          const found = (await rowsOf(resource, query)).map(({ id }) => id)
          expect([resource.name, query, new Set(found)]).toEqual([resource.name, query, new Set(wanted)])
        }
      }
    }
    expect(without).toEqual([])
  }, 240_000)
})
