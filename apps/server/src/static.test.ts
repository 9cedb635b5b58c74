import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import './app.ts'
import { registerNotFoundHandler } from './http.ts'
import { serveApiDocs } from './static.ts'

const app = Fastify({ routerOptions: { maxParamLength: 500 } })
let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'static-'))
  await writeFile(join(root, 'index.html'), 'the app')
  await app.register(fastifyStatic, { root, cacheControl: false })
  registerNotFoundHandler(app, new Set(['/api/known']))
})
afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true })
})

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
const request = async (url: string, accept: string, method: 'GET' | 'POST' = 'GET') => {
  const { statusCode, body, headers } = await app.inject({ url, method, headers: { accept } })
  return [statusCode, body === 'the app' ? 'page' : String(headers['content-type']).split(';')[0]]
}

describe('an address that is no file', () => {
  test.each([
    '/shop/order',
    '/myiframe/https%3A%2F%2Fexample.com',
    '/myiframe/https%3A%2F%2Fexample.com%2Fa%2Fb.html%3Fx%3D1',
    '/myiframe/http%3A%2F%2F10.0.0.1%3A8080%2Freport.php',
    '/order/shoppingOrder/1.5',
    '/no-such.page',
  ])('opened in a browser is a page of the app, with a dot in it too, never an error of the API: %s', async (url) => {
    expect(await request(url, BROWSER)).toEqual([200, 'page'])
  })

  test.each([
    ['/logo.png', 'image/avif,image/webp,*/*'],
    ['/assets/gone-1a2b.js', BROWSER],
    ['/version.json', '*/*'],
    ...['/healthz', '/readyz', '/livez', '/metrics', '/shop/order'].flatMap((path) => [
      [path, '*/*'],
      [path, 'application/json'],
      [path, ''],
    ]),
    ['/api/no/such', BROWSER],
    ['/api/no.such', BROWSER],
  ])('that a page misses, or a machine looks for, is a 404, not a page: %s', async (url, accept) => {
    expect(await request(url, accept)).toEqual([404, 'application/json'])
  })

  test('to which something is sent is a 404', async () => {
    expect(await request('/shop/order', BROWSER, 'POST')).toEqual([404, 'application/json'])
  })
})

describe('the description of all calls', () => {
  const large = JSON.stringify({ openapi: '3.1.0', paths: 'x'.repeat(100_000) })
  let made = 0
  const docs = Fastify()
  beforeAll(async () => {
    await serveApiDocs(docs, async () => (made++, large))
    await docs.ready()
  })
  afterAll(() => docs.close())
  const ask = (headers: Record<string, string> = {}) => docs.inject({ url: '/api/openapi.json', headers })

  test('is made once however many ask, and costs who has it nothing to ask again', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(all.every(({ statusCode, body }) => statusCode === 200 && body === large)).toBe(true)
    expect(made).toBe(1)
    const again = await ask({ 'if-none-match': String(all[0]!.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await ask({ 'if-none-match': '"another"' })).statusCode).toBe(200)
  })

  test('travels packed to who takes that', async () => {
    const { headers, rawPayload } = await ask({ 'accept-encoding': 'gzip, br' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toBe(large)
  })
})
