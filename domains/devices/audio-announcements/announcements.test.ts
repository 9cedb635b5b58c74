import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import {
  speechAccount,
  startSpeechSimulator,
  troubleWords,
  type SpeechSimulator,
} from '#simulators/speech/speech.simulator.ts'
import { announcementLog } from './announcement-log.resource.ts'
import { audioConf } from './audio-conf.resource.ts'
import { encodeWav } from './sound.ts'
import { speechEngine } from './speech-engine.resource.ts'
import { playDueAnnouncements } from './triggers.ts'

let now = new Date('2026-11-20T21:00:00+08:00').getTime()
const pass = (ms: number) => void (now += ms)
const tenantId = '100001'
const clientId = 'GW-voice-1'
let tenants: TestTenants
let simulator: SpeechSimulator
let gateway: ReturnType<typeof testGateway>
let boss: CastMember
let stranger: CastMember
let shop: string
let otherShop: string

beforeAll(async () => {
  simulator = await startSpeechSimulator()
  tenants = await createTestTenants({ now: () => new Date(now) })
  gateway = testGateway(tenants.services, { tenantId, clientId })
  shop = tenants.north.shops[0]!
  otherShop = tenants.north.shops[1]!
  boss = await tenants.boss(tenants.north, shop)
  stranger = await tenants.boss(tenants.north, otherShop)
  await must('POST', 'basicShopInfo/submit', { body: { id: shop, clientId } })
  await engine('tencent')
})
beforeEach(async () => {
  pass(61_000)
  gateway.forget()
  await gateway.say('online', { online: true, connId: `c${now}` })
  await unit((db) => db.run(sql`update audio_conf set enabled = false where tenant_id = ${tenantId}`))
})
afterAll(async () => {
  await tenants?.close()
  await simulator?.close()
})

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId }, work)
const must = (method: 'GET' | 'POST', path: string, more: object) =>
  tenants.must(tenants.call(tenants.north.admin, method, `/api/shop/${path}`, more))
const engine = (category: string, more: object = {}) =>
  unit(async (db) => {
    await db.run(sql`update speech_engine set status = 1 where tenant_id = ${tenantId}`)
    const account = { ...speechAccount, endpoint: simulator.url, mayBeInside: true, status: 2 }
    return db.insert(speechEngine, { name: `${category}${now}`, category, ...account, ...more })
  })
const save = (draft: object): Promise<{ id: string }> =>
  must('POST', 'audioConf/submit', {
    body: { name: '欢迎', shopId: shop, text: '欢迎光临。', trigger: 'manual', voice: 'female', ...draft },
  })
const rowOf = (id: string) => unit(async (db) => (await db.get(audioConf, id))!)
const generate = async (id: string, who: CastMember = tenants.north.admin) => {
  const answer = await tenants.call(who, 'POST', '/api/shop/audioConf/genAudio', { query: { id } })
  await tenants.server.jobs.runDue()
  return answer
}
const ready = async (draft: object) => {
  const { id } = await save(draft)
  await generate(id)
  expect((await rowOf(id)).state).toBe('READY')
  return id
}
const play = (who: CastMember, query: object, lang: 'zh' | 'en' = 'zh') =>
  tenants.call(who, 'GET', '/api/shop/audioConf/play', { query: { ...query }, lang })
const logs = (audioId: string) => unit((db) => db.find(announcementLog, sql`r.audio_id = ${audioId}`))
const load = (url: string) => tenants.server.http.inject({ method: 'GET', url: url.replace(/^http:\/\/[^/]+/, '') })
const plays = () => gateway.down('cmd').filter(({ method }) => method === 'audio.play')

async function upload(name: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const response = await tenants.server.http.inject({
    method: 'POST',
    url: '/api/blade-resource/oss/endpoint/put-file',
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      'content-type': request.headers.get('content-type')!,
      'blade-auth': `bearer ${tenants.north.admin.token}`,
    },
  })
  return response.json().data.link
}

describe('the sound of an announcement', () => {
  it('is made by the engine in use, for browsers and for cameras, and its length is known', async () => {
    const { id } = await save({ text: '您好，欢迎光临。' })
    expect((await rowOf(id)).state).toBe('NONE')
    const response = await tenants.call(boss, 'POST', '/api/shop/audioConf/genAudio', { query: { id } })
    expect(response.data).toMatchObject({ state: 'GENERATING' })
    expect((await rowOf(id)).state).toBe('GENERATING')
    await tenants.server.jobs.runDue()
    const { state, seconds, audioUrl, alawUrl } = await rowOf(id)
    expect([state, seconds]).toEqual(['READY', 1])
    const wav = (await load(audioUrl!)).rawPayload
    expect([wav.readUInt16LE(20), wav.readUInt32LE(24)]).toEqual([1, 16_000])
    const aLaw = (await load(alawUrl!)).rawPayload
    expect([aLaw.readUInt16LE(20), aLaw.readUInt32LE(24)]).toEqual([6, 8_000])
  })

  it('is made once for the same words in all shops of a tenant, and anew for another voice', async () => {
    const words = { text: '同样的话，只合成一次。' }
    const one = await ready(words)
    const before = simulator.spoken.length
    const other = await ready({ ...words, shopId: otherShop })
    expect(simulator.spoken).toHaveLength(before)
    expect((await rowOf(other)).audioUrl).toBe((await rowOf(one)).audioUrl)
    await ready({ ...words, voice: 'male' })
    expect(simulator.spoken).toHaveLength(before + 1)
  })

  it('is gone when the words change, and an answer to the old words does not come back', async () => {
    const id = await ready({ text: '旧的话。' })
    await must('POST', 'audioConf/submit', { body: { id, volume: 30 } })
    expect((await rowOf(id)).state).toBe('READY')
    await tenants.call(boss, 'POST', '/api/shop/audioConf/genAudio', { query: { id } })
    await must('POST', 'audioConf/submit', { body: { id, text: '新的话。' } })
    await tenants.server.jobs.runDue()
    expect(await rowOf(id)).toMatchObject({ state: 'NONE', audioUrl: null, alawUrl: null, seconds: null })
    expect((await play(boss, { id })).data).toMatchObject({ reason: 'audio_not_ready' })
    expect(plays()).toEqual([])
  })

  it('that the engine refuses has failed with its reason, at once and for good', async () => {
    const { id } = await save({ text: troubleWords.refused })
    await generate(id)
    expect(await rowOf(id)).toMatchObject({ state: 'FAILED', failReason: expect.stringContaining('InvalidParameter') })
    const shown = await tenants.call(boss, 'GET', '/api/shop/audioConf/detail', { query: { id }, lang: 'en' })
    expect(shown.data).toMatchObject({ state: 'FAILED', stateName: 'Failed' })
  })

  it('that an engine too busy now did not make is tried again, and fails only then', async () => {
    const { id } = await save({ text: troubleWords.busy })
    await generate(id)
    expect((await rowOf(id)).state).toBe('GENERATING')
    for (const _attempt of [2, 3]) {
      await tenants.services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
      await tenants.server.jobs.runDue()
    }
    expect(await rowOf(id)).toMatchObject({ state: 'FAILED', failReason: '语音引擎没有应答' })
    const shown = await tenants.call(boss, 'GET', '/api/shop/audioConf/detail', { query: { id }, lang: 'en' })
    expect(shown.data.failReason).toBe('The engine did not respond')
  })

  it('is the recording where there is one, an MP3 as it came, and no engine is asked', async () => {
    const before = simulator.spoken.length
    const recording = await upload('录音.wav', encodeWav({ samples: new Float32Array(44_100).fill(0.2), rate: 44_100 }))
    const id = await ready({ recording })
    expect(await rowOf(id)).toMatchObject({ seconds: 1, alawUrl: expect.stringMatching(/\.wav$/) })
    expect((await load((await rowOf(id)).audioUrl!)).rawPayload.readUInt32LE(24)).toBe(16_000)
    const mp3 = await upload('录音.mp3', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]))
    expect(await rowOf(await ready({ recording: mp3 }))).toMatchObject({ audioUrl: mp3, alawUrl: null, seconds: null })
    expect(simulator.spoken).toHaveLength(before)
    const text = await upload('说明.txt', Buffer.from('没有声音'))
    const wrong = await generate((await save({ recording: text })).id)
    expect(wrong.data).toMatchObject({ reason: 'recording_unusable' })
  })

  it('needs an engine or a recording, and no more words than engines take', async () => {
    const { id } = await save({ text: '很长的话。'.repeat(70) })
    expect((await generate(id)).data).toMatchObject({ reason: 'speech_too_long' })
    await unit((db) => db.run(sql`update speech_engine set status = 1 where tenant_id = ${tenantId}`))
    const path = process.env.PATH
    process.env.PATH = '/nowhere'
    try {
      expect((await generate((await save({})).id)).data).toMatchObject({ reason: 'no_speech_engine' })
    } finally {
      process.env.PATH = path
      await engine('tencent')
    }
  })
})

describe('an announcement played by hand', () => {
  it('goes to the gateway of its shop, which loads it without a session, and its end is written down', async () => {
    const id = await ready({ text: '请排队。', volume: 55, times: 2 })
    const response = play(boss, { id })
    const command = await gateway.told('audio.play')
    expect(command.params).toMatchObject({ volume: 55, times: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await gateway.say('ack', { id: command.id, ok: true })
    expect((await response).data).toEqual({ playId: command.id, cmdId: command.id, state: 'taken', durationSec: 1 })
    const sound = await load(command.params.url)
    const { createHash } = await import('node:crypto')
    expect(createHash('sha256').update(sound.rawPayload).digest('hex')).toBe(command.params.sha256)
    expect(await logs(id)).toMatchObject([{ shopId: shop, why: 'manual', userId: boss.userId, state: null }])
    await gateway.say('res', { id: command.id, code: 0 })
    expect(await logs(id)).toMatchObject([{ state: 'done', text: '请排队。', commandId: command.id }])
  })

  it('is lent for a short time, at an address nobody can make or change', async () => {
    const id = await ready({ text: '限时地址。' })
    const response = play(boss, { id })
    const { id: cmd, params } = await gateway.told('audio.play')
    await gateway.say('ack', { id: cmd, ok: false, code: 3 })
    expect((await response).data).toMatchObject({ reason: 'device_refused' })
    expect(await logs(id)).toMatchObject([{ state: 'refused' }])
    expect((await load(params.url)).statusCode).toBe(200)
    expect(comparedAnswers(tenants.server.http)).toContain('GET /api/blade-resource/oss/endpoint/lent/*')
    expect((await load(`${params.url.slice(0, -4)}AAAA`)).statusCode).toBe(404)
    expect((await load('/api/blade-resource/oss/endpoint/lent/x')).statusCode).toBe(404)
    pass(601_000)
    expect((await load(params.url)).statusCode).toBe(404)
  })

  it('through a camera nobody has is refused, as is a gateway of others, and nothing is sent', async () => {
    const id = await ready({ text: '摄像头。' })
    expect((await play(boss, { id, gbId: '34020000001370000001' })).status).toBe(404)
    expect((await play(boss, { id, gbId: 'GW-nobody' })).status).toBe(404)
    expect((await play(stranger, { id })).status).toBe(404)
    expect((await play(tenants.south.admin, { id })).status).toBe(404)
    expect((await play(stranger, { id: await ready({ shopId: otherShop }) })).data).toMatchObject({
      reason: 'shop_without_gateway',
    })
    expect(plays()).toEqual([])
  })

  it('needs its own permission', async () => {
    const clerk = await tenants.person(tenants.north, 'clerk', ['audioConf'])
    expect((await play(clerk, { id: await ready({}) })).status).toBe(403)
  })

  it('at a gateway that is away is refused at once, and the log says so', async () => {
    const id = await ready({ text: '离线。' })
    await gateway.say('online', { online: false, connId: `c${now}` })
    expect((await play(boss, { id })).data).toMatchObject({ reason: 'device_offline' })
    expect(await logs(id)).toMatchObject([{ state: 'refused', why: 'manual' }])
  })
})

describe('an announcement of its own accord', () => {
  const idOf = (command: { id: string }) =>
    unit(async (db) => (await db.find(announcementLog, sql`r.command_id = ${command.id}`))[0]?.audioId)

  it('greets and sees off by the settings, else by what the shop has; never late, never switched off', async () => {
    const hello = await ready({ trigger: 'enter', text: '进店。' })
    const bye = await ready({ trigger: 'leave', text: '离店。' })
    await gateway.event('visit.entered', { visitId: '1' })
    await gateway.event('visit.left', { visitId: '1' })
    expect(
      await Promise.all([idOf(await gateway.told('audio.play', 0)), idOf(await gateway.told('audio.play', 1))]),
    ).toEqual([hello, bye])
    const chosen = await ready({ trigger: 'manual', text: '节日快乐。' })
    await unit((db) =>
      db.run(
        sql`update shop_conf set welcome_audio_id = ${chosen} where tenant_id = ${tenantId} and shop_id = ${shop}`,
      ),
    )
    await gateway.event('visit.entered', { visitId: '2' })
    expect(await idOf(await gateway.told('audio.play', 2))).toBe(chosen)
    await must('POST', 'audioConf/submit', { body: { id: chosen, enabled: false } })
    await gateway.event('visit.entered', { visitId: '3' })
    await gateway.say('evt', { eid: `late${now}`, type: 'visit.left', data: {}, ts: now - 60_000 })
    expect(plays()).toHaveLength(3)
  })

  it('greets no more than a door lets in, whatever a device says, and greets again in the next minute', async () => {
    const id = await ready({ trigger: 'enter', text: '欢迎。' })
    await unit((db) =>
      db.run(sql`update shop_conf set welcome_audio_id = ${id} where tenant_id = ${tenantId} and shop_id = ${shop}`),
    )
    const before = plays().length
    for (let n = 0; n < 25; n++) await gateway.event('visit.entered', { visitId: `flood${n}` })
    expect(plays().length - before).toBe(10)
    now += 60_000
    await gateway.event('visit.entered', { visitId: 'next' })
    expect(plays().length - before).toBe(11)
  })

  it('warns of what is urgent, or of what it is meant for, once for each event', async () => {
    const urgent = await ready({ trigger: 'alarm', text: '请立即离开。' })
    const paper = await ready({ trigger: 'alarm', text: '打印机缺纸。', alarmTypes: 'paperOut' })
    const raise = async (type: 'paperOut' | 'intrusion' | 'lowStock') => {
      const id = await unit((db) => raiseEvent(db, { shopId: shop, type, content: '测试' }))
      await tenants.server.jobs.runDue()
      return id
    }
    const intrusion = await raise('intrusion')
    await raise('intrusion')
    await raise('lowStock')
    expect(await logs(urgent)).toMatchObject([{ why: 'alarm', eventId: intrusion }])
    expect(await logs(paper)).toEqual([])
    await raise('paperOut')
    expect([(await logs(urgent)).length, (await logs(paper)).length]).toEqual([1, 1])
    expect(plays()).toHaveLength(2)
  })

  it('is said at its hour in Shanghai, once however many servers look, and not at another hour', async () => {
    const id = await ready({ trigger: 'schedule', cron: '55 21 * * *', text: '夜深了。' })
    now = new Date('2026-11-20T21:53:00+08:00').getTime()
    await gateway.say('online', { online: true, connId: 'night' })
    await playDueAnnouncements(tenants.services)
    expect(await logs(id)).toEqual([])
    now = new Date('2026-11-20T21:55:04+08:00').getTime()
    await Promise.all([1, 2, 3].map(() => playDueAnnouncements(tenants.services)))
    now = new Date('2026-11-20T21:56:00+08:00').getTime()
    await playDueAnnouncements(tenants.services)
    await gateway.told('audio.play')
    expect(await logs(id)).toMatchObject([{ why: 'schedule', state: null }])
    expect(plays()).toHaveLength(1)
  })
})

describe('an engine', () => {
  const submit = (body: object) => tenants.call(tenants.north.admin, 'POST', '/api/shop/speechEngine/submit', { body })

  it('shows its secret to nobody, lies sealed, and keeps it when the mask comes back', async () => {
    const { data } = await submit({ name: '封存', category: 'tencent', accessKey: 'a', secretKey: 'very-secret' })
    const shown = await tenants.call(tenants.north.admin, 'GET', '/api/shop/speechEngine/detail', {
      query: { id: data.id },
    })
    expect(JSON.stringify(shown.body)).not.toContain('very-secret')
    await submit({ ...shown.data, remark: '改' })
    const row = await unit((db) => db.get(speechEngine, data.id))
    expect(row!.secretKey).toMatch(/^sealed2:/)
  })

  it('needs what its kind needs, and a tenant may not point it inside', async () => {
    expect(
      (await submit({ name: '缺', category: 'aliyun', accessKey: 'a', secretKey: 'b' })).data.fields,
    ).toHaveProperty('appKey')
    expect((await submit({ name: '缺', category: 'azure', secretKey: 'b' })).data.fields).toHaveProperty('region')
    const inside = await submit({ name: '内', category: 'azure', secretKey: 'b', endpoint: 'http://127.0.0.1:1' })
    expect(inside.data).toMatchObject({ reason: 'endpoint_private' })
  })

  it('put into use puts the others out of use', async () => {
    const { data } = await submit({ name: '启用', category: 'local' })
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/speechEngine/enable', { query: { id: data.id } }),
    )
    const used = await unit((db) => db.find(speechEngine, sql`r.status = 2`))
    expect(used.map(({ id }) => id)).toEqual([data.id])
  })
})
