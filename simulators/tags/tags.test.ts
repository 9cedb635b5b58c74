import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { eslAccount, startCloudEsl } from './cloud-esl.simulator.ts'
import { startOpenEPaperLink } from './open-epaper-link.simulator.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function accessPoint(options: Parameters<typeof startOpenEPaperLink>[0] = {}) {
  const ap = await startOpenEPaperLink({ checkInMs: 5, ...options })
  open.push(() => ap.close())
  const form = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(`${ap.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    return `${response.status} ${await response.text()}`
  }
  const get = async (path: string) => (await fetch(`${ap.url}${path}`)).json() as Promise<{ tags: never[] }>
  return { ap, form, get, macs: [...ap.tags.keys()] }
}

test('an access point tells its tags in pages, each beginning where the last one said', async () => {
  const { get } = await accessPoint({ tags: 40 })
  const macs: string[] = []
  let pages = 0
  for (let pos: number | undefined = 0; pos !== undefined; pages++) {
    const page = (await get(`/get_db?pos=${pos}`)) as { tags: { mac: string }[]; continu?: number }
    macs.push(...page.tags.map(({ mac }) => mac))
    pos = page.continu
  }
  expect([pages > 2, macs.length, new Set(macs).size]).toEqual([true, 40, 40])
  expect((await get(`/get_db?mac=${macs[7]}`)).tags).toMatchObject([{ mac: macs[7], pending: 0 }])
})

test('a drawing or a picture is pending until the tag wakes, and the socket tells both', async () => {
  const { ap, form, macs } = await accessPoint()
  const socket = new WebSocket(`${ap.url.replace('http', 'ws')}/ws`)
  open.push(() => socket.terminate())
  const messages: { tags?: { mac: string; pending: number; hash: string }[] }[] = []
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as never))
  await once(socket, 'open')
  expect(await form('/jsonupload', { mac: macs[0]!, json: '[{"text":[1,2,"¥3"]}]' })).toBe('200 Ok, saved')
  await vi.waitFor(() =>
    expect(messages.filter(({ tags }) => tags).map(({ tags }) => tags![0]!.pending)).toEqual([1, 0]),
  )
  const hash = createHash('md5').update('[{"text":[1,2,"¥3"]}]').digest('hex')
  expect(ap.tags.get(macs[0]!)).toMatchObject({ hash, updatecount: 1, contentMode: 19 })
  const picture = new FormData()
  picture.set('mac', macs[1]!)
  picture.set('file', new Blob([new Uint8Array([255, 216, 255])]), 'a.jpg')
  expect((await fetch(`${ap.url}/imgupload`, { method: 'POST', body: picture })).status).toBe(200)
  expect([...ap.pictures.get(macs[1]!)!]).toEqual([255, 216, 255])
})

test('a busy access point says to come back, tags that sleep stay pending, and commands end that', async () => {
  const { ap, form, macs } = await accessPoint()
  ap.faults.busy = true
  expect(await form('/jsonupload', { mac: macs[0]!, json: '[]' })).toMatch(/^409 /)
  Object.assign(ap.faults, { busy: false, asleep: true })
  await form('/jsonupload', { mac: macs[0]!, json: '[]' })
  expect(ap.tags.get(macs[0]!)!.pending).toBe(1)
  expect(await form('/tag_cmd', { mac: macs[0]!, cmd: 'clear' })).toBe('200 Ok, done')
  expect(ap.tags.get(macs[0]!)).toMatchObject({ pending: 0, updatecount: 0 })
  await form('/tag_cmd', { mac: macs[0]!, cmd: 'ledflash' })
  expect(ap.flashes).toEqual([{ mac: macs[0], cmd: 'ledflash' }])
  expect(await form('/tag_cmd', { mac: macs[1]!, cmd: 'del' })).toMatch(/^200/)
  expect(await form('/jsonupload', { mac: macs[1]!, json: '[]' })).toBe('400 mac not found')
  expect(await form('/tag_cmd', { mac: macs[1]!, cmd: 'clear' })).toMatch(/^400/)
  expect(await form('/tag_cmd', {})).toMatch(/^500/)
  expect(await form('/jsonupload', { mac: macs[0]! })).toMatch(/^400/)
})

test('an access point has its clock set, and says what it is', async () => {
  const { ap, form, get } = await accessPoint()
  expect(await form('/set_time', { epoch: String(Math.floor(Date.now() / 1_000) + 100) })).toBe('200 ok')
  expect(ap.clock.offsetSeconds).toBeGreaterThan(97)
  expect(await form('/set_time', {})).toMatch(/^400/)
  expect(await get('/sysinfo')).toMatchObject({ buildversion: '2.72' })
  ap.faults.silent = true
  await expect(fetch(`${ap.url}/sysinfo`, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
})

async function cloud() {
  let now = Date.now()
  const esl = await startCloudEsl({ now: () => now })
  open.push(() => esl.close())
  const call = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${esl.url}${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return (await response.json()) as { status: number; data: unknown }
  }
  return { esl, call, pass: (ms: number) => void (now += ms) }
}
const key = { ApiKey: eslAccount.apiKey }
const good = { StoreId: 'S1', Code: '6901', Name: '可乐', SalePrice: 3.5 }
const binding = { priceTagCode: 'T1', goodsCode: '6901', storeId: 'S1' }

test('the cloud lets in who signed in within a day, or has the key', async () => {
  const { esl, call, pass } = await cloud()
  expect(await call('/api/Verify/Login', { userName: 'demo', password: 'no' })).toMatchObject({ status: 401 })
  const { data: token } = await call('/api/Verify/Login', eslAccount)
  const bearer = { authorization: `Bearer ${String(token)}` }
  expect(await call('/OpenApi/SyncGoods', [good], bearer)).toMatchObject({ status: 200 })
  esl.faults.forgetsTokens = true
  expect(await call('/OpenApi/SyncGoods', [good], bearer)).toMatchObject({ status: 401 })
  esl.faults.forgetsTokens = false
  pass(86_400_000)
  expect(await call('/OpenApi/SyncGoods', [good], bearer)).toMatchObject({ status: 401 })
  expect(await call('/OpenApi/SyncGoods', [good])).toMatchObject({ status: 401 })
  expect(await call('/OpenApi/SyncGoods', [good], { ApiKey: 'wrong' })).toMatchObject({ status: 401 })
  expect(await call('/OpenApi/SyncGoods', [good], key)).toMatchObject({ status: 200 })
})

test('bound tags show their goods, and what is new about them, by themselves', async () => {
  const { esl, call } = await cloud()
  expect(await call('/OpenApi/Bind', [binding], key)).toMatchObject({ status: 404 })
  await call('/OpenApi/SyncGoods', [good], key)
  expect(await call('/OpenApi/Bind', [binding], key)).toMatchObject({ status: 200 })
  await call('/OpenApi/SyncGoods', [{ ...good, SalePrice: 4 }], key)
  expect(esl.shown.get('T1')).toMatchObject({ SalePrice: 4 })
  expect(await call('/OpenApi/GetInfo/S1/6901', undefined, key)).toMatchObject({
    data: { priceTags: [{ priceTagCode: 'T1', updateStatus: 1 }] },
  })
  esl.faults.deafTags.add('T1')
  await call('/OpenApi/SyncGoods', [{ ...good, SalePrice: 5 }], key)
  expect(esl.shown.get('T1')).toMatchObject({ SalePrice: 4 })
  expect(await call('/OpenApi/GetInfo/S1/6901', undefined, key)).toMatchObject({
    data: { SalePrice: 5, priceTags: [{ priceTagCode: 'T1', updateStatus: 0 }] },
  })
  esl.faults.foreignTags.add('T2')
  expect(await call('/OpenApi/Bind', [{ ...binding, priceTagCode: 'T2' }], key)).toMatchObject({ status: 404 })
  await call('/OpenApi/Led/S1', { color: 'red', count: 3, items: ['T1'] }, key)
  expect(esl.flashes).toEqual([{ storeId: 'S1', color: 'red', count: 3, items: ['T1'] }])
  expect(await call('/OpenApi/UnBind', [binding], key)).toMatchObject({ status: 200 })
  expect([esl.bindings.size, esl.shown.size]).toEqual([0, 0])
  expect(await call('/OpenApi/UnBind', [binding], key)).toMatchObject({ status: 404 })
})

test('the cloud refuses what it cannot read, in its envelope, and is away on demand', async () => {
  const { esl, call } = await cloud()
  for (const [path, body] of [
    ['/OpenApi/SyncGoods', {}],
    ['/OpenApi/SyncGoods', [{ Code: '1' }]],
    ['/OpenApi/Led/S1', { count: 1 }],
  ] as const)
    expect(await call(path, body, key)).toMatchObject({ status: 400 })
  expect(await call('/OpenApi/GetInfo/S1/none', undefined, key)).toMatchObject({ status: 404 })
  expect(await call('/OpenApi/Nothing', [], key)).toMatchObject({ status: 404 })
  esl.faults.down = true
  expect((await fetch(`${esl.url}/OpenApi/GetInfo/S1/1`)).status).toBe(502)
})
