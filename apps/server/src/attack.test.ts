import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  asksACode,
  askWithin,
  attemptsOn,
  changedTables,
  digestOf,
  seedMarkedRows,
  isOpen,
  leaksOf,
  limitCallerTo,
  tablesOf,
  type Attempt,
  type Victim,
} from '#tests/support/attack.ts'
import { dropTenantFilters } from '#tests/support/drop-tenant-filters.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import type { Route } from '#kit/server/module/module.ts'
import type { TestCaller } from '#tests/support/world.ts'
import { testProduct, type Product } from './test-product.ts'

// Makes some thousand calls.
vi.setConfig({ testTimeout: 240_000 })

let product: Product
let victim: Victim
let tables: Awaited<ReturnType<typeof tablesOf>>

/** Tables of the machinery, and the log that every request writes with a delay. */
const isMachinery = (name: string) => /^(job|shared_|jwt_|platform_key$|migration|installation|log_api$)/.test(name)
/** Requests without a sign-in are logged in the platform's own tenant. */
const isLog = ({ name }: { name: string }) => name.startsWith('log_')
/** Event streams, which have tests of their own. */
const STREAMS = new Set(['/api/live'])

beforeAll(async () => {
  product = await testProduct()
  const { world, samples, tenants } = product
  // The attacker's tenant gets rows as well, so that their calls get far before they are refused.
  for (const served of world.registry.served.values()) await samples.someRow(served, tenants[1]!.tenantId)
  victim = await seedMarkedRows(world, samples, tenants[0]!.tenantId)
  tables = await tablesOf(product.server.services, isMachinery)
})
afterAll(() => product?.close())

const LOOK_EVERY = 60
/** For callers who are refused before arguments are read: few attempts per route, and fewer digests. */
const AT_THE_DOOR = { attempts: 2, lookEvery: 120 }

const roads = () => product.underTest.routes.filter((route) => !STREAMS.has(route.path))

type Judge = (route: Route, attempt: Attempt, answer: { status: number; body: any }) => string | undefined

/** Prepares the attacks on some routes before any is run, since preparing one may insert rows. */
async function attacksOn(
  routes: readonly Route[],
  who: TestCaller | undefined,
  most?: number,
): Promise<[Route, Attempt][]> {
  const { world, samples } = product
  const attacks: [Route, Attempt][] = []
  for (const route of routes) {
    const made = await attemptsOn(world, samples, route, victim, who?.caller.tenantId || victim.tenantId)
    for (const attempt of made.slice(0, most)) attacks.push([route, attempt])
  }
  return attacks
}

const attackName = (route: Route, { method, query, body }: Attempt): string =>
  `${method} ${route.path} ${JSON.stringify(query).slice(0, 60)} ${JSON.stringify(body ?? '').slice(0, 120)}`

type Answer = Awaited<ReturnType<typeof askWithin>>

/** Faults of the answer to an attack. */
function answerFaults(route: Route, attempt: Attempt, answer: Answer, judge: Judge | undefined): string[] {
  if (!answer) return ['no answer in time']
  const verdict = judge?.(route, attempt, answer)
  return [
    ...(answer.status >= 500 ? [`${answer.status} ${answer.msg}`] : []),
    ...(verdict ? [verdict] : []),
    ...leaksOf(answer, attempt, victim).slice(0, 2),
  ]
}

/** Returns a digest of the platform's own rows, without logs, which requests without a sign-in write. */
const sharedDigest = async (): Promise<string> => {
  const { services } = product.server
  const unlogged = tables.filter((table) => !isLog(table))
  return `${await digestOf(services, tables, undefined)}\n${await digestOf(services, unlogged, '000000')}`
}

/** Attacks every route. Returns what leaked and what was changed, with the route. */
async function attackAll(
  routes: readonly Route[],
  who: TestCaller | undefined,
  judge?: Judge,
): Promise<{ faults: string[]; answered: number }> {
  const { world, server } = product
  const faults: string[] = []
  let answered = 0
  const shared = await sharedDigest()
  const look = () => digestOf(server.services, tables, victim.tenantId)
  // A digest after every route would take most of the time: a change names the few routes that may have caused it.
  const step = judge ? AT_THE_DOOR.lookEvery : LOOK_EVERY
  for (let from = 0; from < routes.length; from += step) {
    const few = routes.slice(from, from + step)
    const attacks = await attacksOn(few, who, judge && AT_THE_DOOR.attempts)
    const before = await look()
    for (const [route, attempt] of attacks) {
      const answer = await askWithin(world, who, attempt)
      if (answer?.status === 200) answered++
      const found = answerFaults(route, attempt, answer, judge)
      faults.push(...found.map((fault) => `${attackName(route, attempt)}: ${fault}`))
    }
    const after = await look()
    if (after !== before)
      faults.push(
        `one of ${few.map((one) => `${one.method} ${one.path}`).join(', ')}: wrote to ` +
          `${changedTables(before, after).join(', ')}`,
      )
  }
  // The platform's rows take longer and are compared once at the end: a change names the table, and the route has to be
  // found by halving.
  const sharedAfter = await sharedDigest()
  if (sharedAfter !== shared) faults.push(`wrote to the platform's ${changedTables(shared, sharedAfter).join(', ')}`)
  return { faults, answered }
}

describe('whoever is not signed in', () => {
  test('is answered 401 by everything that is not open, and nothing is written', async () => {
    const { faults } = await attackAll(
      roads().filter((route) => !isOpen(route)),
      undefined,
      (_route, _attempt, { status, body }) => (status === 401 && body.code === 401 ? undefined : `answered ${status}`),
    )
    expect(faults).toEqual([])
  })

  test('reaches no tenant through what is open', async () => {
    const { faults } = await attackAll(roads().filter(isOpen), undefined)
    expect(faults.filter((fault) => !/\/(dept|role)\/select/.test(fault))).toEqual([])
  })
})

test('whoever has no permission is answered 403 by everything that asks for one, and nothing is written', async () => {
  const { faults } = await attackAll(
    roads().filter(asksACode),
    product.cast.nobody,
    (_route, _attempt, { status, body }) => (status === 403 && body.code === 403 ? undefined : `answered ${status}`),
  )
  expect(faults).toEqual([])
})

test('platform calls are closed to the administrator of a tenant who was granted every code', async () => {
  const { faults } = await attackAll(
    roads().filter((route) => typeof route.can === 'object' && 'platform' in route.can),
    product.cast.stranger,
    (_route, _attempt, { status }) => (status === 403 ? undefined : `answered ${status}`),
  )
  expect(faults).toEqual([])
})

describe('the administrator of another tenant, with every permission there is', () => {
  test('reads no row and writes no row of this one, through any call', async () => {
    const { faults, answered } = await attackAll(roads(), product.cast.stranger)
    expect(faults).toEqual([])
    // If every attack were refused at once, the test would prove nothing.
    expect(answered).toBeGreaterThan(100)
  })

  test(
    'nor where the application’s own tenant conditions are gone and the ' + 'database’s policies alone remain',
    async () => {
      const restore = dropTenantFilters()
      try {
        const { faults, answered } = await attackAll(roads(), product.cast.stranger)
        expect(faults).toEqual([])
        expect(answered).toBeGreaterThan(100)
      } finally {
        restore()
      }
    },
  )
})

test('a register of another tenant’s shop reads and writes nothing here', async () => {
  const { faults, answered } = await attackAll(
    roads().filter((route) => typeof route.can === 'object' && 'terminal' in route.can),
    product.terminal,
  )
  expect(faults).toEqual([])
  expect(answered).toBeGreaterThan(1)
})

test('a boss of one shop, with every permission, reads and writes nothing of the tenant’s other shop', async () => {
  const { world, samples, cast, tenants, server } = product
  const { tenantId } = tenants[0]!
  const shops = world.registry.served.get('basicShopInfo')!
  const [mine, other] = [
    await samples.insert(shops, tenantId),
    await samples.insert(shops, tenantId, { shopName: 'OTHERSHOPSMARK' }),
  ]
  const hidden = await seedMarkedRows(world, samples, tenantId, 'OTHERSHOPSMARK', {
    name: 'shop',
    id: String(other.id),
  })

  for (const served of world.registry.served.values())
    if (served.resource.scope.shop && served !== shops)
      await samples.insert(served, tenantId, {
        [served.resource.scope.shop]: limitCallerTo(served.resource, served.resource.scope.shop, String(mine.id)),
      })
  const seen = { method: 'GET' as const, path: '/api/shop/goodInfo/list', query: { size: 1000 } }
  expect(leaksOf((await askWithin(world, cast.owner, seen))!, seen, hidden).length).toBeGreaterThan(0)

  const boss = world.be({
    ...cast.owner.caller,
    isAdmin: false,
    roleAliases: ['boss'],
    limits: { shop: [String(mine.id)] },
  })
  const { rows } = await server.services.systemPool.query<{ name: string }>(
    'select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attname = ' +
      "'shop_id' and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'select') and not a.attisdropped",
  )

  const look = async () =>
    (
      await server.services.systemPool.query<{ d: string }>(
        [
          ...rows.map(
            ({ name }) =>
              `select '${name}' || coalesce(md5(string_agg(md5(x::text), '' order by md5(x::text))), '') as d
                from "${name}" x where shop_id = $1`,
          ),
          `select md5(string_agg(x::text, '')) from basic_shop_info x where id = $1`,
        ].join(' union all '),
        [other.id],
      )
    ).rows
      .map((row) => row.d)
      .sort((a, b) => a.localeCompare(b))

  const faults: string[] = []
  let answered = 0
  let before = await look()
  for (const [n, route] of roads().entries()) {
    for (const attempt of await attemptsOn(
      world,
      samples,
      route,
      {
        ...hidden,
        ids: new Map([...hidden.ids, ['basicShopInfo', String(other.id)]]),
        all: new Set([...hidden.all, String(other.id)]),
      },
      tenantId,
    )) {
      const answer = await askWithin(world, boss, attempt)
      const where =
        `${attempt.method} ${route.path} ${JSON.stringify(attempt.query).slice(0, 60)} ` +
        `${JSON.stringify(attempt.body ?? '').slice(0, 120)}`
      if (!answer || answer.status >= 500) faults.push(`${where}: ${answer?.status ?? 'no answer'}`)
      else
        faults.push(
          ...leaksOf(answer, attempt, { ...hidden, all: new Set([...hidden.all, String(other.id)]) })
            .slice(0, 2)
            .map((leak) => `${where}: ${leak}`),
        )
      if (answer?.status === 200) answered++
    }
    if ((n + 1) % LOOK_EVERY && n + 1 < roads().length) continue
    const after = await look()
    if (JSON.stringify(after) !== JSON.stringify(before))
      faults.push(
        `${route.method} ${route.path} or one of the few before it: wrote ${after
          .filter((line) => !before.includes(line))
          .join(', ')
          .slice(0, 200)}`,
      )
    before = after
  }

  expect(faults).toEqual([])
  expect(answered).toBeGreaterThan(100)
})

test(
  'the attack sees what it looks for: the victim’s own administrator finds marked ' +
    'rows, and a change of them is noticed',
  async () => {
    const { world, cast, server } = product
    const attempt = { method: 'GET' as const, path: '/api/blade-system/post/list', query: { size: 1000 } }
    const answer = await askWithin(world, cast.owner, attempt)
    expect(leaksOf(answer!, attempt, victim).length).toBeGreaterThan(0)
    const before = await digestOf(server.services, tables, victim.tenantId)
    await world.ask(cast.owner, 'POST', '/api/blade-system/post/remove', { query: { ids: victim.ids.get('post') } })
    expect(changedTables(before, await digestOf(server.services, tables, victim.tenantId))).toContain('post')
  },
)

test('every road of the server is one of those attacked', () => {
  const mounted = new Set(product.world.routes.map((route) => route.path))
  const above: string[] = []
  const printed = product.server.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods] = /^((?:│   |    )*)(?:├── |└── )(\S*)(?: \((.*)\))?/.exec(line) ?? []
      if (part === undefined) return []
      const depth = indent!.length / 4
      above.length = depth
      above.push(part)
      return methods && methods !== 'OPTIONS' ? [above.join('')] : []
    })

  expect(printed.length).toBeGreaterThan(100)
  // Wildcard routes are printed without what follows.
  const isMounted = (path: string) =>
    mounted.has(path) || (path === '*' && [...mounted].some((one) => one.endsWith('/*')))
  expect(printed.filter((path) => !isMounted(path))).toEqual([])

  // Besides the declared routes there are seven more. Those of the demo data do nothing on other servers
  // (demo/demo.test.ts).
  const declared = new Set([...product.world.registry.routes, ...kitRoutes].map((route) => route.path))
  const more = product.world.routes.filter((route) => !declared.has(route.path))
  expect(more.map((route) => route.path).sort((a, b) => a.localeCompare(b))).toEqual([
    '/api/health',
    '/api/health/live',
    '/api/health/parts',
    '/api/health/ready',
    '/api/live',
    '/api/story/enter',
    '/api/story/people',
  ])

  expect(
    more
      .filter(isOpen)
      .map((route) => route.path)
      .toSorted(),
  ).toEqual([
    '/api/health',
    '/api/health/live',
    '/api/health/parts',
    '/api/health/ready',
    '/api/story/enter',
    '/api/story/people',
  ])
})
