import { createTenant } from '#domains/platform/system/api.ts'
import { authenticateDevice, deviceTopicGrant } from '#domains/devices/device-messaging/api.ts'
import { startBroker, type Broker } from '#kit/server/broker/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import type { Credentials } from '#simulators/gateways/protocol.ts'

type TestDeviceOptions = { now?: () => Date; messagesPerSecond?: number }

/** Starts the product with a broker that authenticates devices against it, and tenants whose shops have gateways. */
export async function testDevices({ now, messagesPerSecond = 1_000 }: TestDeviceOptions = {}) {
  let office: TestServer | undefined
  const broker: Broker = await startBroker({
    authenticate: async (credentials) => {
      const found = office && (await authenticateDevice(office.services.systemPool, credentials))
      return found ? deviceTopicGrant(found.tenantId, credentials.clientId) : null
    },
    messagesPerSecond,
  })
  const server = (office = await testServer({ env: { MQTT_URL: broker.url }, ...(now && { now }) }))
  const unit = <T>(tenantId: string, work: (db: Db) => Promise<T>): Promise<T> =>
    server.services.unit({ tenantId }, work)

  /** Creates a tenant with a shop for each name, whose gateway has a secret. */
  async function tenant(tenantId: string, names: readonly string[]): Promise<(Credentials & { shopId: string })[]> {
    await server.services.unit({ crossTenantReason: 'a tenant of devices' }, (db) =>
      createTenant(db, server.services, { tenantName: `街区${tenantId}` }, { tenantId, password: 'admin' }),
    )
    const admin = await server.as('admin', { tenantId })
    const made = []
    for (const [n, clientId] of names.entries()) {
      const body = { shopName: `${clientId}号店`, shopCode: `S${tenantId}${n}`, clientId }
      const shop = await server.call(admin, 'POST', '/api/shop/basicShopInfo/submit', { body })
      const { id } = shop.data
      const issued = await server.call(admin, 'POST', '/api/shop/deviceLink/issue', { query: { id } })
      made.push({ clientId, tenantId, secret: issued.data.secret, kind: 'gateway' as const, shopId: id })
    }
    return made
  }

  return {
    broker,
    office: server,
    deviceUrl: `mqtt://127.0.0.1:${broker.port}`,
    unit,
    tenant,
    online: (tenantId: string) =>
      unit(tenantId, async (db) => {
        const statement = sql`select count(*)::int as n from device_link
          where tenant_id = ${tenantId} and state = 'online'`
        return (await db.one<{ n: number }>(statement))!.n
      }),
    close: async () => {
      await server.close()
      await broker.close()
    },
  }
}

export type TestDevices = Awaited<ReturnType<typeof testDevices>>
