// The kinds of device commands that `npm run chaos -- devices` sends, and the rows they need.
import type { Pool } from '#kit/server/database/db.ts'
import type { Random } from '#kit/server/base/random.ts'
import { gatewayName, powerGatewayName, registerName } from './devices-world.ts'

const TENANT = '100001'
export const SHOPS = { gateways: 40, powerGateways: 20, registers: 10 } as const
/** Power gateways from this number on get commands to forget their switches, the others to switch them. */
const FORGETFUL = 18
const VERSIONS = 8
const TAGS = 3

/** One API call to the server. Returns the answer's data, undefined when it failed or was refused. */
export type ChaosCall = (
  method: 'GET' | 'POST',
  path: string,
  query?: Record<string, string | number>,
  body?: object,
) => Promise<Record<string, any> | undefined>
type Kind = (ask: ChaosCall) => Promise<unknown>

const shopNo = (n: number) => 9_000_000_000 + n

/** Inserts products with price tags, a printer, a sound and settings for each shop with a simulated gateway. */
async function layRows(pool: Pool, sound: string): Promise<void> {
  const rows = (text: string, ...more: unknown[]) => pool.query(text, [TENANT, SHOPS.gateways, ...more])
  await rows(`insert into good_info (id, tenant_id, shop_id, name, upc, sale_price, on_sale)
    select 9400000000 + n, $1, 9000000000 + n, 'bench ' || n, 'UPC' || n, 500, true from generate_series(1, $2::int) n`)
  await rows(
    `insert into price_tag (id, tenant_id, tag_id, shop_id, good_id, upc, template, status)
     select 9500000000 + 10 * n + t, $1, 'GW-bench-' || n || '-T0' || t, 9000000000 + n, 9400000000 + n, 'UPC' || n,
       'standard', 0 from generate_series(1, $2::int) n, generate_series(1, $3::int) t`,
    TAGS,
  )
  await rows(`insert into printer_info (id, tenant_id, name, shop_id, brand, sn, paper_width, usage, copies, status)
    select 9600000000 + n, $1, 'bench ' || n, 9000000000 + n, 'escpos', 'PR-bench-' || n, 58, 'receipt', 1, 0
    from generate_series(1, $2::int) n`)
  await rows(
    `insert into audio_conf (id, tenant_id, name, shop_id, text, trigger, voice, volume, times, enabled, state,
       audio_url, seconds)
     select 9700000000 + n, $1, 'bench ' || n, 9000000000 + n, 'bench', 'manual', 'female', 50, 1, true, 'READY', $3, 1
     from generate_series(1, $2::int) n`,
    sound,
  )
  await rows(`insert into shop_conf (id, tenant_id, shop_id, entry_mode, door_hold_seconds, wanted_version)
    select 9800000000 + n, $1, 9000000000 + n, 'scan', 5, 1 from generate_series(1, $2::int) n`)
}

async function upload(origin: string, headers: Record<string, string>, name: string, bytes: Buffer): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes)]), name)
  const url = `${origin}/api/blade-resource/oss/endpoint/put-file`
  const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { data?: { link?: string } }
  if (!answer.data?.link) throw new Error(`${name} cannot be uploaded: ${JSON.stringify(answer)}`)
  return answer.data.link
}

/** Half a second of silence at 8,000 bytes a second. */
function silence(): Buffer {
  const wave = Buffer.alloc(44 + 4_000, 128)
  wave.write('RIFF', 0)
  wave.writeUInt32LE(wave.length - 8, 4)
  wave.write('WAVEfmt ', 8)
  wave.writeUInt32LE(16, 16)
  for (const [at, value] of [1, 1].entries()) wave.writeUInt16LE(value, 20 + 2 * at)
  wave.writeUInt32LE(8_000, 24)
  wave.writeUInt32LE(8_000, 28)
  for (const [at, value] of [1, 8].entries()) wave.writeUInt16LE(value, 32 + 2 * at)
  wave.write('data', 36)
  wave.writeUInt32LE(4_000, 40)
  return wave
}

/** Returns an empty ZIP file, which is accepted as an upgrade package; its comment makes each one different. */
const packageOf = (n: number) => {
  const bytes = Buffer.alloc(24)
  bytes.write('PK')
  bytes.set([5, 6], 2)
  bytes.writeUInt16LE(2, 20)
  bytes.writeUInt16LE(n, 22)
  return bytes
}

type Laid = { programIds: string[]; upgradeKey: string }

/** Creates the rows that commands need, by API calls where the server has to validate something. */
export async function layThings(
  pool: Pool,
  ask: ChaosCall,
  origin: string,
  headers: Record<string, string>,
): Promise<Laid> {
  await layRows(pool, await upload(origin, headers, 'silence.wav', silence()))
  const programIds: string[] = []
  for (let n = 1; n <= VERSIONS; n++) {
    const url = await upload(origin, headers, `program-${n}.zip`, packageOf(n))
    const version = { versionName: `2.0.${n}`, versionCode: n, url, rollout: '100.00', model: 'SIM-gateway' }
    const { id } = (await ask('POST', 'clientVersion/submit', {}, version)) as { id: string }
    await ask('POST', 'clientVersion/publish', { id })
    programIds.push(id)
  }
  const { publicKey } = (await ask('GET', 'rollout/key')) as { publicKey: string }
  return { programIds, upgradeKey: publicKey }
}

/** Starts a rollout to all gateways in waves. Returns how to stop it. */
export async function beginRollout(ask: ChaosCall, programId: string): Promise<() => Promise<unknown>> {
  const plan = { name: 'chaos', module: 'gateway', programId, waves: '20,60,100', failureMax: '100.00' }
  const { id } = (await ask('POST', 'rollout/submit', {}, plan)) as { id: string }
  await ask('POST', 'rollout/start', { id })
  return () => ask('POST', 'rollout/stop', { id })
}

async function remoteSession(ask: ChaosCall, clientId: string): Promise<void> {
  const session = await ask('POST', 'basicShopInfo/openSession', { clientId })
  if (!session) return
  const { sessionId } = session as { sessionId: string }
  for (const cmd of ['uptime', 'ls /etc']) await ask('POST', 'basicShopInfo/cmd', {}, { sessionId, cmd })
  await ask('POST', 'basicShopInfo/closeSession', { sessionId })
}

/**
 * Returns one action for each thing the run does to devices: every kind of command (doors in all variants), and changes
 * of prices and settings, which reach devices indirectly.
 */
export function kindsOf(random: Random, { programIds }: Laid): Kind[] {
  const shop = () => random.int(1, SHOPS.gateways)
  const gateway = () => ({ clientId: gatewayName(shop()) })
  const power = (least = 1, most: number = SHOPS.powerGateways) => random.int(least, most)
  const door = (opt: string) => (ask: ChaosCall) =>
    ask('POST', 'door/doorControl', { ...gateway(), opt, durationSec: 3, wait: 'false' })
  return [
    door('open'),
    door('hold'),
    door('release'),
    (ask) => ask('POST', 'door/focusClose', { ...gateway(), wait: 'false' }),
    (ask) => ask('GET', 'door/doorStatus', gateway()),
    (ask) => ask('GET', 'basicShopInfo/reboot', { ...gateway(), type: 1 }),
    (ask) => ask('GET', 'basicShopInfo/reboot', { clientId: registerName(random.int(1, SHOPS.registers)), type: 1 }),
    (ask) => ask('POST', 'basicShopInfo/upgrade', gateway(), { versionId: random.pick(programIds) }),
    (ask) => remoteSession(ask, gatewayName(shop())),
    (ask) => ask('POST', 'epaGateway/syncTime', { clientId: powerGatewayName(power()) }),
    (ask) => ask('POST', 'epaGateway/syncInfo', { clientId: powerGatewayName(power()) }),
    (ask) => ask('POST', 'epaDevice/removeAll', { clientId: powerGatewayName(power(FORGETFUL)) }),
    (ask) => {
      const n = power(1, FORGETFUL - 1)
      const of = { gatewayId: 9_100_000_000 + n, clientId: `${powerGatewayName(n)}-S1`, wait: 'false' }
      return ask('POST', 'epaDevice/power', { ...of, opt: 'toggle' })
    },
    // Another price: its tags are collected, pushed by a job, and tried again by themselves.
    (ask) =>
      ask('POST', 'goodInfo/submit', {}, { id: String(9_400_000_000 + shop()), salePrice: `${random.int(1, 99)}.50` }),
    (ask) => ask('POST', 'priceTag/flash', { id: 9_500_000_000 + 10 * shop() + random.int(1, TAGS) }),
    (ask) => ask('POST', 'printerInfo/testPrint', { id: 9_600_000_000 + shop() }),
    (ask) => ask('GET', 'audioConf/play', { id: 9_700_000_000 + shop() }),
    // No command, yet something that leaves for a device: what it acts by in the end is looked at as well.
    (ask) =>
      ask('POST', 'shopConf/submit', {}, { id: String(9_800_000_000 + shop()), doorHoldSeconds: random.int(3, 30) }),
  ]
}

export const namesOfAll: string[] = [
  ...Array.from({ length: SHOPS.gateways }, (_, n) => gatewayName(n + 1)),
  ...Array.from({ length: SHOPS.powerGateways }, (_, n) => powerGatewayName(n + 1)),
  ...Array.from({ length: SHOPS.registers }, (_, n) => registerName(n + 1)),
]

type Figures = { clientId: string; confVersion?: number }

/** Returns a sentence for each gateway that uses other settings than the server wants or believes. */
export async function settingsFaults(pool: Pool, figures: readonly Figures[]): Promise<string[]> {
  const { rows } = await pool.query<{ shopNo: string; wanted: number; reported: number | null }>(
    `select shop_id::text as "shopNo", wanted_version as wanted, reported_version as reported from shop_conf
     where tenant_id = $1 and shop_id between $2::bigint + 1 and $2::bigint + $3::int`,
    [TENANT, shopNo(0), SHOPS.gateways],
  )
  if (!rows.some(({ wanted }) => wanted > 1)) return ['no settings were ever changed']
  return rows.flatMap(({ shopNo: shopId, wanted, reported }) => {
    const name = gatewayName(Number(shopId) - shopNo(0))
    const has = figures.find(({ clientId }) => clientId === name)?.confVersion
    return has === wanted && reported === wanted
      ? []
      : [`${name} should act by settings ${wanted}, acts by ${has}, and is said to act by ${reported}`]
  })
}

/** Returns the print jobs that were printed more than once. */
export function printedTwice(clientId: string, acts: readonly { what: string; data: Record<string, unknown> }[]) {
  const papers = acts.filter(({ what }) => what === 'printed')
  const times = Map.groupBy(papers, ({ data }) => String(data.jobId))
  return [...times].flatMap(([jobId, all]) =>
    all.length > 1 ? [`${clientId} printed ${jobId} ${all.length} times`] : [],
  )
}
