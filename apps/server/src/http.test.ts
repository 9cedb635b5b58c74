import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createTestWorld } from '#tests/support/world.ts'
import { readConfig } from './config.ts'
import { registerNotFoundHandler, createHttpServer } from './http.ts'

let server: TestServer
let admin: CastMember
beforeAll(async () => {
  server = await testServer()
  admin = await server.as('admin')
})
afterAll(() => server?.close())

describe('an answer of the API', () => {
  test(
    'is kept by nobody on the way, be it a list, a refusal, a crash of the ' + 'asker or a path that is not there',
    async () => {
      const requests = [
        [admin, 'GET', '/api/blade-user/page'],
        [undefined, 'GET', '/api/blade-user/page'],
        [undefined, 'GET', '/api/blade-auth/oauth/captcha'],
        [admin, 'GET', '/api/no/such'],
        [admin, 'POST', '/api/blade-user/page'],
        [admin, 'GET', '/%61pi/blade-user/page'],
        [admin, 'POST', '/api/blade-user/submit'],
      ] as const
      for (const [who, method, path] of requests) {
        const { status, headers } = await server.call(who, method, path, method === 'POST' ? { body: '{' } : {})
        expect([path, status, headers['cache-control']]).toEqual([path, status, 'no-store'])
      }
    },
  )

  test('may be neither run nor framed, be it a list, a refusal, a path that is not there or a stream', async () => {
    const live = await server.http.inject({
      url: '/api/live',
      headers: { 'blade-auth': admin.token },
      payloadAsStream: true,
    })
    live.stream().destroy()
    const paths = ['/api/blade-user/page', '/api/blade-user/detail?id=x', '/api/no/such', '/%61pi/no/such']
    const answers = await Promise.all(paths.map((path) => server.call(admin, 'GET', path)))
    for (const { headers } of [live, ...answers])
      expect(headers).toMatchObject({
        'cache-control': expect.stringContaining('no-store'),
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
    expect(live.headers['content-type']).toContain('text/event-stream')
  })

  test('that is a document bears what a document must, and so does what is no answer of the API', async () => {
    const app = await createHttpServer(server.services, 0)
    app.get('/api/page', async (_request, reply) => reply.type('text/html').send('<p>'))
    app.get('/page', async (_request, reply) => reply.type('text/html').send('<p>'))
    app.get('/api/own', async (_request, reply) =>
      reply.type('text/html').header('content-security-policy', 'sandbox').send('<p>'),
    )
    const bearing = {
      'content-security-policy': expect.stringContaining("script-src 'self' 'wasm-unsafe-eval'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'same-origin',
    }
    for (const path of ['/api/page', '/page']) expect((await app.inject(path)).headers).toMatchObject(bearing)
    const { headers } = await app.inject('/api/own')
    expect(headers).toMatchObject({ ...bearing, 'content-security-policy': 'sandbox' })
    await app.close()
  })

  test('says so itself where it may be kept', async () => {
    const form = new FormData()
    form.append('file', new Blob(['name\n']), 'a.csv')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const put = await server.http.inject({
      method: 'POST',
      url: '/api/blade-resource/oss/endpoint/put-file',
      payload: Buffer.from(await request.arrayBuffer()),
      headers: { 'content-type': request.headers.get('content-type')!, 'blade-auth': `bearer ${admin.token}` },
    })
    const file = await server.http.inject({ url: put.json().data.link })
    expect([file.statusCode, file.headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')])
  })
})

test('a browser on another address asks where one is named, and nowhere else', async () => {
  const requestFrom = async (origin: string, corsOrigins: string[], method: 'GET' | 'OPTIONS' = 'OPTIONS') => {
    const services = { ...server.services, config: { ...server.services.config, corsOrigins } }
    const app = await createHttpServer(services, 0)
    app.get('/api/x', async () => ({}))
    registerNotFoundHandler(app, new Set(['/api/x']))
    const headers = { origin, 'access-control-request-method': 'GET' }
    const answer = await app.inject({ method, url: '/api/x', headers })
    await app.close()
    return [answer.statusCode, answer.headers['access-control-allow-origin']]
  }
  const [named, other] = ['https://shop.example.com', 'https://other.example.com']
  expect(await requestFrom(named, [named])).toEqual([204, named])
  expect(await requestFrom(named, [named], 'GET')).toEqual([200, named])
  expect(await requestFrom(other, [named])).toEqual([405, undefined])
  expect(await requestFrom(other, [named], 'GET')).toEqual([200, undefined])
  expect(await requestFrom(named, [])).toEqual([405, undefined])
  expect(await requestFrom(named, [], 'GET')).toEqual([200, undefined])
})

describe('behind proxies', () => {
  const addressSeen = async (proxies: string | undefined, forwarded: string, remoteAddress = '10.0.0.9') => {
    const services = {
      ...server.services,
      config: { ...server.services.config, trustProxy: readConfig([], { TRUST_PROXY: proxies }).trustProxy },
    }
    const app = await createHttpServer(services, 0)
    app.get('/ip', async (request) => request.ip)
    const { body } = await app.inject({ url: '/ip', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    await app.close()
    return body
  }

  test(
    'a client’s address is the one the nearest proxy saw; what the ' + 'client wrote itself is not believed',
    async () => {
      expect(await addressSeen(undefined, '203.0.113.7')).toBe('10.0.0.9')
      expect(await addressSeen('false', '203.0.113.7')).toBe('10.0.0.9')
      expect(await addressSeen('true', '1.2.3.4, 203.0.113.7')).toBe('203.0.113.7')
      expect(await addressSeen('true', '1.2.3.4', '203.0.114.9')).toBe('203.0.114.9')
      expect(await addressSeen('1', '1.2.3.4, 203.0.113.7')).toBe('203.0.113.7')
      expect(await addressSeen('2', '1.2.3.4, 203.0.113.7, 10.0.0.8')).toBe('203.0.113.7')
      expect(await addressSeen('10.0.0.0/8', '1.2.3.4, 203.0.113.7, 10.0.0.8')).toBe('203.0.113.7')
      expect(await addressSeen('loopback', '203.0.113.7')).toBe('10.0.0.9')
    },
  )

  test('a setting nobody can follow is refused at the start', () => {
    for (const proxies of ['yes', '10.0.0.0/33', '1.2.3', '-1', 'proxy.example.com', '::1/200'])
      expect(() => readConfig([], { TRUST_PROXY: proxies })).toThrow('TRUST_PROXY')
  })
})

describe('a body that is not read yet', () => {
  const MEGABYTES = 3
  const long = `[${'[],'.repeat((MEGABYTES * 1_048_576) / 3)}1]`
  const post = (url: string, type: string) =>
    server.http.inject({ method: 'POST', url, payload: long, headers: { 'content-type': type } })

  test(
    'is refused by its length where files are taken, whatever it is said to be: ' +
      'parsing it would hold everybody up',
    async () => {
      const uploads = server.services.registry.modules.flatMap(({ routes = [] }) =>
        routes.filter(({ uploadMaxBytes }) => uploadMaxBytes),
      )
      expect(uploads.length).toBeGreaterThan(4)
      for (const { path } of uploads) {
        for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          expect([path, type, (await post(path, type)).statusCode]).toEqual([path, type, 413])
        }
      }
    },
  )

  test('and is not parsed at all for a stranger where a long one is taken', async () => {
    const answers = await Promise.all(
      ['[', '{"sales":[]}'].map((payload) =>
        server.http.inject({
          method: 'POST',
          url: '/api/terminal/sales',
          payload,
          headers: { 'content-type': 'application/json' },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect((await post('/api/terminal/sales', 'application/json')).statusCode).toBe(401)
  })
})

test('data that nests too deep is refused and crashes nothing, as a body, as a text in it and in a form', async () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const save = (payload: string, type = 'application/json') =>
    server.http.inject({
      method: 'POST',
      url: '/api/kit/settings/deep',
      payload,
      headers: { 'content-type': type, 'blade-auth': `bearer ${admin.token}` },
    })
  for (const levels of [200, 5000, 400_000]) {
    expect([levels, (await save(`{"value":${deep(levels)}}`)).json().data]).toEqual([levels, { reason: 'bad_body' }])
    expect([levels, (await save(`{"value":"${deep(levels)}"}`)).statusCode]).toEqual([levels, 400])
    expect([levels, (await save(`value=${deep(levels)}`, 'application/x-www-form-urlencoded')).statusCode]).toEqual([
      levels,
      400,
    ])
  }
  expect((await save(`{"value":{"a":${deep(50)},"words":"${'['.repeat(300)} \\" {"}}`)).statusCode).toBe(200)
})

describe('files', () => {
  const BOUNDARY = 'x-boundary'
  const PART = Buffer.alloc(1_048_576, 'a')
  const PARTS = 5

  /** A slow upload: returns how many bytes were taken, and how to let it end. */
  function slowFile() {
    let left = PARTS
    let end = () => {}
    const ending = new Promise<void>((resolve) => (end = resolve))
    const head =
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: ` +
      `text/plain\r\n\r\n`
    const payload = new Readable({
      highWaterMark: 1,
      read() {
        if (left > 0) return void this.push(left-- === PARTS ? Buffer.concat([Buffer.from(head), PART]) : PART)
        void ending.then(() => {
          this.push(`\r\n--${BOUNDARY}--\r\n`)
          this.push(null)
        })
      },
    })
    return { payload, end, isTaken: () => left === 0 }
  }

  test(
    'of one tenant are read a few at a time, and the rest waits unread: they ' + 'leave memory and others their turn',
    async () => {
      const world = createTestWorld(server)
      const [many, one] = ['990011', '990012'].map((tenantId) => world.be({ tenantId, userId: '1' }))
      const put = (who: typeof many, payload: Readable) =>
        server.http.inject({
          method: 'POST',
          url: '/api/blade-resource/oss/endpoint/put-file',
          payload,
          headers: {
            'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
            'blade-auth': `bearer ${who!.token}`,
          },
        })
      const slow = Array.from({ length: 12 }, slowFile)
      const answers = slow.map(({ payload }) => put(many, payload))
      const mine = slowFile()
      mine.end()
      expect((await put(one, mine.payload)).statusCode).toBe(200)
      await expect.poll(() => slow.filter(({ isTaken }) => isTaken()).length).toBe(5)
      slow.forEach(({ end }) => end())
      expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(slow.map(() => 200))
    },
  )
})
