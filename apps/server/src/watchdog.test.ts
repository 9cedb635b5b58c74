import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { junkFor, sendFuzzedRequest, senseOf, type Junk } from '#tests/support/fuzz.ts'
import { buildOpenApiText } from '#kit/server/mount/open-api.ts'
import type { Route } from '#kit/server/module/module.ts'
import { cpu, BLOCK_MAX_MS, eventLoopBlockOf, slowness } from '#tests/support/event-loop-block.ts'
import { testProduct, type Product } from './test-product.ts'

const SEED = Number(process.env.PROPERTY_SEED ?? 20_260_131)
const RUNS = Number(process.env.FUZZ_RUNS ?? 2)
const STREAMS = new Set(['/api/live'])
const TIME_MS = Number(process.env.FUZZ_TIMEOUT ?? 300_000)

/** Texts that, repeated, make expressions, parsers or comparisons backtrack. */
const PUMPS = [
  'pwd-',
  'eyJ-',
  '"token":',
  '\\"',
  'bearer ',
  '=',
  '/',
  ' ',
  '*',
  '[',
  '1,',
  ':1',
  '<a ',
  '.',
  '中',
  '{"a":',
  '%25',
  '-1',
]
/** As much as a body may hold, with some space for its keys. */
const BODY_LETTERS = 900_000

let product: Product
beforeAll(async () => (product = await testProduct()))
afterAll(() => product?.close())

const routes = () => product.underTest.routes.filter(({ path }) => !STREAMS.has(path))

/** Builds a body of the maximal size in which every argument is one repeated text. */
async function hostile(route: Route, pump: string): Promise<Junk> {
  const { world, samples, cast } = product
  const { draft, id } = await senseOf(world, samples, route, cast.owner.caller.tenantId)
  const keys = [...Object.keys(draft), 'text']
  const of = (letters: number) => pump.repeat(Math.floor(letters / JSON.stringify(pump).length))
  if (route.method !== 'POST')
    return { method: 'GET', url: `${route.path}?${keys[0]}=${encodeURIComponent(of(3000))}`, headers: {} }
  // One argument is valid, all others are junk: with an id a call gets furthest.
  const body = {
    ...Object.fromEntries(keys.map((key) => [key, of(BODY_LETTERS / keys.length)])),
    ...(id ? { id } : {}),
  }
  return {
    method: 'POST',
    url: route.path,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  }
}

async function slowRequests(junks: readonly Junk[], route: Route): Promise<string[]> {
  const slow: string[] = []
  for (const junk of junks) {
    const held = await eventLoopBlockOf(() => sendFuzzedRequest(product.world, product.cast.owner, junk))
    if (held >= BLOCK_MAX_MS)
      slow.push(
        `${route.method} ${route.path} ${held.toFixed(0)} ms ← ${junk.url.slice(0, 150)} ` +
          `${String(junk.payload ?? '').slice(0, 150)}`,
      )
  }
  return slow
}

test('the watchdog allows a busy machine for known work it is slow at, and no more than twice the time', () => {
  expect([1, 24, 36, 48, 480].map((ms) => slowness(() => ms))).toEqual([1, 1, 1.5, 2, 2])
  expect(slowness()).toBeGreaterThanOrEqual(1)
})

test('the watchdog sees a turn that holds everybody up, and not the work of many short ones', async () => {
  const busy = (ms: number) => {
    const until = cpu() + ms
    while (cpu() < until);
  }
  expect(await eventLoopBlockOf(async () => busy(2.5 * BLOCK_MAX_MS))).toBeGreaterThan(BLOCK_MAX_MS)
  const many = async () => {
    for (let n = 0; n < 10; n++) {
      busy(BLOCK_MAX_MS / 5)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
  }
  expect(await eventLoopBlockOf(many)).toBeLessThan(BLOCK_MAX_MS)
})

test(
  'no call holds the event loop for 50 ms, whatever is sent to it',
  async () => {
    const { world, samples, cast } = product
    const slow: string[] = []
    for (const [at, route] of routes().entries()) {
      const sense = await senseOf(world, samples, route, cast.owner.caller.tenantId)
      slow.push(
        ...(await slowRequests(fc.sample(junkFor(world, route, sense), { seed: SEED + at, numRuns: RUNS }), route)),
      )
    }
    expect(slow).toEqual([])
  },
  TIME_MS,
)

test(
  'nor for as large a body as may be sent, full of what makes expressions try and try again',
  async () => {
    const slow: string[] = []
    for (const [at, route] of routes().entries())
      slow.push(...(await slowRequests([await hostile(route, PUMPS[at % PUMPS.length]!)], route)))
    expect(slow).toEqual([])
  },
  TIME_MS,
)

test('nor for the description of all calls, which anybody may ask for', async () => {
  const { world } = product
  expect(await eventLoopBlockOf(() => buildOpenApiText(world.services.registry, world.routes, '1'))).toBeLessThan(
    BLOCK_MAX_MS,
  )
})
