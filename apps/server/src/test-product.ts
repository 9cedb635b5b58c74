import { representatives } from '#tests/support/representatives.ts'
import { createSamples, type Overrides } from '#tests/support/samples.ts'
import type { Cast, Stage } from '#tests/support/contract.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { isWhole, oneOfEach } from '#tests/support/whole.ts'
import { everyCode, createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import type { Route, ServedResource } from '#kit/server/module/module.ts'
import { sampleOverrides } from './test-samples.ts'

export type Product = Stage & {
  server: TestServer
  /** The platform's administrator, signed in through the API. */
  admin: CastMember
  /** Two tenants created through the API, each with its administrator signed in. */
  tenants: { tenantId: string; admin: CastMember }[]
  /**
   * What tests of everything check: with `npm test -- --all` all resources and routes, otherwise resources that show
   * every difference with their routes, and one other route per path prefix.
   */
  underTest: { resources: readonly ServedResource[]; routes: readonly Route[] }
  /** A register in the second tenant's shop. */
  terminal: TestCaller
  close: () => Promise<void>
}

const placeOf = ({ path }: Route): string => path.split('/').slice(0, 4).join('/')

function resourcesUnderTest({ registry, routes }: TestWorld): Product['underTest'] {
  const all = [...registry.served.values()]
  if (isWhole) return { resources: all, routes }
  const resources = representatives(all)
  const isOf = (some: readonly ServedResource[], { path }: Route) =>
    some.some(({ resource }) => path.startsWith(`${resource.path}/`))
  const others = routes.filter((route) => !isOf(all, route))
  const chosen = new Set([
    ...routes.filter((route) => isOf(resources, route)),
    ...oneOfEach(others, (route) => [placeOf(route), `${route.method} ${JSON.stringify(Object.keys(route.can))}`]),
  ])
  return { resources, routes: routes.filter((route) => chosen.has(route)) }
}

/** Starts the whole product with two tenants, for tests that check every module. */
export async function testProduct(overrides: Overrides = sampleOverrides): Promise<Product> {
  const server = await testServer()
  const admin = await server.as('admin')
  const tenants: Product['tenants'] = []
  for (const tenantName of ['Northern Shops', 'Southern Shops']) {
    const made = await server.call(admin, 'POST', '/api/blade-system/tenant/submit', {
      body: { tenantName, linkman: 'Wu' },
    })
    if (!made.success) throw new Error(`no tenant: ${JSON.stringify(made.body)}`)
    const { data } = await server.call(admin, 'GET', '/api/blade-system/tenant/detail', { query: { id: made.data.id } })
    tenants.push({ tenantId: data.tenantId, admin: await server.as('admin', { tenantId: data.tenantId }) })
  }
  const world = createTestWorld(server)
  const permissions = everyCode(world.registry, world.routes)
  const callerOf = async (person: CastMember) => (await server.services.access.callerOf(person.token))!
  const whole = async (person: CastMember) => world.be({ ...(await callerOf(person)), permissions })
  const cast: Cast = {
    platform: await whole(admin),
    owner: await whole(tenants[0]!.admin),
    stranger: await whole(tenants[1]!.admin),
    nobody: world.be({ userId: tenants[0]!.admin.userId, tenantId: tenants[0]!.tenantId }),
  }
  const samples = createSamples(world, overrides)
  const { tenantId } = tenants[1]!
  const register = await samples.insert(world.registry.served.get('cashRegister')!, tenantId)
  const terminal = world.be({
    userId: '',
    tenantId,
    account: register.sn as string,
    clientId: 'terminal',
    sessionId: `register/${register.id}`,
    limits: { shop: [register.shopId as string] },
  })
  const close = () => server.close()
  return { server, admin, tenants, world, cast, samples, terminal, underTest: resourcesUnderTest(world), close }
}
