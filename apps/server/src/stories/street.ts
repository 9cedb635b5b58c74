import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { issueDeviceKey } from '#domains/gateways/doors.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'

const PROGRAM = fileURLToPath(new URL('../../../../simulators/gateways/main.ts', import.meta.url))

type Played = {
  clientId: string
  tenantId: string
  secret: string
  kind: string
  tags?: string[]
  switches?: { clientId: string; name: string; watts: number }[]
}

const WATTS: Record<string, number> = { light: 60, airCon: 1_200, sign: 150, shelf: 40, fridge: 300, other: 100 }

/** The devices of shops that are open and not in trouble, with what hangs on each. */
async function devicesOf(db: Db): Promise<Played[]> {
  const links = await db.query<{ id: string; clientId: string; kind: string; shopId: string }>(
    sql`select l.id, l.client_id, l.kind, l.shop_id from device_link l
      join basic_shop_info b on b.tenant_id = l.tenant_id and b.id = l.shop_id
      where l.tenant_id = ${db.tenantId} and l.kind in ('gateway', 'power') and b.status = 1
      and not exists (select 1 from shop_event e where e.tenant_id = l.tenant_id and e.shop_id = l.shop_id
        and e.open_key = 'offline/') order by l.id`,
  )
  const tags = await db.query<{ shopId: string; tagId: string }>(
    sql`select shop_id, tag_id from price_tag where tenant_id = ${db.tenantId} and is_deleted = 0 order by id`,
  )
  const switches = await db.query<{ gatewayId: string; clientId: string; name: string; kind: string }>(
    sql`select gateway_id, client_id, name, kind from epa_device where tenant_id = ${db.tenantId}
      and is_deleted = 0 order by id`,
  )
  const played: Played[] = []
  for (const { id, clientId, kind, shopId } of links) {
    const hung =
      kind === 'gateway'
        ? { tags: tags.filter((one) => one.shopId === shopId).map(({ tagId }) => tagId) }
        : {
            switches: switches
              .filter((one) => one.gatewayId === id)
              .map((one) => ({ clientId: one.clientId, name: one.name, watts: WATTS[one.kind] ?? WATTS.other! })),
          }
    played.push({ clientId, tenantId: db.tenantId, secret: await issueDeviceKey(db, id), kind, ...hung })
  }
  return played
}

/**
 * The gateways of the story's shops, over MQTT, each with a secret that nobody but this start knows. They end with this
 * process.
 */
export async function startStreet(services: Services, pace: string): Promise<void> {
  const { link } = services
  if (!link) return
  const tenants = await services.unit({ across: 'tenants of the story' }, (db) =>
    db.query<{ tenantId: string }>(sql`select distinct tenant_id from device_link order by tenant_id`),
  )
  const devices: Played[] = []
  for (const { tenantId } of tenants) devices.push(...(await services.unit({ tenantId }, devicesOf)))
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', PROGRAM, '--url', link.address, '--pace', pace, '--quiet'],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  child.on('error', (err) => services.log.warn({ err }, 'the simulated gateways could not be started'))
  child.stdin.on('error', () => {})
  // The end of its standard input, also by a kill of this process, ends the play.
  child.stdin.write(`${JSON.stringify(devices)}\n`)
  child.unref()
}
