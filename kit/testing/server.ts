import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App } from '#apps/server/src/app.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { testDatabase } from './database.ts'

export type Answer<T = any> = { status: number; code: number; success: boolean; data: T; msg: string; body: any; headers: Record<string, unknown> }

/** Someone who signed in: `await server.as('admin')`. */
export type Person = { token: string; refreshToken: string; userId: string; tenantId: string; account: string }

export type Ask = { query?: Record<string, unknown>; body?: unknown; headers?: Record<string, string>; lang?: 'zh' | 'en' }

export type TestServer = App & {
  url: string
  databaseUrl: string
  /** One call as a person (or nobody), through the whole HTTP stack. */
  call: <T = any>(person: Person | undefined, method: 'GET' | 'POST', path: string, ask?: Ask) => Promise<Answer<T>>
  /** Signs in by the password grant of the story's script client; the same session is used again. */
  as: (account: string, options?: { tenantId?: string; password?: string }) => Promise<Person>
  close: () => Promise<void>
}

const queryOf = (query: Record<string, unknown> = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}` : ''
}

export const basic = (clientId: string, secret: string) => `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

/** The product in this process on a database of its own (a copy of the prepared template). `listen` opens a real port. Close it in `afterAll`. */
export async function testServer({ listen = false, env = {}, now }: { listen?: boolean; env?: NodeJS.ProcessEnv; now?: () => Date } = {}): Promise<TestServer> {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'store-test-'))
  const app = await createApp(
    { port: 0, host: listen ? '127.0.0.1' : 'inject', story: 'demo', dataDir, databaseUrl: database.url, publicUrl: 'http://localhost', isTest: true, corsOrigins: [], trustProxy: false, generalPerMinute: 0 },
    { LOG_LEVEL: process.env.LOG_LEVEL, DB_POOL: '8', ...env }, now,
  )
  const url = await app.start()
  const people = new Map<string, Person>()
  const call: TestServer['call'] = async (person, method, path, ask = {}) => {
    const response = await app.http.inject({
      method, url: `${path}${queryOf(ask.query)}`,
      headers: {
        ...(person ? { 'blade-auth': `bearer ${person.token}` } : {}), ...(ask.lang === 'en' ? { 'accept-language': 'en' } : {}),
        ...(ask.body !== undefined ? { 'content-type': 'application/json' } : {}), ...ask.headers,
      },
      ...(ask.body !== undefined ? { payload: typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body) } : {}),
    })
    let body: any
    try {
      body = JSON.parse(response.body)
    } catch {
      body = response.body
    }
    return { status: response.statusCode, code: body?.code, success: body?.success, data: body?.data, msg: body?.msg, body, headers: response.headers }
  }
  return {
    ...app, url, databaseUrl: database.url, call,
    as: async (account, { tenantId = '000000', password = account } = {}) => {
      const key = `${tenantId}/${account}/${password}`
      const known = people.get(key)
      if (known) return known
      const answer = await call(undefined, 'POST', '/api/blade-auth/oauth/token', {
        query: { grant_type: 'password', tenantId, username: account, password: md5Hex(password), scope: 'all', type: 'account' },
        headers: { authorization: basic('script', 'script_secret'), 'tenant-id': tenantId },
      })
      if (answer.status !== 200) throw new Error(`${key} cannot sign in: ${JSON.stringify(answer.body)}`)
      const person = { token: answer.body.access_token, refreshToken: answer.body.refresh_token, userId: answer.body.user_id, tenantId: answer.body.tenant_id, account }
      people.set(key, person)
      return person
    },
    close: async () => {
      await app.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
