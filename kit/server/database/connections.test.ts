import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { byPort } from '#tests/support/tcp-proxy.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { noteResource } from '#tests/support/notes.ts'
import { DatabaseUnavailableError, openClient, CommitOutcomeUnknownError } from './connections.ts'
import {
  withConnectionLimits,
  createPool,
  empty,
  readBatch,
  sql,
  unitOfWork,
  type Db,
  type Pool,
  type Sql,
} from './db.ts'
import { admissionControlOf } from './acquire.ts'
import { createJobWorker, defineQueue, jobTablesSql } from '../jobs/index.ts'
import { defineJob } from '../jobs/job.ts'
import { enqueue } from './enqueue.ts'
import { defineModule, defineRoute, serve } from '../module/module.ts'
import { startSampleApp, createSampleCaller, type SampleApp } from '#tests/support/sample-app.ts'

const { label } = noteResource
const own = { signedIn: 'a test' } as const
/** Timeout for a busy machine. */
const SOON = { timeout: 30_000 }

let database: TestDatabase
let sample: SampleApp
let handledCalls = 0
/** SQL condition added to the list of notes, which a test sets. */
let sought: Sql = empty
let meanwhile: (db: Db) => Promise<unknown> = async () => {}

const handle = ({ db }: { db: Db }) => {
  handledCalls++
  return meanwhile(db)
}
const writeRoute = defineRoute({ method: 'POST', path: '/api/t/work', title: label, can: own, handle })
const readRoute = defineRoute({ method: 'GET', path: '/api/t/look', title: label, can: own, handle })

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  const nowhere = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`)
  sample = await startSampleApp(
    database.url,
    [
      defineModule({
        name: 'notes',
        label,
        resources: [serve(noteResource, { where: () => sought })],
        routes: [writeRoute, readRoute],
      }),
    ],
    nowhere,
  )
  sample.callers.set('wu', createSampleCaller({ permissions: new Set(['note']) }))
})
beforeEach(() => {
  handledCalls = 0
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

const request = async (method: 'GET' | 'POST', url: string, lang = 'en') => {
  const answer = await sample.app.inject({ method, url, headers: { 'blade-auth': 'wu', 'accept-language': lang } })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}
/** Ends every connection to this database but the asking one, as a failover or a pooler would. */
const cutAll = () =>
  sample.owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> ' +
      'pg_backend_pid()',
  )
const cutMine = async (db: Db) => {
  const own = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await sample.owner.query('select pg_terminate_backend($1)', [own!.pid])
  // No statement runs while the connection dies, so the driver only emits an event.
  await vi.waitFor(
    async () =>
      expect((await sample.owner.query('select from pg_stat_activity where pid = $1', [own!.pid])).rowCount).toBe(0),
    SOON,
  )
}
const texts = async () =>
  (await sample.owner.query<{ text: string }>('select text from note order by text')).rows.map((row) => row.text)

test(
  'calls under way when all connections are cut answer 503 with “try again”, ' +
    'change nothing, and the process lives on',
  async () => {
    meanwhile = async (db) => {
      await db.insert(noteResource, { text: 'lost' })
      await db.query(sql`select pg_sleep(30)`)
    }
    const calls = Array.from({ length: 5 }, () => request('POST', '/api/t/work'))
    await vi.waitFor(() => expect(handledCalls).toBe(5), SOON)
    await vi.waitFor(
      async () =>
        expect(
          (
            await sample.owner.query(
              "select from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid " +
                '<> pg_backend_pid()',
            )
          ).rowCount,
        ).toBe(5),
      SOON,
    )
    await cutAll()
    for (const { status, body, headers } of await Promise.all(calls)) {
      expect(status).toBe(503)
      expect(body).toMatchObject({
        code: 503,
        success: false,
        data: { reason: 'unavailable' },
        msg: expect.stringContaining('Try again'),
      })
      expect(headers['retry-after']).toBe('2')
    }
    expect(handledCalls).toBe(5)
    expect(await texts()).toEqual([])
    meanwhile = (db) => db.insert(noteResource, { text: 'kept' })
    expect((await request('POST', '/api/t/work')).status).toBe(200)
    expect(await texts()).toEqual(['kept'])
  },
)

test('a client that works when its connection is cut hears of it in its own transaction and nowhere else', async () => {
  const pool = createPool(database.url, { max: 2 })
  const during = async (db: Db) => {
    await cutMine(db)
    await db.query(sql`select 1`)
  }
  await expect(unitOfWork(pool, { tenantId: '100001' }, { userId: '1', deptId: null }, during)).rejects.toBeInstanceOf(
    DatabaseUnavailableError,
  )
  // Lost before COMMIT was sent, so the outcome is known: nothing was saved.
  const noticed = async (db: Db) => {
    await cutMine(db)
    await vi.waitFor(() => expect(db.query(sql`select 1`)).rejects.toThrow(/^Client /), SOON)
  }
  await expect(unitOfWork(pool, { tenantId: '100001' }, { userId: '1', deptId: null }, noticed)).rejects.toBeInstanceOf(
    DatabaseUnavailableError,
  )
  expect(pool.totalCount).toBe(0)
  expect(
    await unitOfWork(pool, { tenantId: '100001' }, { userId: '1', deptId: null }, (db) => db.one(sql`select 1 as one`)),
  ).toEqual({ one: 1 })
  await pool.end()
})

test('what only looks is asked again on another connection, and nobody notices', async () => {
  let isFirst = true
  meanwhile = async (db) => {
    if (isFirst) {
      isFirst = false
      await cutMine(db)
    }
    return db.query(sql`select 1 as one`)
  }
  expect(await request('GET', '/api/t/look')).toMatchObject({ status: 200, body: { data: [{ one: 1 }] } })
  expect(handledCalls).toBe(2)
  const list = request('GET', '/api/t/note/list')
  await cutAll()
  expect((await list).status).toBe(200)
})

/** Waits until the pool has noticed its lost connections: as many parallel calls as it has places all succeed. */
async function steady(): Promise<void> {
  meanwhile = (db) => db.query(sql`select 1`)
  await vi.waitFor(async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => request('POST', '/api/t/work')))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  }, SOON)
  handledCalls = 0
}

test('a commit whose answer was lost is not repeated and not called a failure: it says that nobody knows', async () => {
  await steady()
  await sample.owner.query(`drop trigger if exists die on note;
    create or replace function die() returns trigger language plpgsql security definer as $$ begin perform
    pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger die after insert on note deferrable initially deferred for each row
    when (new.text = 'die') execute function die()`)
  meanwhile = (db) => db.insert(noteResource, { text: 'die' })
  const { status, body } = await request('POST', '/api/t/work')
  expect([status, body.data.reason]).toEqual([503, 'outcome_unknown'])
  expect(body.msg).toContain('Check whether your change was saved')
  expect(handledCalls).toBe(1)
  const unit = unitOfWork(sample.services.pool, { tenantId: '100001' }, { userId: '1', deptId: null }, (db) =>
    db.insert(noteResource, { text: 'die' }),
  )
  await expect(unit).rejects.toBeInstanceOf(CommitOutcomeUnknownError)
})

test('a list that is cut short because it takes too long says what to ask instead', async () => {
  sought = sql` and (select pg_sleep(30)) is not null`
  const cut = async () => {
    const { rows } = await sample.owner.query<{ isCut: boolean }>(
      `select pg_cancel_backend(pid) as "isCut" from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep%'
          and state = 'active'`,
    )
    expect(rows).toEqual([{ isCut: true }])
  }
  try {
    const list = request('GET', '/api/t/note/list')
    await vi.waitFor(cut, SOON)
    const { status, body } = await list
    expect([status, body.data.reason]).toEqual([400, 'list_too_long'])
    expect(body.msg).toContain('enter more of the text')
  } finally {
    sought = empty
  }
})

test('a database without room is no crash: it says so with 503, changes nothing and stays readable', async () => {
  for (const code of ['53100', '53200', '25006']) {
    meanwhile = async () => {
      throw Object.assign(new Error('could not extend file'), { code })
    }
    const { status, body } = await request('POST', '/api/t/work')
    expect([status, body.data.reason]).toEqual([503, code === '53100' ? 'disk_full' : 'unavailable'])
  }
  sample.services.isFull = () => true
  meanwhile = (db) => db.insert(noteResource, { text: 'no room' })
  handledCalls = 0
  expect((await request('POST', '/api/t/work')).body).toMatchObject({ code: 503, data: { reason: 'disk_full' } })
  expect(handledCalls).toBe(0)
  expect((await request('GET', '/api/t/note/list')).status).toBe(200)
  sample.services.isFull = undefined
  expect((await request('POST', '/api/t/work')).status).toBe(200)
})

test('a worker whose connections are cut under a running job takes and ends jobs again', async () => {
  const pool = createPool(database.url, { max: 3, role: 'store_platform' })
  await sample.owner.query(jobTablesSql)
  await sample.owner.query(
    'grant all on all tables in schema public to store_platform; grant all on all sequences in schema public to ' +
      'store_platform',
  )
  const done: number[] = []
  const job = defineJob({
    queue: defineQueue<{ n: number }>('count'),
    backoffSeconds: () => 0,
    run: async ({ n }) => {
      if (n === 1 && !done.includes(1)) {
        done.push(1)
        await cutAll()
      }
      done.push(n)
    },
  })
  const worker = createJobWorker({ pool, jobs: [job], leaseMs: 500, pollMs: 50 })
  await worker.start()
  await enqueue(sample.owner, { queue: 'count', tenantId: '100001', payload: { n: 1 } })
  await vi.waitFor(() => expect(done).toContain(1), SOON)
  await enqueue(sample.owner, { queue: 'count', tenantId: '100001', payload: { n: 2 } })
  await vi.waitFor(
    async () => expect((await sample.owner.query("select from job where state = 'done'")).rowCount).toBe(2),
    SOON,
  )
  await worker.stop(0)
  await pool.end()
})

test(
  'when all connections are taken a call is told so soon, the other tenant’s is served, ' +
    'and reads do not queue behind writes',
  async () => {
    sample.callers.set('li', createSampleCaller({ tenantId: '100002', permissions: new Set(['note']) }))
    Object.assign(sample.services.config, { acquireTimeoutMs: 100 })
    let finish = () => {}
    const end = new Promise<void>((resolve) => (finish = resolve))
    meanwhile = () => end
    const slow = Array.from({ length: 5 }, () => request('POST', '/api/t/work'))
    await vi.waitFor(() => expect(handledCalls).toBe(5), SOON)
    const refused = await request('POST', '/api/t/work')
    expect([refused.status, refused.body.data.reason, refused.headers['retry-after']]).toEqual([503, 'crowded', '2'])
    const other = await sample.app.inject({ method: 'GET', url: '/api/t/note/list', headers: { 'blade-auth': 'li' } })
    expect(other.statusCode).toBe(200)
    finish()
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200)
    expect(admissionControlOf(sample.services.pool).waiting()).toBe(0)
  },
)

test(
  'what a rush asks beyond what can be answered in time is turned away at the door: nothing is ' +
    'read for it, and the other tenant is let in',
  async () => {
    sample.callers.set('li', createSampleCaller({ tenantId: '100002', permissions: new Set(['note']) }))
    Object.assign(sample.services.config, { acquireTimeoutMs: 60_000 })
    await request('GET', '/api/t/note/list')
    let finish = () => {}
    const end = new Promise<void>((resolve) => (finish = resolve))
    meanwhile = () => end
    const rush = Array.from({ length: 96 }, () => request('POST', '/api/t/work'))
    await vi.waitFor(() => expect(admissionControlOf(sample.services.pool).waiting()).toBe(91), SOON)
    const refused = await request('POST', '/api/t/work', 'zh')
    expect([refused.status, refused.body.data.reason, refused.headers['retry-after']]).toEqual([503, 'crowded', '2'])
    expect(refused.body.msg).toMatch(/请稍后再试/)
    expect(admissionControlOf(sample.services.pool).waiting()).toBe(91)
    const other = await sample.app.inject({ method: 'GET', url: '/api/t/note/list', headers: { 'blade-auth': 'li' } })
    expect(other.statusCode).toBe(200)
    finish()
    for (const { status } of await Promise.all(rush)) expect(status).toBe(200)
    expect(handledCalls).toBe(96)
    meanwhile = async () => {}
    expect((await request('POST', '/api/t/work')).status).toBe(200)
  },
)

test('without a server to connect to, everything asked of the database says so', async () => {
  const pool: Pool = createPool('postgres://nobody@127.0.0.1:9/none')
  await expect(readBatch(pool, { tenantId: '100001' }, [sql`select 1`])).rejects.toBeInstanceOf(
    DatabaseUnavailableError,
  )
  await expect(pool.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError)
  const write = withConnectionLimits({ lane: 'write', acquireTimeoutMs: 10 }, () =>
    unitOfWork(pool, { tenantId: '100001' }, { userId: '1', deptId: null }, (db) => db.query(sql`select 1`)),
  )
  await expect(write).rejects.toBeInstanceOf(DatabaseUnavailableError)
  expect(admissionControlOf(pool).waiting()).toBe(0)
  await pool.end()
})

/** Starts a server that greets like a standby until it is promoted; then it forwards to the test's own server. */
async function standbyOf(url: string) {
  const { hostname, port } = new URL(url)
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const greeting = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('S', Buffer.from('in_hot_standby\0on\0')),
    message('Z', Buffer.from('I')),
  ])
  const state = { isPromoted: false, knocks: 0 }
  const server = createServer((socket) => {
    state.knocks++
    socket.on('error', () => {})
    if (state.isPromoted) socket.pipe(connect(Number(port), hostname)).pipe(socket)
    else socket.once('data', () => socket.write(greeting))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { state, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

describe('an address of several hosts', () => {
  const severalOf = (...hosts: string[]) => byPort(database.url).replace(/@[^/]+/, `@${hosts.join(',')}`)
  const NO_HOST = '127.0.0.1:9'

  test('leads to the one that takes writes, and the next connection knocks at no other first', async () => {
    const standby = await standbyOf(database.url)
    const pool = createPool(severalOf(NO_HOST, standby.host, new URL(database.url).host), { max: 2 })
    const two = await Promise.all([pool.connect(), pool.connect()])
    for (const client of two) {
      expect((await client.query('show in_hot_standby')).rows).toEqual([{ in_hot_standby: 'off' }])
      client.release()
    }
    const { knocks } = standby.state
    const client = await openClient({ connectionString: pool.options.connectionString })
    expect([knocks > 0, standby.state.knocks]).toEqual([true, knocks])
    await client.end()
    await pool.end()
    standby.close()
  })

  test('leads past a host that lets everybody in and greets nobody, also who set no limit of their own', async () => {
    const knocks: Socket[] = []
    const mute = createServer((socket) => void knocks.push(socket.on('error', () => {})))
    await once(mute.listen(0, '127.0.0.1'), 'listening')
    const several = severalOf(`127.0.0.1:${(mute.address() as AddressInfo).port}`, new URL(database.url).host)
    const client = await openClient({ connectionString: several })
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    expect(knocks.length).toBe(1)
    await client.end()
    for (const socket of knocks) socket.destroy()
    mute.close()
  })

  test('leads nowhere while all are away or standbys, and to a standby as soon as it is promoted', async () => {
    const standby = await standbyOf(database.url)
    const pool = createPool(severalOf(standby.host, NO_HOST))
    await expect(pool.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError)
    expect(standby.state.knocks).toBe(1)
    standby.state.isPromoted = true
    expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    await pool.end()
    standby.close()
  })
})
