import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { createOpened } from '#tests/support/opened.ts'
import { markDatabaseSeeded } from '#tests/support/process.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createFleet, type Fleet } from '#simulators/gateways/fleet.ts'
import { lies, type FinalCommand } from '#simulators/gateways/judge.ts'
import { makeNode } from '../../../bench/chaos-world.ts'
import { hasMosquitto, signIn, startMosquitto } from '../../../bench/devices-world.ts'

const SERVERS = 3
const COMMANDS = 200
const tenantId = '100007'
const names = Array.from({ length: 20 }, (_, n) => `GW-three-${n}`)

describe.skipIf(!hasMosquitto())('three servers on one Mosquitto (skipped: no mosquitto on this machine)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-three-'))
  const nodes: Awaited<ReturnType<typeof makeNode>>[] = []
  const opened = createOpened()
  let world: TestServer
  let fleet: Fleet
  let headers: Record<string, string>
  let isKilled = false

  beforeAll(async () => {
    await opened.keep('folder', folder, (path) => rmSync(path, { recursive: true, force: true }))
    const broker = await opened.keep('broker', startMosquitto(), (one) => one.close())
    world = await opened.keep('test server', testServer(), (one) => one.close())
    await markDatabaseSeeded(world.databaseUrl)
    await world.services.unit({ crossTenantReason: 'a tenant of devices' }, (db) =>
      createTenant(db, world.services, { tenantName: '三台' }, { tenantId, password: 'admin' }),
    )
    const admin = await world.as('admin', { tenantId })
    for (const [n, clientId] of names.entries())
      await world.call(admin, 'POST', '/api/shop/basicShopInfo/submit', {
        body: { shopName: `三台${n}号店`, shopCode: `T${n}`, clientId },
      })
    const env = { DATABASE_URL: world.databaseUrl, MQTT_URL: broker.officeUrl, SIMULATORS: 'off', LOG_LEVEL: 'fatal' }
    for (let n = 1; n <= SERVERS; n++) {
      const node = makeNode(n, folder, { ...env, WORKERS: '1', RATE_LIMIT: '0' })
      nodes.push(await opened.keep(`server ${n}`, node, (one) => one.kill()))
    }
    await Promise.all(nodes.map((node) => node.start()))
    headers = await signIn(nodes[0]!.port, 'admin', tenantId)
    const credentials = names.map((clientId) => ({ clientId, tenantId, secret: '-', kind: 'gateway' as const }))
    const devices = createFleet({ url: broker.deviceUrl, credentials, perSecond: 100 })
    fleet = await opened.keep('fleet', devices, (one) => one.stop())
    fleet.start()
    const online = sql`select count(*)::int as n from device_link
      where tenant_id = ${tenantId} and state = 'online'`
    await vi.waitFor(async () => expect((await rows<{ n: number }>(online))[0]!.n).toBe(names.length), {
      timeout: 30_000,
      interval: 200,
    })
  }, 120_000)
  afterAll(opened.end)

  const rows = <R extends object>(statement: ReturnType<typeof sql>) =>
    world.services.unit({ tenantId }, (db) => db.query<R>(statement))

  const ask = async (port: number, clientId: string): Promise<boolean> => {
    const url = `http://127.0.0.1:${port}/api/shop/door/doorStatus?clientId=${clientId}`
    const answer = await fetch(url, { headers }).catch(() => undefined)
    return answer?.ok === true && ((await answer.json()) as { data: { stale: boolean } }).data.stale === false
  }

  const judged = () =>
    rows<FinalCommand>(sql`select c.id, c.method, c.state, (extract(epoch from c.expire_time) * 1000)::bigint as
    "expiresAt"
      from device_command c where c.tenant_id = ${tenantId}`)

  test('what is asked at any of them is heard, and one that is killed among 200 commands breaks no rule', async () => {
    if (isKilled) await nodes[0]!.start()
    isKilled = false
    // Only one of the servers listens to the devices, so commands sent by others are answered through it.
    for (const [n, { port }] of nodes.entries()) expect(await ask(port, names[n]!), `server ${n + 1}`).toBe(true)
    const random = createRandom(3)
    fleet.order({ faults: { duplicates: true }, share: 0.3 })
    fleet.order({ faults: { drop: 0.1 }, share: 0.3 })
    const done = nodes.map(() => 0)
    let sent = 0
    let killing: Promise<void> | undefined
    const asking = async () => {
      while (sent < COMMANDS) {
        if (++sent === COMMANDS / 2) {
          isKilled = true
          killing = nodes[0]!.kill()
        }
        const at = random.int(0, SERVERS - 1)
        if (await ask(nodes[at]!.port, random.pick(names))) done[at]!++
      }
    }
    await Promise.all(Array.from({ length: 10 }, asking))
    await killing
    fleet.order({ faults: { duplicates: null, drop: null } })
    const ends = async (...states: string[]) => {
      const open = (await judged()).filter(({ state }) => states.includes(state))
      expect(open.map(({ id, method, state }) => `${method} ${id} ${state}`)).toEqual([])
    }
    await vi.waitFor(() => ends('asked', 'sent', 'taken'), { timeout: 40_000, interval: 250 })
    fleet.order({ faults: { lateWill: 200 } })
    await vi.waitFor(() => ends('asked', 'sent', 'taken', 'unknown'), { timeout: 40_000, interval: 250 })
    for (const { port } of nodes.slice(1)) expect(await ask(port, names[5]!)).toBe(true)
    const executions = [...fleet.gateways.values()].flatMap(({ ledger }) => [...ledger.commands.values()])
    expect(lies(await judged(), new Map(executions.map((one) => [one.id, one])))).toEqual([])
    expect(Math.min(...done.slice(1))).toBeGreaterThan(COMMANDS / 20)
  }, 120_000)
})
