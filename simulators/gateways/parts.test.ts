import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { receiptOf } from './escpos.ts'
import { SCREEN } from './screen.ts'
import { createBench } from './test-bench.ts'
import { upgradeKeyOf } from './upgrade.ts'

describe('switches', () => {
  test('go on and off, and their meters count up for ever', () => {
    const bench = createBench({ kind: 'power', switches: [{ clientId: 'SW1', name: '灯', watts: 1_000 }] }).begin()
    bench.clock.pass(3_600_000)
    const off = bench.command('sub.power', { clientId: 'SW1', opt: 'off' })
    expect(bench.results(off)[0]).toMatchObject({ data: { power: 'off' } })
    const { data } = bench.events('power.report').at(-1) as { data: { energy: number; watts: number } }
    expect([data.watts, data.energy]).toEqual([0, expect.closeTo(1, 3)])
    bench.clock.pass(3_600_000)
    const toggle = bench.command('sub.power', { clientId: 'SW1', opt: 'toggle' })
    expect(bench.results(toggle)[0]).toMatchObject({ data: { power: 'on' } })
    bench.clock.pass(1_800_000)
    expect(bench.gateway.parts.state()).toMatchObject({ power: [{ energy: expect.closeTo(1.5, 3), watts: 1_000 }] })
    bench.command('sub.clear')
    expect(bench.gateway.parts.state()).toMatchObject({ power: [] })
  })

  test('and tags are told in parts of a hundred', () => {
    const bench = createBench({ tags: 240, switches: 2 }).begin()
    const parts = bench.results(bench.command('info.sync'))
    expect(parts.map(({ part, parts }) => [part, parts])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    const subs = parts.flatMap(({ data }) => (data as { subs: { kind: string; clientId: string }[] }).subs)
    expect([subs.length, new Set(subs.map(({ clientId }) => clientId)).size]).toEqual([242, 242])
    const few = createBench({ tags: 5 }).begin()
    const [single, ...others] = few.results(few.command('info.sync'))
    expect([others, single]).toEqual([[], expect.not.objectContaining({ parts: expect.anything() })])
  })
})

describe('tags', () => {
  test('are shown one a second, those that show it already cost nothing, lost ones fail', () => {
    const bench = createBench({ tags: ['T1', 'T2', 'T3'] }).begin()
    bench.gateway.parts.tags.lose('T3', true)
    const wanted = ['T1', 'T2', 'T3', 'T9'].map((tagId) => ({ tagId, hash: 'h1', template: 'price', fields: {} }))
    const first = bench.command('tag.update', { tags: wanted })
    bench.clock.pass(1_500)
    expect([bench.events('tag.shown').length, bench.results(first)]).toEqual([1, []])
    bench.clock.pass(2_000)
    const { data } = bench.results(first)[0] as unknown as { data: { tags: { tagId: string; code: number }[] } }
    expect(Object.fromEntries(data.tags.map(({ tagId, code }) => [tagId, code]))).toEqual({
      T1: 0,
      T2: 0,
      T3: 5,
      T9: 9,
    })
    expect(bench.events('tag.shown')[0]!.data).toMatchObject({ tagId: 'T1', hash: 'h1', batteryMv: expect.any(Number) })
    const battery = bench.gateway.parts.tags.all()[0]!.batteryMv
    const again = bench.command('tag.update', { tags: wanted.slice(0, 1) })
    expect(bench.results(again)).toHaveLength(1)
    expect(bench.gateway.parts.tags.all()[0]).toMatchObject({ batteryMv: battery, shown: 1 })
    expect(bench.gateway.parts.state()).toMatchObject({ tags: { total: 3, silent: 1 } })
    bench.gateway.parts.tags.report()
    expect(bench.events('tag.report').map(({ data: one }) => (one as { tagId: string }).tagId)).toEqual(['T1', 'T2'])
    const flash = bench.command('tag.flash', { tagId: 'T1', colour: 'red', seconds: 3 })
    bench.clock.pass(2_000)
    expect(bench.results(flash)[0]).toMatchObject({ code: 0 })
    expect(bench.gateway.ledger.acts.at(-1)).toMatchObject({ what: 'tag.flashed', data: { colour: 'red' } })
  })
})

describe('a printer', () => {
  const hello = Buffer.from('c4e3bac3', 'hex')
  const bytes = Buffer.concat([
    Buffer.from('1b401c261b61011d2111', 'hex'),
    hello,
    Buffer.from('0a1b6100', 'hex'),
    Buffer.from('TOTAL 12.50\n'),
    Buffer.from('1d286b0700315030', 'hex'),
    Buffer.from('A001'),
    Buffer.from('1b64021d5642001b700019fa', 'hex'),
  ])

  test('prints a job once, however often it is asked, and keeps it for looking at', () => {
    const bench = createBench().begin()
    const job = { printer: 'P1', data: bytes.toString('base64'), jobId: 'j1' }
    const ids = [bench.command('print.raw', job), bench.command('print.raw', job)]
    bench.clock.pass(1_000)
    for (const id of ids) expect(bench.results(id)[0]).toMatchObject({ code: 0, data: { state: 'printed' } })
    expect(bench.gateway.parts.printers.printed).toMatchObject([{ printer: 'P1', jobId: 'j1', cuts: 1, drawer: 1 }])
    expect(bench.acks(bench.command('print.raw', { ...job, printer: 'P9' }))[0]!.code).toBe(9)
  })

  test('understands Chinese, codes, cuts and the drawer', () => {
    expect(receiptOf(bytes)).toEqual({ text: '你好\nTOTAL 12.50\n\n\n', cuts: 1, drawer: 1, codes: ['A001'] })
    expect(receiptOf(Buffer.from('1d6b490741422d31', 'hex')).codes).toEqual(['AB-1'])
    expect(receiptOf(Buffer.from('1d7630000100020041420a', 'hex')).text).toBe('\n')
    expect(receiptOf(Buffer.from('1b', 'hex')).text).toBe('')
  })
})

const bytes = Buffer.from('a program')
const sha256 = createHash('sha256').update(bytes).digest('hex')

describe('a loudspeaker', () => {
  test('plays what it could fetch and check, one thing at a time', async () => {
    const bench = createBench({}, { fetchBytes: async (url) => (url === 'http://x/a' ? bytes : undefined) }).begin()
    const play = (params: object) => bench.command('audio.play', { volume: 80, times: 2, ...params })
    const good = play({ url: 'http://x/a', sha256 })
    const busy = play({ url: 'http://x/a', sha256 })
    await bench.settle()
    bench.clock.pass(1_900)
    expect([bench.acks(busy)[0]!.code, bench.results(good)]).toEqual([3, []])
    bench.clock.pass(200)
    expect(bench.results(good)[0]).toMatchObject({ code: 0 })
    const wrong = play({ url: 'http://x/a', sha256: 'other' })
    await bench.settle()
    const missing = play({ url: 'http://x/b', sha256 })
    await bench.settle()
    expect([wrong, missing].map((id) => bench.results(id)[0]!.code)).toEqual([8, 7])
    expect(bench.gateway.parts.speaker.played).toMatchObject([{ sha256, times: 2, volume: 80, bytes: 9 }])
    expect(bench.acks(play({ url: 'http://x/a', sha256, volume: 300 }))[0]!.code).toBe(1)
  })
})

describe('a register', () => {
  test('sends a real picture of its screen', async () => {
    const puts: [string, Uint8Array][] = []
    const put = async (url: string, body: Uint8Array) => puts.push([url, body]) < 2
    const bench = createBench({ kind: 'register' }, { put }).begin()
    const [first, second] = [1, 2].map(() => bench.command('reg.screenshot', { putUrl: 'http://x/put', quality: 60 }))
    await bench.settle()
    expect(bench.results(first!)[0]).toMatchObject({ code: 0, data: { size: SCREEN.length } })
    expect(bench.results(second!)[0]).toMatchObject({ code: 99 })
    expect(Buffer.from(puts[0]![1]).toString('hex')).toMatch(/^ffd8ff.*ffd9$/)
    expect(bench.acks(bench.command('door.control', { doorNo: 1, opt: 'open' }))[0]!.code).toBe(2)
  })
})

describe('an upgrade', () => {
  const keys = generateKeyPairSync('ed25519')
  const raw = keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
  const signed = (version: string, module = 'gateway') => ({
    module,
    version,
    versionCode: 2,
    url: 'http://x/fw',
    size: bytes.length,
    md5: '',
    sha256,
    sig: sign(null, Buffer.from(`${sha256}|${version}|${module}`), keys.privateKey).toString('base64'),
  })
  async function upgraded(params: object, faults = {}, seconds = 10) {
    const bench = createBench({}, { upgradeKey: upgradeKeyOf(raw), fetchBytes: async () => Buffer.from(bytes) }).begin()
    bench.gateway.setFaults(faults)
    const id = bench.command('gw.upgrade', { ...signed('2.0.0'), ...params })
    bench.clock.pass(0)
    await bench.settle()
    bench.clock.pass(seconds * 1_000)
    return { bench, code: bench.results(id)[0]?.code, steps: bench.sentOn('prog').map(({ step }) => step) }
  }

  test('is fetched, checked and installed, and done when the greeting names the version', async () => {
    const { bench, code, steps } = await upgraded({})
    expect([...new Set(steps)]).toEqual(['DOWNLOADING', 'DOWNLOADED', 'VERIFYING', 'INSTALLING', 'REBOOTING'])
    const [before, after] = bench.sentOn('hello')
    expect([before!.fw, after!.fw, code]).toEqual(['1.0.0', '2.0.0', 0])
    expect(after!.bootId).not.toBe(before!.bootId)
  })

  test('of something else is named as the app, and the same version needs nothing', async () => {
    const { bench } = await upgraded(signed('3.1.0', 'door'))
    expect(bench.sentOn('hello').at(-1)).toMatchObject({ fw: '1.0.0', app: '3.1.0' })
    const same = await upgraded(signed('1.0.0'))
    expect([same.code, same.bench.gateway.figures().boots]).toEqual([0, 1])
  })

  test('that is not what it says it is changes nothing', async () => {
    for (const wrong of [{ size: 3 }, { sha256: '00' }, { sig: 'AAAA' }, { version: '2.0.1' }, { module: 'door' }]) {
      const { bench, code } = await upgraded(wrong)
      expect([wrong, code, bench.gateway.figures()]).toMatchObject([wrong, 8, { fw: '1.0.0', app: '1.0.0', boots: 1 }])
    }
    const unbelieving = createBench({}, { fetchBytes: async () => bytes }).begin()
    const id = unbelieving.command('gw.upgrade', signed('2.0.0'))
    unbelieving.clock.pass(0)
    await unbelieving.settle()
    expect(unbelieving.results(id)[0]).toMatchObject({ code: 8 })
  })

  test('waits for its time', async () => {
    const { bench } = await upgraded({ at: Date.UTC(2026, 0, 31, 5) }, {}, 60)
    expect([bench.sentOn('prog'), bench.gateway.figures().fw]).toEqual([[], '1.0.0'])
  })

  test('fails on demand: not fetched, damaged, rolled back, never back', async () => {
    expect(await upgraded({}, { upgrade: 'download' })).toMatchObject({ code: 7 })
    expect(await upgraded({}, { upgrade: 'checksum' })).toMatchObject({ code: 8 })
    const back = await upgraded({}, { upgrade: 'rollback' })
    expect(back.code).toBe(99)
    expect(back.bench.sentOn('hello').map(({ fw }) => fw)).toEqual(['1.0.0', '1.0.0'])
    const { bench, code } = await upgraded({}, { upgrade: 'neverBack' }, 86_400)
    expect([code, bench.gateway.isOnline(), bench.opened()]).toEqual([undefined, false, 1])
    bench.gateway.setFaults({ upgrade: null })
    bench.clock.pass(1_000)
    expect(bench.gateway.isOnline()).toBe(true)
  })
})
