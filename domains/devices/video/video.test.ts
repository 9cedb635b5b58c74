import { once } from 'node:events'
import { WebSocket } from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { ptzPressTimeout } from './ptz.ts'
import { streamViewersOf } from './viewers.ts'
import { syncVideoAccount } from './sync.job.ts'
import type { CastMember } from '#tests/support/server.ts'
import { codeOf, createVideoTestTenants, type VideoTestTenants } from '#tests/support/video-tenants.ts'
import { pushKeySignature } from './wvp.client.ts'

const { ms: usual } = ptzPressTimeout
let video: VideoTestTenants
beforeAll(async () => {
  ptzPressTimeout.ms = 1000
  video = await createVideoTestTenants([{ hasPtz: true }, { clockMs: 47_000 }, { isOnline: false }], { listen: true })
})
afterEach(() => {
  Object.assign(video.wvp.world.mood, { isAway: false, forgets: 0, lateMs: 0 })
  for (const camera of video.wvp.world.cameras) camera.faults = {}
})
afterAll(() => {
  ptzPressTimeout.ms = usual
  return video?.close()
})

const gb = (method: 'GET' | 'POST', path: string, query: Record<string, unknown> = {}, who = video.north.admin) =>
  video.call(who, method, `/api/gb28181/${path}`, { query })

/** Opens an address as a browser does, and answers its first bytes. */
async function open(address: string) {
  const socket = new WebSocket(video.server.url.replace('http', 'ws') + address)
  const [bytes] = (await once(socket, 'message')) as [Buffer]
  return { socket, bytes }
}
const leave = async (socket: WebSocket) => {
  socket.close()
  await once(socket, 'close')
}
const address = async (id = video.cameras[0]!) =>
  ((await video.must(video.ask('watch', { id }))) as { address: string }).address

test('channels become cameras of the shop their device stands in, each once', async () => {
  await syncVideoAccount(video.services, video.north.tenantId, video.accountId)
  const { data } = await video.ask('list')
  expect(data.records).toHaveLength(3)
  expect(new Set(data.records.map((one: { shopId: string }) => one.shopId))).toEqual(new Set([video.north.shops[0]]))
  expect(data.records.map((one: { online: boolean }) => one.online).toSorted()).toEqual([false, true, true])
  expect(JSON.stringify(data)).not.toContain('of a test')
})

test('a channel listed twice is one, and one that cannot be written keeps no other away and is named', async () => {
  const { cameras } = video.wvp.world
  const [first] = cameras
  cameras.push(first!, { ...first!, ...codeOf(71), name: '仓库\0门口' }, { ...first!, ...codeOf(72), name: '后门' })
  const account = () =>
    video.must(
      video.call(video.north.admin, 'GET', '/api/shop/videoAccount/detail', { query: { id: video.accountId } }),
    )
  const sync = () => syncVideoAccount(video.services, video.north.tenantId, video.accountId)
  await sync()
  const rows = async () => (await video.ask('list', { size: 50 })).data.records.map(({ name }: any) => name)
  expect(await rows()).toEqual(expect.arrayContaining(['仓库\ufffd门口', '后门']))
  expect((await account()).failReason).toBe('')
  // A camera of a deleted account blocks the channel's place.
  const inTenant = (statement: (tenantId: string) => ReturnType<typeof sql>) =>
    video.services.unit({ tenantId: video.north.tenantId }, (db) => db.run(statement(db.tenantId)))
  const { channelId } = codeOf(72)
  await inTenant((id) => sql`update camera set account_id = 1 where tenant_id = ${id} and gb_channel_id = ${channelId}`)
  first!.hasAudio = !first!.hasAudio
  await sync()
  expect((await account()).failReason).toMatch(/1: 后门$/)
  const { data } = await video.ask('list', { size: 50 })
  expect(data.records.find(({ name }: any) => name === '摄像头1').hasAudio).toBe(first!.hasAudio)
  cameras.splice(-3)
  for (const n of [71, 72])
    await inTenant((id) => sql`delete from camera where tenant_id = ${id} and gb_channel_id = ${codeOf(n).channelId}`)
  await sync()
  expect((await account()).failReason).toBe('')
})

test('a picture is read through this server, and nothing of the platform is told', async () => {
  const shown = await video.must(video.ask('watch', { id: video.cameras[0]! }))
  expect(JSON.stringify(shown)).not.toContain(new URL(video.wvp.url).host)
  const { socket, bytes } = await open(shown.address)
  expect(bytes.subarray(0, 3).toString()).toBe('FLV')
  expect(video.wvp.media.readers()).toBe(1)
  await leave(socket)
  await expect.poll(() => video.wvp.media.readers()).toBe(0)
  expect(streamViewersOf(video.services).size).toBe(0)
})

test('an address that was made up or is old opens nothing', async () => {
  const wrong = new WebSocket(`${video.server.url.replace('http', 'ws')}/api/shop/camera/stream/made-up`)
  const [error] = (await once(wrong, 'error')) as [Error]
  expect(error.message).toMatch(/40\d/)
  expect(video.wvp.media.readers()).toBe(0)
})

test('a picture ends when its reader may look no more', async () => {
  const guard = await video.person(video.north, 'guard', ['camera', 'camera_watch'])
  const { data } = await video.ask('watch', { id: video.cameras[0]! }, guard)
  const { socket } = await open(data.address)
  const closed = once(socket, 'close')
  await video.must(video.call(video.north.admin, 'POST', '/api/blade-user/remove', { query: { ids: guard.userId } }))
  await closed
  await expect.poll(() => video.wvp.media.readers()).toBe(0)
})

test('the segments of a picture end with the session they were given to', async () => {
  const guard = await video.person(video.north, 'segments', ['camera', 'camera_watch'])
  const { data } = await video.ask('watch', { id: video.cameras[0]! }, guard)
  const look = () => video.call(undefined, 'GET', data.segments)
  expect((await look()).data?.reason).not.toBe('ticket_spent')
  await video.must(video.call(guard, 'GET', '/api/blade-auth/oauth/logout'))
  expect((await look()).data?.reason).toBe('ticket_spent')
})

/** Returns `open` when an address accepts a websocket, else the error. */
const answerOfSocket = (path: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(video.server.url.replace('http', 'ws') + path)
    socket.once('error', ({ message }) => resolve(message))
    socket.once('open', () => {
      resolve('open')
      socket.terminate()
    })
  })
const takeRights = (guard: { userId: string }) =>
  video.services.unit({ tenantId: video.north.tenantId }, async (db) => {
    const [role] = await db.query<{ id: string }>(sql`delete from role_menu m using sys_user u
      where m.tenant_id = ${db.tenantId} and u.tenant_id = m.tenant_id and u.id = ${guard.userId}
      and m.role_id = any(u.role_id) returning m.role_id::text as id`)
    publishPermissionsChanged(video.services, db, { roleIds: [role!.id] })
  })
const LOSSES: [string, (guard: CastMember) => Promise<unknown>][] = [
  ['signed out', (guard) => video.must(video.call(guard, 'GET', '/api/blade-auth/oauth/logout'))],
  ['lost the right', takeRights],
  [
    'been shut out',
    (guard) =>
      video.services.unit({ tenantId: video.north.tenantId }, (db) =>
        db.run(sql`update sys_user set status = 2 where tenant_id = ${db.tenantId} and id = ${guard.userId}`),
      ),
  ],
]

test.each(LOSSES)(
  'an address that was given out and not opened yet opens nothing to one who since has %s',
  async (_how, lose) => {
    const codes = ['camera', 'camera_watch', 'camera_talk']
    const guard = await video.person(video.north, 'late', codes)
    const id = video.cameras[0]!
    const [{ deviceId, channelId }] = video.codes as [{ deviceId: string; channelId: string }]
    const speaks = (on: boolean) =>
      video.services.unit({ tenantId: video.north.tenantId }, (db) =>
        db.run(sql`update camera set voice_channel = ${on ? channelId : null} where tenant_id = ${db.tenantId}
          and id = ${id}`),
      )
    await speaks(true)
    onTestFinished(async () => {
      await speaks(false)
      await video.services.shared.forget(tenantSharedKey(video.north.tenantId, 'video', 'voice', id))
    })
    const shown = await video.must(video.ask('watch', { id }, guard))
    const talk = (await video.must(video.say('beginTalk', { id }, guard))) as { address: string }
    const key = (await video.must(gb('GET', 'getPushKey', {}, guard))) as string
    const { pushRtc } = await video.must(gb('GET', `stream/pushRtc/${deviceId}/${channelId}`, {}, guard))
    const list = () => video.call(undefined, 'GET', shown.segments)
    expect((await list()).data?.reason).not.toBe('ticket_spent')
    const readers = video.wvp.media.readers()
    await lose(guard)
    expect((await list()).data?.reason).toBe('ticket_spent')
    expect(await answerOfSocket(shown.address)).toMatch(/40\d/)
    expect(await answerOfSocket(talk.address)).toMatch(/40\d/)
    const pushed = await video.call(undefined, 'POST', new URL(pushRtc).pathname, {
      query: { sign: pushKeySignature(key) },
      body: 'v=0',
      headers: { 'content-type': 'application/sdp' },
    })
    expect(pushed.data?.reason).toBe('ticket_spent')
    expect(video.wvp.media.readers()).toBeLessThanOrEqual(readers)
  },
)

test('what may reach inside the media server leads out of the folder of a picture by no spelling', async () => {
  const { segments } = await video.must(video.ask('watch', { id: video.cameras[0]! }))
  const base = segments.slice(0, -'list.m3u8'.length)
  const [, other] = video.codes as [unknown, { deviceId: string; channelId: string }]
  const stream = `${other.deviceId}_${other.channelId}`
  for (const out of ['../', '%2e%2e/', '..%2f', '%2e%2e%2f', '..%252f', '..%5c', '..\\'])
    expect([out, (await video.call(undefined, 'GET', `${base}${out}${stream}/hls.m3u8`)).status]).toEqual([out, 404])
})

test('the camera of another tenant is not there, by its id or by its codes', async () => {
  const stranger = video.south.admin
  const [{ deviceId, channelId }] = video.codes as [{ deviceId: string; channelId: string }]
  const before = video.wvp.world.told.length
  const answers = await Promise.all([
    video.ask('watch', { id: video.cameras[0]! }, stranger),
    video.say('press', { id: video.cameras[0]!, command: 'left' }, stranger),
    video.say('beginTalk', { id: video.cameras[0]! }, stranger),
    gb('GET', `play/start/${deviceId}/${channelId}`, {}, stranger),
    gb('POST', `ptz/control/${deviceId}/${channelId}`, { command: 'left' }, stranger),
    gb('GET', 'zlm/media-info', { app: 'rtp', stream: `${deviceId}_${channelId}` }, stranger),
    gb('GET', `broadcast/${deviceId}/${channelId}`, {}, stranger),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await gb('GET', `devices/${deviceId}/channels`, {}, stranger)).data.total).toBe(0)
  expect(video.wvp.world.told).toHaveLength(before)
})

test('of a platform that several tenants sign in to, each has only what it wrote down', async () => {
  const { services, south, wvp } = video
  const account = await services.unit({ tenantId: south.tenantId }, async (db) =>
    db.insert(services.registry.resource('videoAccount'), {
      name: '同一平台',
      endpoint: wvp.url,
      username: 'admin',
      secretKey: 'of a test',
      generation: 'auto',
      mayBeInside: true,
      enabled: true,
    }),
  )
  await syncVideoAccount(services, south.tenantId, String(account.id))
  expect((await video.ask('list', {}, south.admin)).data.total).toBe(0)
})

test('a platform another tenant writes down keeps the cameras of who had it, whatever their keys', async () => {
  const { services, north, south, wvp, accountId, cameras } = video
  const [bare] = video.codes
  const written = (on: boolean) =>
    services.unit({ tenantId: north.tenantId }, (db) =>
      db.run(sql`update device_info set is_deleted = ${on ? 0 : 1} where tenant_id = ${db.tenantId}
        and gb_channel_id = ${bare!.channelId}`),
    )

  await written(false)
  const isOnline = async () => {
    await syncVideoAccount(services, north.tenantId, accountId)
    const { data } = await video.ask('detail', { id: cameras[0]! })
    return data.online
  }

  const account = (draft: object) =>
    services.unit({ tenantId: south.tenantId }, async (db) => {
      await db.run(sql`update video_account set is_deleted = 1 where tenant_id = ${db.tenantId}`)
      const row = await db.insert(services.registry.resource('videoAccount'), {
        name: `抄来的平台 ${JSON.stringify(draft)}`,
        endpoint: wvp.url,
        username: 'admin',
        secretKey: 'wrong',
        generation: 'auto',
        mayBeInside: true,
        enabled: true,
        ...draft,
      })
      return String(row.id)
    })

  for (const draft of [{ enabled: false }, {}, { secretKey: 'of a test' }]) {
    await syncVideoAccount(services, south.tenantId, await account(draft))
    expect([draft, await isOnline()]).toEqual([draft, true])
    expect((await video.ask('list', {}, south.admin)).data.total).toBe(0)
  }

  // A new channel goes to nobody while two accounts can sign in, and to the tenant's own while only that one can.
  const added = { ...codeOf(9), name: '新通道', title: 'C9' }
  wvp.world.cameras.push({ ...wvp.world.cameras[0]!, ...added, faults: {} })
  const has = async () => {
    await syncVideoAccount(services, north.tenantId, accountId)
    return (await video.ask('list', { gbChannelId: added.channelId })).data.total
  }
  expect(await has()).toBe(0)
  await account({ secretKey: 'wrong again' })
  expect(await has()).toBe(1)

  wvp.world.cameras.pop()
  await written(true)
  await services.unit({ tenantId: north.tenantId }, (db) =>
    db.run(sql`delete from camera where tenant_id = ${db.tenantId} and gb_channel_id = ${added.channelId}`),
  )
})

test('a tenant leads an account that may reach inside to no other place, by no name either', async () => {
  const { must, north, call, accountId: id } = video
  const submit = (body: object) => call(north.admin, 'POST', '/api/shop/videoAccount/submit', { body: { id, ...body } })
  const row = () => must(call(north.admin, 'GET', '/api/shop/videoAccount/detail', { query: { id } }))
  const before = await row()
  const inner = { mediaBase: 'http://127.0.0.1:39991', rtspBase: 'rtsp://127.0.0.1:39992' }
  const outer = { mediaBase: 'https://media.example.com', rtspBase: 'rtsp://media.example.com' }
  for (const key of ['mediaBase', 'rtspBase'] as const) {
    const refused = [await submit({ [key]: inner[key] }), await submit({ [key]: outer[key] })]
    expect(refused.map(({ data }) => data.reason)).toEqual(['endpoint_private', 'video_place_of_platform'])
    for (const { data } of refused) expect(data.fields).toHaveProperty(key)
  }
  expect(await row()).toMatchObject({ mediaBase: before.mediaBase, rtspBase: before.rtspBase })
  // The form sends unchanged addresses back, which is allowed.
  await must(submit({ rtspBase: before.rtspBase, remark: '不变' }))
  const own = { name: '外部平台', endpoint: 'https://wvp.example.com', username: 'a', secretKey: 'b', enabled: false }
  const made = await must(submit({ ...own, ...outer, id: '' }))
  expect((await submit({ id: made.id, mediaBase: inner.mediaBase })).data.reason).toBe('endpoint_private')
  await must(call(north.admin, 'POST', '/api/shop/videoAccount/remove', { query: { ids: made.id } }))
})

test('a camera that is away is said to be so within three seconds, though we thought it was there', async () => {
  const { wvp, cameras } = video
  wvp.camera(codeOf(1).channelId).isOnline = false
  const began = performance.now()
  const answer = await video.ask('watch', { id: cameras[0]! })
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(answer.data).toMatchObject({ reason: 'camera_offline' })
  wvp.camera(codeOf(1).channelId).isOnline = true
  expect(await address()).toContain('/api/shop/camera/stream/')
})

test('a camera that sends nothing is said to be silent, not that the person must sign in', async () => {
  video.wvp.camera(codeOf(1).channelId).faults.isMute = true
  const answer = await video.ask('watch', { id: video.cameras[0]! })
  expect(answer.data).toMatchObject({ reason: 'camera_silent' })
  video.wvp.world.mood.isAway = true
  const away = await video.ask('watch', { id: video.cameras[0]! })
  expect(away.status).not.toBe(401)
  expect(away.data).toMatchObject({ reason: 'video_away' })
})

test('a token that ends in the middle is renewed once, unseen, however many ask', async () => {
  const { world } = video.wvp
  await address()
  const before = world.logins
  world.tokens.clear()
  const answers = await Promise.all(Array.from({ length: 8 }, () => video.ask('watch', { id: video.cameras[1]! })))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(world.logins - before).toBe(1)
})

test('a platform that lets us in no more is a fault of the platform, never a 401', async () => {
  video.wvp.world.mood.forgets = 1_000
  const answer = await video.ask('watch', { id: video.cameras[0]! })
  expect(answer.status).not.toBe(401)
  expect(answer.data).toMatchObject({ reason: 'video_login_failed' })
})

test('a camera that is let go while it is still being told to turn stands still', async () => {
  const [id] = video.cameras as [string]
  const { told } = video.wvp.world
  for (let n = 0; n < 5; n++) {
    const before = told.length
    // Both are sent at once. Whichever arrives first, the stop has to win.
    await Promise.all(['left', 'stop'].map((command) => video.must(video.say('press', { id, command }))))
    await expect.poll(() => told.slice(before).at(-1)?.bytes, { timeout: 6_000 }).toMatch(/^A50F0100/)
  }
})

test('two operators are told apart: who came first turns it, the other hears who that is', async () => {
  const [id] = video.cameras as [string]
  const [one, other] = [
    await video.person(video.north, 'one', ['camera', 'camera_ptz']),
    await video.person(video.north, 'other', ['camera', 'camera_ptz']),
  ]
  await video.services.shared.forget(tenantSharedKey(video.north.tenantId, 'video', 'held', id))
  await video.must(video.say('press', { id, command: 'up' }, one))
  const refused = await video.say('press', { id, command: 'down' }, other)
  expect(refused.data).toMatchObject({ reason: 'camera_held' })
  expect(refused.body.msg).toContain(one.account)
  expect(video.wvp.camera(codeOf(1).channelId).view.moving).toBe('up')
  await video.must(video.say('press', { id, command: 'stop' }, one))
})

test('the key to push with is ours, good for one, and the platform keeps its own', async () => {
  const key = await video.must(gb('GET', 'getPushKey'))
  expect(key).not.toBe(video.wvp.world.pushKey)
  const [{ deviceId, channelId }] = video.codes as [{ deviceId: string; channelId: string }]
  const { pushRtc } = await video.must(gb('GET', `stream/pushRtc/${deviceId}/${channelId}`))
  const push = (sign: string) =>
    video.call(undefined, 'POST', new URL(pushRtc).pathname, {
      query: { sign },
      body: 'v=0',
      headers: { 'content-type': 'application/sdp' },
    })
  expect((await push('wrong')).status).toBe(403)
})

test('nothing of a camera is left in the request log that lets anybody in', async () => {
  const { services, north, wvp } = video
  await services.unit({ tenantId: north.tenantId }, async (db) => {
    const rows = await db.query(sql`select * from request_log where tenant_id = ${north.tenantId} and system = 'wvp'`)
    const text = JSON.stringify(rows)
    for (const token of wvp.world.tokens.keys()) expect(text).not.toContain(token)
    expect(text).not.toContain(wvp.world.pushKey)
  })
})

describe.each(['g1', 'g2'] as const)('of a platform of the generation %s', (generation) => {
  beforeAll(async () => {
    await video.inGeneration(generation)
    await video.services.shared.forget(tenantSharedKey(video.north.tenantId, 'video', 'held', video.cameras[0]!))
  })

  test('its channels are the cameras that were there before, each once', async () => {
    const { data } = await video.ask('list', { ascs: 'gbChannelId' })
    expect(data.records.map(({ id }: { id: string }) => id)).toEqual(video.cameras)
    expect(data.records.map((one: { online: boolean }) => one.online)).toEqual([true, true, false])
  })

  test('a camera turns while somebody presses, and stops though the release is lost', async () => {
    const [id] = video.cameras as [string]
    const { channelId } = codeOf(1)
    const view = () => video.wvp.camera(channelId).view.moving
    const before = video.wvp.world.told.length
    await video.must(video.say('press', { id, command: 'left' }))
    expect(view()).toBe('left')
    await video.must(video.say('press', { id, command: 'left' }))
    // A repeated press is sent to the camera once.
    const lefts = video.wvp.world.told.slice(before).filter((one) => one.bytes.startsWith('A50F0102'))
    expect(lefts).toHaveLength(1)
    await expect.poll(view, { timeout: 6_000 }).toBe('stop')
  })

  test('a preset is kept and called, and a camera without a motor says that it has none', async () => {
    const [dome, fixed] = video.cameras as [string, string]
    await video.services.shared.forget(tenantSharedKey(video.north.tenantId, 'video', 'held', dome))
    for (const act of ['set', 'call']) await video.must(video.say('preset', { id: dome, no: 3, act }))
    expect(await video.must(video.ask('presets', { id: dome }))).toEqual([{ no: 3, name: '预置点 3' }])
    expect(video.wvp.world.told.map(({ bytes }) => bytes)).toContain(
      'A50F018101030039'.replace('0039', '003A').slice(0, 14) + '3A',
    )
    expect((await video.say('press', { id: fixed, command: 'left' })).data).toMatchObject({ reason: 'camera_fixed' })
  })

  test('a box drawn on the picture is what the camera zooms to, and out of again', async () => {
    const [id, fixed] = video.cameras as [string, string]
    const { channelId } = codeOf(1)
    const before = video.wvp.world.told.length
    const box = { id, x: 0.75, y: 0.5, wide: 0.2, high: 0.3 }
    const from = { ...video.wvp.camera(channelId).view }
    await video.must(video.say('zoomTo', box))
    // The box lies to the right, so the camera turns there and zooms in.
    expect(video.wvp.camera(channelId).view).toMatchObject({ pan: from.pan + 5, zoom: from.zoom + 2 })
    await video.must(video.say('zoomTo', { ...box, x: 0.5, isOut: true }))
    expect(video.wvp.camera(channelId).view.zoom).toBe(from.zoom)
    expect(video.wvp.world.told.slice(before).map(({ bytes }) => bytes)).toEqual([
      'DRAG IN 200x300',
      'DRAG OUT 200x300',
    ])
    expect((await video.say('zoomTo', { ...box, id: fixed })).data).toMatchObject({ reason: 'camera_fixed' })
    for (const wrong of [{ wide: 1.5 }, { x: -0.1 }, { high: null }])
      expect((await video.say('zoomTo', { ...box, ...wrong })).status).toBe(400)
  })

  test('clients that knew the platform are answered as it did, with our addresses in it', async () => {
    const [{ deviceId, channelId }] = video.codes as [{ deviceId: string; channelId: string }]
    const played = await video.must(gb('GET', `play/start/${deviceId}/${channelId}`))
    expect(played).toMatchObject({ app: 'rtp', stream: `${deviceId}_${channelId}`, rtsp: null })
    expect(played.ws_flv).toContain('/api/shop/camera/stream/')
    expect(JSON.stringify(played)).not.toContain(new URL(video.wvp.url).host)
    const info = await video.must(gb('GET', 'zlm/media-info', { app: 'rtp', stream: played.stream }))
    expect(info.tracks[0]).toMatchObject({ codec_id_name: 'H264', width: 320 })
    const page = await video.must(gb('GET', `devices/${deviceId}/channels`, { page: 1, count: 10 }))
    expect(page).toMatchObject({ total: 1, list: [{ channelId, deviceId, status: true }] })
    const query = { cmdCode: 130, parameter1: 0, parameter2: 9, combindCode2: 0 }
    expect(await video.must(gb('POST', `ptz/front_end_command/${deviceId}/${channelId}`, query))).toEqual({})
    expect(video.wvp.world.told.at(-1)!.bytes).toMatch(/^A50F0182000900/)
    await video.must(
      video.call(video.north.admin, 'POST', `/api/gb28181/devices/${deviceId}/${channelId}/edit`, {
        body: { name: `大门 ${generation}` },
      }),
    )
    expect(video.wvp.camera(channelId).name).toBe(`大门 ${generation}`)
  })
})
