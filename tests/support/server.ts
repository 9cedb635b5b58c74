import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServerApp, type ServerApp } from '#apps/server/src/app.ts'
import { seedAllDemoData } from '#apps/server/src/demo/demo.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { filledPath, type CallAnswerOf, type CallDefinition, type CallInputOf } from '#kit/resource/define-call.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { compareAnswers } from './declared-answers.ts'
import { testDatabase, testTemplate } from './database.ts'
import { answerOf, queryText, type Wire } from './world.ts'

export type { Wire as Answer } from './world.ts'

/** Somebody signed in, as `await server.as('admin')` returns it. */
export type CastMember = { token: string; refreshToken: string; userId: string; tenantId: string; account: string }

export type TestRequest = {
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  lang?: 'zh' | 'en'
}

export type TestServer = ServerApp & {
  url: string
  databaseUrl: string
  /** Makes one call as a person, or as nobody, through the whole HTTP stack. */
  call: <T = any>(
    person: CastMember | undefined,
    method: 'GET' | 'POST',
    path: string,
    ask?: TestRequest,
  ) => Promise<Wire<T>>
  /** Makes a declared call as a person, or as nobody; parameters and answer are typed by it. */
  ask: <C extends CallDefinition<any, any, any>>(
    person: CastMember | undefined,
    call: C,
    ...input: Record<never, never> extends CallInputOf<C> ? [input?: CallInputOf<C>] : [input: CallInputOf<C>]
  ) => Promise<Wire<CallAnswerOf<C>>>
  /**
   * Signs in with the password grant of the demo data's script client, once per account. In a test with its own clock,
   * the token lasts thirty days of it.
   */
  as: (account: string, options?: { tenantId?: string; password?: string }) => Promise<CastMember>
  /** Renews a person's tokens, for tests that move the clock further than a token lasts. */
  stay: (person: CastMember) => Promise<void>
  close: () => Promise<void>
}

export const basic = (clientId: string, secret: string) =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

/** A client with the longest token lifetimes, for tests that set the clock days ahead. */
const CLOCKLESS = 'clockless'
const DAY_SECONDS = 24 * 3600

type TestServerOptions = {
  /** Listens on a real port. */
  listen?: boolean
  env?: NodeJS.ProcessEnv
  now?: () => Date
  /** Seeds the demo data with so many days of history. */
  storyDays?: number
}

const startOf = (databaseUrl: string, dataDir: string, host: string) => ({
  port: 0,
  host,
  story: 'demo' as const,
  dataDir,
  databaseUrl,
  publicUrl: 'http://localhost',
  isTest: true,
  corsOrigins: [],
  trustProxy: false,
  generalPerMinute: 0,
  acquireTimeoutMs: 30_000,
})
const small = { LOG_LEVEL: process.env.LOG_LEVEL, DB_POOL: '8' }

/** Returns a template database and files with the demo data, made once per test run. */
const demoTemplate = (days: number) =>
  testTemplate(`story_${days}`, async (url, folder) => {
    const app = await createServerApp(startOf(url, folder, 'inject'), small)
    await app.start()
    try {
      await seedAllDemoData(app.services, () => {}, { days })
      // Runs the jobs the demo data left, so that copies start without that work.
      await app.jobs.runDue()
    } finally {
      await app.stop()
    }
  })

/** Starts the product in this process on its own copy of the prepared database. Close it in `afterAll`. */
export async function testServer({
  listen = false,
  env = {},
  now,
  storyDays,
}: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'store-test-'))
  const template = storyDays ? await demoTemplate(storyDays) : undefined
  if (template) await cp(template.folder, dataDir, { recursive: true })
  const database = await testDatabase(template)
  const remove = async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const start = startOf(database.url, dataDir, listen ? '127.0.0.1' : 'inject')
  const { app, url } = await startedApp(start, { ...small, ...env }, now).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const call = callerOf(app)
  if (now)
    await app.services.systemPool.query(
      `insert into sys_client (id, client_id, client_secret, authorized_grant_types, scope, access_token_validity,
        refresh_token_validity) select id + 1, $1, $2, authorized_grant_types, scope, $3, $4
        from sys_client where client_id = 'script' on conflict do nothing`,
      [CLOCKLESS, `${CLOCKLESS}_secret`, 30 * DAY_SECONDS, 365 * DAY_SECONDS],
    )
  return {
    ...app,
    url,
    databaseUrl: database.url,
    call,
    ask: (person, declared, ...[input]) => {
      const [path, rest] = filledPath(declared.path, input ?? {})
      return call(person, declared.method, path, declared.method === 'GET' ? { query: rest } : { body: rest })
    },
    as: signerIn(app, call, now ? CLOCKLESS : 'script'),
    stay: (person) => refresh(call, now ? CLOCKLESS : 'script', person),
    close: async () => {
      await app.stop()
      await remove()
    },
  }
}

/** Starts the product; on failure stops what was started. */
async function startedApp(...params: Parameters<typeof createServerApp>): Promise<{ app: ServerApp; url: string }> {
  const app = await createServerApp(...params)
  try {
    compareAnswers(app.http, app.routes)
    return { app, url: await app.start() }
  } catch (error) {
    await app.stop()
    throw error
  }
}

const callerOf =
  ({ http }: ServerApp): TestServer['call'] =>
  async (person, method, path, ask = {}) => {
    const response = await http.inject({
      method,
      url: `${path}${queryText(ask.query)}`,
      headers: {
        ...(person ? { 'blade-auth': `bearer ${person.token}` } : {}),
        ...(ask.lang === 'en' ? { 'accept-language': 'en' } : {}),
        ...(ask.body !== undefined ? { 'content-type': 'application/json' } : {}),
        ...ask.headers,
      },
      ...(ask.body !== undefined
        ? { payload: typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body) }
        : {}),
    })
    return answerOf(response)
  }

/** Renews the tokens of a person in place. */
async function refresh(call: TestServer['call'], client: string, person: CastMember): Promise<void> {
  const { tenantId, refreshToken } = person
  const { status, body } = await call(undefined, 'POST', '/api/blade-auth/oauth/token', {
    query: { grant_type: 'refresh_token', tenantId, refresh_token: refreshToken, scope: 'all' },
    headers: { authorization: basic(client, `${client}_secret`), 'tenant-id': tenantId },
  })
  if (status !== 200) throw new Error(`${person.account} cannot stay signed in: ${JSON.stringify(body)}`)
  Object.assign(person, { token: body.access_token, refreshToken: body.refresh_token })
}

/** Returns a function that signs people in, each once. */
function signerIn(app: ServerApp, call: TestServer['call'], client: string): TestServer['as'] {
  const people = new Map<string, CastMember>()
  return async (account, { tenantId = MANAGEMENT_TENANT, password = account } = {}) => {
    const key = `${tenantId}/${account}/${password}`
    const known = people.get(key)
    if (known) return known
    const answer = await call(undefined, 'POST', '/api/blade-auth/oauth/token', {
      query: {
        grant_type: 'password',
        tenantId,
        username: account,
        password: md5Hex(password),
        scope: 'all',
        type: 'account',
      },
      headers: { authorization: basic(client, `${client}_secret`), 'tenant-id': tenantId },
    })
    // Skips the obligatory change of the first password; tests of that sign in themselves.
    if (answer.body?.must_change_password)
      await app.services.systemPool.query('update sys_user set must_change_password = false where id = $1', [
        answer.body.user_id,
      ])
    if (answer.status !== 200) throw new Error(`${key} cannot sign in: ${JSON.stringify(answer.body)}`)
    const person = {
      token: answer.body.access_token,
      refreshToken: answer.body.refresh_token,
      userId: answer.body.user_id,
      tenantId: answer.body.tenant_id,
      account,
    }
    people.set(key, person)
    return person
  }
}
