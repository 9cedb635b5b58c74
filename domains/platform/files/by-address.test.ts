import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExternalStream } from '#kit/server/request/external-request.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { downloadPublicUrl, openPublicUrl } from './by-address.ts'
import { storeFile } from './stored-file.ts'

let server: TestServer
let world: TestWorld
let fileServer: Server
let port: string
let requestedUrls: string[]
let boss: TestCaller
let stranger: TestCaller
const path = '/api/blade-resource/attach/download-by-url'

beforeAll(async () => {
  requestedUrls = []
  fileServer = createServer((request, response) => {
    requestedUrls.push(request.url!)
    const [, what, rest] = request.url!.split('/')
    if (what === 'to') response.writeHead(302, { location: decodeURIComponent(rest!) }).end('go on')
    else if (what === 'round') response.writeHead(302, { location: '/round' }).end()
    else if (what === 'gone') response.writeHead(404).end('gone')
    else if (what === 'big') response.writeHead(200, { 'content-length': '2000' }).end('x'.repeat(2000))
    else if (what === 'endless') response.writeHead(200).end('x'.repeat(2000))
    else if (what === 'mute') return
    else response.writeHead(200, { 'content-type': rest === 'page.html' ? 'text/html' : 'text/csv' }).end('a,b')
  })
  await new Promise<void>((done) => fileServer.listen(0, '127.0.0.1', done))
  port = String((fileServer.address() as AddressInfo).port)
  server = await testServer()
  world = createTestWorld(server)
  boss = world.be({ tenantId: '990001', userId: '21' })
  stranger = world.be({ tenantId: '990002', userId: '22' })
})
afterAll(async () => {
  fileServer.closeAllConnections()
  fileServer.close()
  await server?.close()
})

const get = (who: TestCaller | undefined, url: string, lang: 'zh' | 'en' = 'zh') =>
  world.ask(who, 'GET', path, { query: { url }, lang })
const kept = (more: { isPrivate?: boolean } = {}) =>
  storeFile(server.services, { tenantId: '990001', bytes: Buffer.from('only words'), name: '说明.txt', ...more })

/** Treats the simulator as a public address; no other private address is reached. */
const fetched = (what: string, limits: { bytesMax?: number; timeoutMs?: number } = {}) =>
  downloadPublicUrl(new URL(`http://127.0.0.1:${port}/${what}`), {
    ...limits,
    open: (question) =>
      new URL(question.url).host === `127.0.0.1:${port}`
        ? openExternalStream({ ...question, mayBeInside: true })
        : openPublicUrl(question),
  })
const refused = (what: string, limits = {}) =>
  fetched(what, limits).then(
    () => 'given',
    (error: { code?: string }) => error.code,
  )

describe('a stored file by its address', () => {
  test('is saved by its tenant, by every spelling of the address, and never shown', async () => {
    const { link } = await kept()
    const spelled = link.replace('/file/', '/%66ile/')
    for (const url of [link, `http://localhost${link}`, `http://LOCALHOST:80${link}?at=1#x`, ` ${link} `, spelled]) {
      const answer = await get(boss, url)
      expect([url, answer.status, answer.body]).toEqual([url, 200, 'only words'])
      expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      expect(answer.headers['content-disposition']).toMatch(/^attachment/)
    }
  })

  test('is not there for another tenant, for nobody, when private, or when it is no file but a call', async () => {
    const { link } = await kept()
    const secret = await kept({ isPrivate: true })
    expect((await get(stranger, link)).status).toBe(404)
    expect((await get(undefined, link)).status).toBe(401)
    for (const url of [secret.link, '/api/blade-user/info', '/', `${link}/..`, '/api/%E0%A4%A', 'words'])
      expect([url, (await get(boss, url)).status]).toEqual([url, 404])
  })
})

describe('an address beside this server', () => {
  test('is never asked, however it is written, and the refusal says so in the reader’s language', async () => {
    requestedUrls = []
    const inside = [
      `http://127.0.0.1:${port}/x`,
      `//127.0.0.1:${port}/x`,
      `\\\\127.0.0.1:${port}/x`,
      `http:\\\\127.1:${port}/x`,
      `http://2130706433:${port}/x`,
      `http://0177.0.0.1:${port}/x`,
      `http://127。0。0。1:${port}/x`,
      `http://a.example@127.0.0.1:${port}/x`,
      `http://[::ffff:127.0.0.1]:${port}/x`,
      `http://localhost:${port}/x`,
      `http://localhost.:${port}/x`,
      'http://169.254.169.254/latest/meta-data',
      'http://minio:9000/x',
      'file:///etc/passwd',
      'ftp://example.com/x',
      'data:text/html,x',
      'javascript:x',
    ]
    for (const url of inside) expect([url, (await get(boss, url)).data.reason]).toEqual([url, 'address_inside'])
    expect(requestedUrls).toEqual([])
    expect((await get(boss, inside[0]!)).msg).toBe('不能下载内部网络地址')
    expect((await get(boss, inside[0]!, 'en')).msg).toBe('Private network addresses cannot be downloaded')
    expect((await get(boss, 'http://')).data.reason).toBe('bad_parameter')
  })
})

describe('an address outside', () => {
  test('gives its bytes under its name; a page is bytes and no page', async () => {
    const { body, ...about } = await fetched('to/%2Ffiles%2F%25E8%25A1%25A8.csv')
    expect(about).toEqual({ name: '表.csv', contentType: 'text/csv', size: undefined })
    expect(await text(body)).toBe('a,b')
    const page = await fetched('files/page.html')
    expect(page.contentType).toBe('application/octet-stream')
    page.body.destroy()
  })

  test('that leads inside, on and on, or gives no file is refused', async () => {
    for (const inside of ['http://10.0.0.1/x', 'http://localhost/x', '//[::1]/x', 'file:///etc/passwd'])
      expect([inside, await refused(`to/${encodeURIComponent(inside)}`)]).toEqual([inside, 'address_inside'])
    expect(await refused('round')).toBe('address_leads_on')
    expect(await refused('gone')).toBe('address_answered')
  })

  test('that says it is too big is refused, one that does not say is cut, and a silent one is left', async () => {
    expect(await refused('big', { bytesMax: 1000 })).toBe('address_too_big')
    await expect(text((await fetched('endless', { bytesMax: 1000 })).body)).rejects.toThrow('too long')
    expect(await refused('mute', { timeoutMs: 100 })).toBe('address_unreachable')
  })
})
