import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { tenantRemoval } from '#domains/platform/system/index.ts'
import { createOwnerPool, type Pool } from '#kit/server/database/db.ts'
import type { ModuleJob } from '#kit/server/module/module.ts'
import { readZipEntries, unpackZipEntry } from '#kit/server/sheets/zip.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { productModules } from './modules.ts'

const [LEAVES, STAYS] = ['100002', '100001']
const base = '/api/blade-system/tenant'
let server: TestServer
let world: TestWorld
let owner: Pool
let now = new Date()
let admin: CastMember
let platform: TestCaller
let other: TestCaller
let boss: TestCaller
/** Values that only the leaving tenant's rows contain. */
let ownValues: string[]

beforeAll(async () => {
  server = await testServer({ storyDays: 2, now: () => now })
  world = createTestWorld(server)
  admin = await server.as('admin')
  owner = createOwnerPool(server.databaseUrl)
  const of = { tenantId: '000000', isPlatform: true, isAdmin: true }
  platform = world.be({ ...of, userId: '7001' })
  other = world.be({ ...of, userId: '7002' })
  boss = world.be({ tenantId: LEAVES, isAdmin: true, permissions: new Set(['tenant_archive', 'tenantremoval_ask']) })
  const key = `${LEAVES}/upload/20261101/a.txt`
  await server.services.files.put(key, Buffer.from('夜猫的清单'), { contentType: 'text/plain' })
  await rows(
    `insert into stored_file (key, tenant_id, original_name, extension, content_type, size, hash, inline)
      values ($1, $2, 'a.txt', 'txt', 'text/plain', 15, 'x', false)`,
    [key, LEAVES],
  )
  // A user of the platform changed one of its shops, so the platform's log names it.
  const [shop] = await rows(`select id::text as id, shop_name from basic_shop_info where tenant_id = $1 limit 1`, [
    LEAVES,
  ])
  const answer = await server.call(admin, 'POST', '/api/shop/basicShopInfo/submit', {
    body: { id: shop!.id, address: '夜猫路一号' },
  })
  expect(answer.status).toBe(200)
  ownValues = [
    ...(await rows('select shop_name as value from basic_shop_info where tenant_id = $1', [LEAVES])),
    ...(await rows(
      `select phone as value from wx_user where tenant_id = $1 and phone is not null
        and phone not in (select phone from wx_user where tenant_id <> $1 and phone is not null) limit 5`,
      [LEAVES],
    )),
  ].map((one) => one.value as string)
  ownValues.push('夜猫优选', '夜猫路一号', '夜猫的清单')
  await server.jobs.runDue()
}, 240_000)
afterAll(async () => {
  await owner?.end()
  await server?.close()
})

const rows = async (text: string, values: unknown[] = []) =>
  (await server.services.systemPool.query<Record<string, unknown>>(text, values)).rows

const tables = async (): Promise<string[]> =>
  (
    await rows(`select c.oid::regclass::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  ).map(({ name }) => name as string)

const hasTenant = async (table: string): Promise<boolean> =>
  (await rows(`select 1 from pg_attribute where attrelid = $1::regclass and attname = 'tenant_id'`, [table])).length > 0

const ofOwner = async (text: string, values: unknown[] = []) =>
  (await owner.query<Record<string, unknown>>(text, values)).rows

/** Returns the row count and digest of each table. */
async function pictureOf(tenantId: string): Promise<Record<string, unknown>> {
  const picture: Record<string, unknown> = {}
  for (const table of await tables())
    if (await hasTenant(table))
      picture[table] = (
        await rows(
          `select count(*)::int as count, md5(string_agg(t::text, ',' order by t::text)) from ${table} t
            where tenant_id = $1`,
          [tenantId],
        )
      )[0]
  return picture
}

const requestRemoval = (who: TestCaller, tenantId: string, confirm = tenantId) =>
  world.ask(who, 'POST', `${tenantRemoval.path}/ask`, { body: { tenantId, confirm } })
const act = (who: TestCaller, name: string, id: string, body: object = {}) =>
  world.ask(who, 'POST', `${tenantRemoval.path}/${name}`, { body: { id, ...body } })

const removalJob = productModules
  .flatMap((module): readonly ModuleJob[] => module.jobs ?? [])
  .find((job) => job.queue === 'system.tenantRemoval')!
const continueRemoval = (signal: Pick<AbortSignal, 'throwIfAborted'> = new AbortController().signal) =>
  removalJob.run(
    {},
    { services: server.services, signal: signal as AbortSignal, tenantId: '000000', jobId: '1', attempt: 1 },
  )

async function archived(): Promise<Map<string, Buffer>> {
  const { id } = (await server.call(admin, 'POST', `${base}/archive`, { body: { tenantId: LEAVES } })).data
  await server.jobs.runDue()
  expect((await server.call(admin, 'GET', `/api/kit/tasks/${id}`)).data).toMatchObject({ state: 'done' })
  const { ticket } = (await server.call(admin, 'POST', `/api/kit/tasks/${id}/ticket`)).data
  const response = await server.http.inject({ method: 'GET', url: `/api/kit/download/${ticket}` })
  expect(response.headers['content-type']).toBe('application/zip')
  const out = new Map<string, Buffer>()
  const found = readZipEntries(response.rawPayload)
  for (const one of found.values()) out.set(one.name, await buffer(Readable.from(unpackZipEntry(one, { left: 1e9 }))))
  return out
}

test('all of a tenant goes out in one archive, counted and summed, and nothing of others or secret', async () => {
  const files = await archived()
  const manifest = JSON.parse(files.get('manifest.json')!.toString())
  const before = await pictureOf(LEAVES)
  const exported = new Map<string, { rows: number }>(manifest.tables.map((one: { table: string }) => [one.table, one]))
  const kept = Object.entries(before).filter(([table]) => !manifest.omittedTables.includes(table))
  for (const [table, picture] of kept) {
    const { count } = picture as { count: number }
    expect([table, exported.get(table)?.rows ?? 0]).toEqual([table, count])
  }
  for (const { file, sha256, rows: count, omitted } of manifest.tables) {
    const bytes = files.get(file)!
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    const lines = bytes.toString().trim().split('\n')
    expect(lines.length).toBe(count)
    for (const line of lines) {
      const row = JSON.parse(line)
      expect(row.tenant_id).toBe(LEAVES)
      for (const name of omitted) expect(row).not.toHaveProperty(name)
    }
  }
  expect(manifest.omittedTables.toSorted()).toEqual([
    'job',
    'session',
    'session_refresh',
    'user_password',
    'wechat_token',
  ])
  expect(manifest.tables.find((one: { table: string }) => one.table === 'sys_user').omitted).toContain('password')
  const all = Buffer.concat([...files.values()]).toString()
  expect(all).not.toMatch(/\$(argon2|scrypt|2[aby])|sealed[12]:/)
  expect(all).toContain(ownValues[0])
  expect(files.get(`files/${LEAVES}/upload/20261101/a.txt`)!.toString()).toBe('夜猫的清单')
})

test('a tenant is not removed by itself, while it is open or without its number, and the platform never', async () => {
  expect((await world.ask(boss, 'POST', `${base}/archive`, { body: { tenantId: LEAVES } })).data.reason).toBe(
    'platform_only',
  )
  expect((await requestRemoval(boss, LEAVES)).data.reason).toBe('platform_only')
  expect((await requestRemoval(platform, '000000')).data.reason).toBe('management_tenant_stays')
  expect((await requestRemoval(platform, LEAVES, STAYS)).data.reason).toBe('removal_unconfirmed')
  expect((await requestRemoval(platform, LEAVES)).data.reason).toBe('tenant_still_open')
  expect((await requestRemoval(platform, '999999')).status).toBe(404)
  await flushLogs(server.services)
})

const close = () =>
  rows(`update tenant set expire_time = $2 where tenant_id = $1`, [LEAVES, new Date(now.getTime() - 1000)])

test('a removal is asked for once, and one that is called off leaves everything', async () => {
  await close()
  const before = await pictureOf(LEAVES)
  const { id } = (await requestRemoval(platform, LEAVES)).data
  expect((await requestRemoval(other, LEAVES)).data.reason).toBe('removal_twice')
  await continueRemoval()
  expect((await act(platform, 'cancel', id)).status).toBe(200)
  expect((await act(other, 'hurry', id, { confirm: LEAVES })).status).not.toBe(200)
  now = new Date(now.getTime() + 31 * 86_400_000)
  await continueRemoval()
  now = new Date(now.getTime() - 31 * 86_400_000)
  expect(await pictureOf(LEAVES)).toEqual(before)
})

test('a tenant that is opened again before it is due is not removed', async () => {
  await close()
  const { id } = (await requestRemoval(platform, LEAVES)).data
  await act(other, 'hurry', id, { confirm: LEAVES })
  await rows(`update tenant set expire_time = null where tenant_id = $1`, [LEAVES])
  await continueRemoval()
  expect(await rows('select state from tenant_removal where id = $1', [id])).toEqual([{ state: 'cancelled' }])
  expect(await rows('select 1 as one from tenant where tenant_id = $1 and is_deleted = 0', [LEAVES])).toEqual([
    { one: 1 },
  ])
})

test('nobody takes rows of a tenant whose removal is not under way', async () => {
  await expect(rows(`select take_rows_of_tenant('log_api_past', $1, 10)`, [STAYS])).rejects.toThrow('is under way')
  await expect(
    server.services.unit({ tenantId: STAYS }, (db) => db.run(sql`select take_rows_of_tenant('tenant', ${STAYS}, 1)`)),
  ).rejects.toThrow('permission denied')
})

/** Returns the tables that contain one of these words. */
async function foundIn(words: readonly string[]): Promise<string[]> {
  const places: string[] = []
  for (const table of await tables()) {
    const [found] = await ofOwner(
      `select count(*)::int as count, min(t::text) as one from ${table} t where t::text ~ any($1)`,
      [words],
    )
    if (found!.count) places.push(`${table}: ${String(found!.one).slice(0, 300)}`)
  }
  return places
}

async function filesHolding(words: readonly string[]): Promise<string[]> {
  const folder = join(server.services.config.dataDir, 'files')
  const places: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const text = `${path.slice(folder.length)} ${entry.isFile() ? await readFile(path, 'latin1') : ''}`
    if (words.some((word) => text.includes(Buffer.from(word).toString('latin1')))) places.push(path)
  }
  return places
}

test('a removal that is cut off goes on: nothing of the tenant is left, nothing of others has changed', async () => {
  // The database's clock went on.
  now = new Date()
  await close()
  const { id } = (await requestRemoval(platform, LEAVES)).data
  expect((await act(platform, 'hurry', id, { confirm: LEAVES })).data.reason).toBe('removal_second_person')
  expect((await act(other, 'hurry', id, { confirm: 'x' })).data.reason).toBe('removal_unconfirmed')
  expect((await act(other, 'hurry', id, { confirm: LEAVES })).status).toBe(200)
  const [was, others] = [await pictureOf(LEAVES), await pictureOf(STAYS)]

  const number = `(^|[^0-9])${LEAVES}([^0-9]|$)`
  expect((await foundIn([number, ...ownValues])).length).toBeGreaterThan(50)
  expect(
    await ofOwner(`select 1 as one from log_api where tenant_id = '000000' and params ~ '夜猫路一号'`),
  ).toHaveLength(1)
  expect((await filesHolding([LEAVES, ...ownValues])).length).toBeGreaterThan(0)

  let looks = 0
  const cut = {
    throwIfAborted: () => {
      if (++looks > 40) throw new Error('the process ends')
    },
  }
  await expect(continueRemoval(cut)).rejects.toThrow('the process ends')
  expect((await act(platform, 'cancel', id)).status).not.toBe(200)
  await continueRemoval()
  expect(await rows('select state from tenant_removal where id = $1', [id])).toEqual([{ state: 'running' }])
  // Rows written late, such as log lines, are removed too, and the waiting time begins again.
  let row: Record<string, unknown> | undefined
  for (let turn = 0; turn < 3 && row?.state !== 'done'; turn++) {
    now = new Date(now.getTime() + 61_000)
    await continueRemoval()
    ;[row] = await rows('select * from tenant_removal where id = $1', [id])
  }
  expect(row).toMatchObject({ state: 'done', rows_left: '0', files_left: '0' })
  const certificate = row!.certificate as string
  expect(createHash('sha256').update(certificate).digest('hex')).toBe(row!.digest)
  const { count: orders } = was.shopping_order as { count: number }
  expect(orders).toBeGreaterThan(0)
  expect(certificate).toContain(`\nshopping_order ${orders} 0\n`)
  const untold: string[] = []
  for (const table of await tables())
    if ((await hasTenant(table)) && !new RegExp(`\n${table} \\d+ 0\n`).test(certificate)) untold.push(table)
  expect(untold).toEqual([])
  expect(await pictureOf(STAYS)).toEqual(others)
  expect((await foundIn([number, ...ownValues])).map((one) => one.split(':')[0])).toEqual(['tenant_removal'])
  expect(await filesHolding([LEAVES, ...ownValues])).toEqual([])
  expect((await requestRemoval(platform, LEAVES)).status).toBe(404)
})
