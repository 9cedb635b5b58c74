import { issueDeviceKey } from '#domains/devices/device-messaging/api.ts'
import { issueKey, importRegistersDemo } from '#domains/sales/point-of-sale/api.ts'
import { importShopsDemo } from '#domains/shops/shops/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Credentials } from '#simulators/gateways/protocol.ts'

/** A simulated device's credentials, name and shop. */
export type SimulatedDeviceIdentity = Credentials & { name: string; shopId: string; shopName: string }

const WATTS: Record<string, number> = { light: 60, airCon: 1_200, sign: 150, shelf: 40, fridge: 300, other: 100 }

/** Returns the range of openids of the tenant's demo customers, who visit its shops: prefix and count. */
export async function findDemoCustomerRange(db: Db): Promise<{ prefix: string; count: number }> {
  const [known] = await db.query<{ n: number }>(
    sql`select count(*)::int as n from wx_user where tenant_id = ${db.tenantId} and openid like 'demo-%'`,
  )
  return { prefix: `demo-${db.tenantId}-`, count: known!.n }
}

/** Returns the shops and registers that are silent in the demo data. They count as broken and are not simulated. */
async function inTrouble({ tenantId }: Db): Promise<{ shops: string[]; registers: string[] }> {
  const [{ demoShops: storyShops }, { demoRegisters: storyRegisters }] = await Promise.all([
    importShopsDemo(),
    importRegistersDemo(),
  ])
  return {
    shops: (storyShops[tenantId] ?? []).filter((one) => one.silentHours).map(({ code }) => code),
    registers: (storyRegisters[tenantId] ?? []).filter((one) => one.silentHours).map(({ sn }) => sn),
  }
}

/**
 * Issues a new secret to each device of an open, working shop. Returns the devices with the tags, customers or switches
 * attached to them.
 */
export async function prepareSimulatedDevices(db: Db): Promise<SimulatedDeviceIdentity[]> {
  const silent = await inTrouble(db)
  const links = await db.query<{
    id: string
    clientId: string
    kind: Credentials['kind']
    shopId: string
    name: string
    shopName: string
  }>(
    sql`select l.id, l.client_id, l.kind, l.shop_id, l.name, b.shop_name from device_link l
      join basic_shop_info b on b.tenant_id = l.tenant_id and b.id = l.shop_id
      where l.tenant_id = ${db.tenantId} and b.status = 1 and not l.client_id = any(${silent.registers})
      and not coalesce(b.shop_code, '') = any(${silent.shops}) order by b.shop_code, l.kind, l.id`,
  )

  const tags = await db.query<{ shopId: string; tagId: string }>(
    sql`select shop_id, tag_id from price_tag where tenant_id = ${db.tenantId} and is_deleted = 0
      and account_id is null order by id`,
  )
  const switches = await db.query<{ gatewayId: string; clientId: string; name: string; kind: string }>(
    sql`select gateway_id, client_id, name, kind from epa_device where tenant_id = ${db.tenantId}
      and is_deleted = 0 order by id`,
  )
  const customers = await findDemoCustomerRange(db)

  const hung = {
    gateway: ({ shopId }: { shopId: string }) => ({
      tags: tags.filter((one) => one.shopId === shopId).map(({ tagId }) => tagId),
      customers,
    }),
    power: ({ id }: { id: string }) => ({
      switches: switches
        .filter((one) => one.gatewayId === id)
        .map((one) => ({ clientId: one.clientId, name: one.name, watts: WATTS[one.kind] ?? WATTS.other! })),
    }),
    register: () => ({}),
  }

  const played: SimulatedDeviceIdentity[] = []
  for (const { id, ...link } of links)
    played.push({
      ...link,
      tenantId: db.tenantId,
      secret: await issueDeviceKey(db, id),
      ...hung[link.kind]({ ...link, id }),
    })

  return played
}

/** Returns a practice tenant's registers in the order of their shops, with new HTTP credentials. */
export async function prepareSimulatedRegisters(db: Db) {
  const rows = await db.query<{ id: string; sn: string }>(
    sql`select id, sn from cash_register where tenant_id = ${db.tenantId} and is_deleted = 0 and status = 1
      order by sn`,
  )
  const customers = await findDemoCustomerRange(db)
  const out = []
  for (const { id, sn } of rows) out.push({ sn, secret: await issueKey(db, id), customers })
  return out
}
