import { createHash } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeALawWav } from '#domains/devices/audio-announcements/api.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { storeFile } from '#domains/platform/files/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import type { CastMember } from '#tests/support/server.ts'
import { codeOf, createVideoTestTenants, type VideoTestTenants } from '#tests/support/video-tenants.ts'
import { pictureInFlv, pictureInMp4 } from '#simulators/wvp/read-flv.ts'
import { encodeCameraALawSample } from './a-law.ts'
import { requireCameraById } from './camera-of.ts'
import { checkCameraPicture, measureCameraClock } from './health.job.ts'
import { createALawSilence } from './rtsp.client.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'

const CAMERA_SKEW_MS = 47_000
const SLOW_SECONDS = 12
let video: VideoTestTenants
/** Moves the server's clock, and the cameras' with it. */
let offset = 0
const now = () => Date.now() + offset
beforeAll(async () => {
  video = await createVideoTestTenants([{ clockMs: CAMERA_SKEW_MS }, { hasPtz: true }], { listen: true, now })
  const reached = await reach(0)
  await measureCameraClock(video.services, reached)
})
afterAll(() => video?.close())

const reach = (n: number) => requireCameraById(video.services, video.north.tenantId, video.cameras[n]!)
const unit = <T>(work: (db: Parameters<Parameters<typeof video.services.unit>[1]>[0]) => Promise<T>) =>
  video.services.unit({ tenantId: video.north.tenantId }, work)

/** What the first picture of an address shows. */
async function firstPicture(address: string) {
  const socket = new WebSocket(video.server.url.replace('http', 'ws') + address)
  let all = Buffer.alloc(0)
  socket.on('message', (part: Buffer) => (all = Buffer.concat([all, part])))
  try {
    return await expect
      .poll(() => pictureInFlv(all))
      .toBeDefined()
      .then(() => pictureInFlv(all)!)
  } finally {
    socket.close()
  }
}

test('a clock that is 47 s fast is measured to the second', async () => {
  const { row } = await reach(0)
  expect(Math.abs(row.clockError! - CAMERA_SKEW_MS)).toBeLessThan(1_000)
})

test('200 visits: every clip opens within 2 s of the true moment, with a register 12 s slow', async () => {
  const [shopId] = video.north.shops as [string]
  const register = await video.register(video.north, shopId)
  await unit((db) =>
    db.run(sql`update cash_register set clock_skew = ${SLOW_SECONDS} where tenant_id = ${db.tenantId}
      and id = ${register.id}`),
  )

  const trueAt = (n: number) => new Date(Math.floor((now() - 3_600_000 - n * 300_000) / 1000) * 1000)
  const made = await unit(async (db) => {
    const rows = []
    for (let n = 0; n < 200; n++) {
      const at = trueAt(n)
      const visit = await db.insert(video.services.registry.resource('customerVisitLog'), {
        shopId,
        enterTime: formatShanghaiTime(at),
        entryMode: 'scan',
      })
      // The register reports the payment by its own clock.
      const payTime = formatShanghaiTime(new Date(at.getTime() - SLOW_SECONDS * 1000))
      const order = await db.insert(video.services.registry.resource('shoppingOrder'), {
        shopId,
        orderNo: `N${n}`,
        type: 'store',
        status: 1,
        payTime: payTime,
        payAmount: 100,
        cashRegisterId: register.id,
        saleNo: `S${n}`,
      })
      rows.push({ visit: String(visit.id), order: String(order.id), at })
    }
    return rows
  })

  const late: number[] = []
  for (const { visit, order, at } of made)
    for (const [kind, id] of [
      ['visit', visit],
      ['order', order],
    ] as const) {
      const momentVideo = await video.must(video.ask('beside', { kind, id }))
      const [first] = momentVideo.cameras
      const until = formatShanghaiTime(new Date(new Date(at).getTime() + 60_000))
      const shown = await video.must(video.ask('playback', { id: first.id, startTime: momentVideo.at, endTime: until }))
      // The time requested from the media server, converted from the camera's clock to true time.
      const stream = video.wvp.media.streams.get(`rtp/${shown.stream}`)!.stream
      late.push(Math.abs(stream.from! - CAMERA_SKEW_MS - at.getTime()))
      video.wvp.media.end(`rtp/${shown.stream}`)
    }

  expect(late).toHaveLength(400)
  expect(Math.max(...late)).toBeLessThan(2_000)
})

test('nine kinds of events of a visit stand in true order, though its register is 12 s slow', async () => {
  const [shopId] = video.north.shops as [string]
  const start = Math.floor((now() - 5_400_000) / 1000) * 1000
  const at = (seconds: number) => new Date(start + seconds * 1000)

  const id = await unit(async (db) => {
    const tables = video.services.registry
    const register = await db.one<{ id: string }>(sql`select id::text from cash_register
      where tenant_id = ${db.tenantId} and clock_skew = ${SLOW_SECONDS}`)
    const visit = await db.insert(tables.resource('customerVisitLog'), {
      shopId,
      enterTime: formatShanghaiTime(at(2)),
      leaveTime: formatShanghaiTime(at(50)),
      entryMode: 'scan',
    })
    const order = await db.insert(tables.resource('shoppingOrder'), {
      shopId,
      orderNo: 'TRUE-1',
      type: 'store',
      status: 1,
      payTime: formatShanghaiTime(at(40 - SLOW_SECONDS)),
      payAmount: 100,
      cashRegisterId: register!.id,
      saleNo: 'TRUE-1',
      visitId: visit.id,
    })

    const moments = [
      ['scanned', at(0)],
      ['opened', at(1)],
      ['entered', at(2)],
      ['picked', at(20)],
      ['returned', at(32)],
      // Recorded twelve seconds early by the register, before the goods were put back.
      ['paid', at(40 - SLOW_SECONDS)],
      ['left', at(50)],
    ] as const
    for (const [n, [kind, time]] of moments.entries())
      await db.run(sql`insert into visit_record (id, tenant_id, visit_id, kind, time, order_id)
        values (${String(900 + n)}, ${db.tenantId}, ${visit.id}, ${kind}, ${time.toISOString()},
        ${kind === 'paid' ? order.id : null})`)

    await db.withTimestamp(at(10), (then) =>
      then.insert(tables.resource('doorControlLog'), {
        shopId,
        action: 'open',
        source: 'office',
        result: 'refused',
        visitId: visit.id,
        commandId: 'c-true',
      }),
    )
    await raiseEvent(db, {
      shopId,
      type: 'unpaidLeave',
      subject: `visit/${visit.id}`,
      at: at(51),
      content: { zh: '核对', en: 'Checked' },
    })
    return String(visit.id)
  })

  const whole = await video.must(
    video.call(video.north.admin, 'GET', '/api/shop/customerVisitLog/whole', { query: { id } }),
  )
  const timeline = [
    ...whole.moments.map((one: { kind: string; time: string }) => [one.time, one.kind]),
    ...whole.doors.map((one: { createTime: string }) => [one.createTime, 'door']),
    ...whole.events.map((one: { occurTime: string }) => [one.occurTime, 'event']),
  ].toSorted(([one], [other]) => String(one).localeCompare(String(other)))

  expect(timeline.map(([, kind]) => kind)).toEqual([
    'scanned',
    'opened',
    'entered',
    'door',
    'picked',
    'returned',
    'paid',
    'left',
    'event',
  ])
})

test('the first picture of a clip shows its moment, by the clock that is wrong', async () => {
  const at = new Date(Math.floor((now() - 7_200_000) / 1000) * 1000)
  const shown = await video.must(
    video.ask('playback', {
      id: video.cameras[0]!,
      startTime: formatShanghaiTime(at),
      endTime: formatShanghaiTime(new Date(at.getTime() + 60_000)),
    }),
  )
  const seen = await firstPicture(shown.address)
  expect(seen.mark).toBe(video.wvp.camera(codeOf(1).channelId).mark)
  expect(Math.abs(seen.at.getTime() - CAMERA_SKEW_MS - at.getTime())).toBeLessThan(2_000)
})

test('a recording is found by true time, plays at another speed, and is none where nothing was recorded', async () => {
  const [id] = video.cameras as [string]
  const requestedAt = now()
  const hour = (ago: number) => formatShanghaiTime(new Date(requestedAt - ago * 3_600_000))
  const found = await video.must(video.ask('records', { id, startTime: hour(3), endTime: hour(1) }))
  expect(found.length).toBeGreaterThanOrEqual(2)
  expect(Math.abs(parseShanghaiTime(found[0].startTime).getTime() - requestedAt + 3 * 3_600_000)).toBeLessThan(2_000)
  const shown = await video.must(video.ask('playback', { id, startTime: hour(2), endTime: hour(1) }))
  await video.must(video.say('playSpeed', { control: shown.control, speed: 4 }))
  expect(video.wvp.media.streams.get(`rtp/${shown.stream}`)!.stream.speed).toBe(4)
  expect((await video.say('playSpeed', { control: 'made up', speed: 4 })).status).not.toBe(200)
  const gone = await video.ask('playback', { id, startTime: hour(200), endTime: hour(199) })
  expect(gone.data).toMatchObject({ reason: 'camera_no_record' })
  video.wvp.media.end(`rtp/${shown.stream}`)
})

test('a recording becomes a file of its moment, faster than it was filmed, and nobody else fetches it', async () => {
  const [id] = video.cameras as [string]
  const other = await video.person(video.north, 'fetcher', ['camera', 'camera_record'])
  const at = new Date(Math.floor((now() - 7_200_000) / 1000) * 1000)
  const span = { startTime: formatShanghaiTime(at), endTime: formatShanghaiTime(new Date(at.getTime() + 8_000)) }
  for (const generation of ['g1', 'g2'] as const) {
    await video.inGeneration(generation)
    const began = performance.now()
    const { download, name } = await video.must(video.say('recordFile', { id, ...span }))
    expect(name).toMatch(/\.mp4$/)
    const how = (who = video.north.admin) => video.ask('recordProgress', { download }, who)
    const first = await video.must(how())
    expect(first.progress).toBeLessThan(1)
    expect(first.address).toBe('')
    expect((await how(other)).data).toMatchObject({ reason: 'ticket_spent' })
    expect((await how(video.south.admin)).status).not.toBe(200)
    await expect.poll(async () => (await video.must(how())).progress, { timeout: 8_000 }).toBe(1)
    expect(performance.now() - began).toBeLessThan(7_000)
    const { address } = await video.must(how())
    const answer = await fetch(video.server.url + address)
    expect(answer.headers.get('content-type')).toBe('video/mp4')
    expect(answer.headers.get('content-disposition')).toContain(encodeURIComponent(name))
    const file = Buffer.from(await answer.arrayBuffer())
    expect(Number(answer.headers.get('content-length'))).toBe(file.length)
    expect(file.subarray(4, 8).toString()).toBe('ftyp')
    const seen = pictureInMp4(file)!
    expect(seen.mark).toBe(video.wvp.camera(codeOf(1).channelId).mark)
    expect(Math.abs(seen.at.getTime() - CAMERA_SKEW_MS - at.getTime())).toBeLessThan(2_000)
    // A cancelled download is not continued.
    await video.must(video.say('recordStop', { download }))
    expect(video.wvp.world.downloads.size).toBe(0)
  }
  await video.inGeneration('g1')
}, 30_000)

test('a picture is kept with an event, and is still there when the recordings are gone', async () => {
  const [shopId] = video.north.shops as [string]
  const eventId = await unit((db) =>
    raiseEvent(db, {
      shopId,
      type: 'intrusion',
      at: new Date(now()),
      content: { zh: '有人翻窗', en: 'Through a window' },
    }),
  )
  await video.server.jobs.runDue()
  offset += 80 * 3_600_000
  const momentVideo = await video.must(video.ask('beside', { kind: 'event', id: eventId }))
  expect(momentVideo.pictures.length).toBe(2)
  expect(momentVideo.pictures[0].picture).toMatch(/\.jpg$/)
  offset = 0
})

test('black, frozen and turned away are told once each, and taken back when it sees again', async () => {
  const camera = video.wvp.camera(codeOf(1).channelId)
  const look = async (times: number) => {
    for (let n = 0; n < times; n++) {
      offset += 60_000
      await checkCameraPicture(video.services, await reach(0))
    }
    return (await reach(0)).row.state
  }
  const open = () =>
    unit((db) =>
      db.query<{ type: string; count: number }>(sql`select type, count from shop_event
        where tenant_id = ${db.tenantId} and subject = ${`camera/${video.cameras[0]}`} and status < 2 order by type`),
    )
  expect(await look(1)).toBe('ok')
  camera.faults = { isBlack: true }
  expect(await look(1)).toBe('ok')
  expect(await look(3)).toBe('black')
  expect(await open()).toEqual([{ type: 'cameraBlack', count: 1 }])
  camera.faults = {}
  expect(await look(1)).toBe('ok')
  camera.faults = { isFrozen: true }
  expect(await look(4)).toBe('frozen')
  expect(await open()).toEqual([{ type: 'cameraFrozen', count: 1 }])
  camera.faults = {}
  expect(await look(1)).toBe('ok')
  camera.faults = { isTurned: true }
  expect(await look(4)).toBe('turned')
  camera.faults = {}
  expect(await look(1)).toBe('ok')
  expect(await open()).toEqual([])
  offset = 0
})

/** Returns a tone of a frequency as A-law. */
const tone = (hertz: number, ms: number): Buffer =>
  Buffer.from(
    Array.from({ length: ms * 8 }, (_one, n) =>
      encodeCameraALawSample(Math.round(Math.sin((2 * Math.PI * hertz * n) / 8000) * 16_000)),
    ),
  )

test('an announcement arrives at the camera as the samples it was made of', async () => {
  const { services, north } = video
  const samples = tone(440, 600)
  const wav = Buffer.concat([encodeALawWav({ samples: new Float32Array(0), rate: 8000 }), samples])
  wav.writeUInt32LE(samples.length, 40)
  const { link } = await storeFile(services, { tenantId: north.tenantId, bytes: wav, name: 'a.wav' })
  const audio = await unit((db) =>
    db.insert(services.registry.resource('audioConf'), {
      name: '欢迎',
      shopId: north.shops[0],
      text: '欢迎光临',
      voice: 'female',
      trigger: 'manual',
      times: 1,
      state: 'READY',
      audioUrl: link,
      alawUrl: link,
      seconds: 1,
      enabled: true,
    }),
  )
  const ask = (who = north.admin) =>
    video.call(who, 'GET', '/api/shop/audioConf/play', { query: { id: audio.id, gbId: codeOf(2).channelId } })
  expect((await ask(video.south.admin)).status).toBe(404)
  const playback = await video.must(ask())
  expect(playback).toMatchObject({ state: 'sent', durationSec: 1 })
  await video.server.jobs.runDue()
  const [received] = video.wvp.world.heard.filter(({ stream }) => stream.endsWith(codeOf(2).channelId))
  expect(received!.isOver).toBe(true)
  expect(received!.aLaw.includes(samples)).toBe(true)
  const log = await unit((db) =>
    db.one(sql`select state from announcement_log where tenant_id = ${db.tenantId} and id = ${playback.playId}`),
  )
  expect(log).toEqual({ state: 'done' })
})

test('what a microphone says arrives as it was said; a second person hears who is talking', async () => {
  const [, id] = video.cameras as [string, string]
  const other = await video.person(video.north, 'talker', ['camera', 'camera_talk'])
  video.wvp.world.heard.length = 0
  const { address } = await video.must(video.say('beginTalk', { id }))
  const refused = await video.say('beginTalk', { id }, other)
  expect(refused.data).toMatchObject({ reason: 'camera_talking' })
  const socket = new WebSocket(video.server.url.replace('http', 'ws') + address)
  const [ready] = (await once(socket, 'message')) as [Buffer]
  expect(ready.toString()).toBe('ready')
  const sound = tone(660, 400)
  socket.send(sound)
  const [received] = video.wvp.world.heard
  await expect.poll(() => received!.aLaw.includes(sound)).toBe(true)
  socket.close()
  await expect.poll(() => received!.isOver).toBe(true)
  await expect.poll(async () => (await video.say('beginTalk', { id }, other)).status).toBe(200)
  expect(createALawSilence(1)).toHaveLength(8)
})

/** Returns the address to push sound for the second camera to, signed with the user's own key. */
async function pushAddress(talker: CastMember): Promise<string> {
  const gb = (path: string) => video.must(video.call(talker, 'GET', `/api/gb28181/${path}`))
  const { deviceId, channelId } = codeOf(2)
  const { pushRtc } = await gb(`stream/pushRtc/${deviceId}/${channelId}`)
  const sign = createHash('md5')
    .update(await gb('getPushKey'))
    .digest('hex')
  return `${video.server.url}${new URL(pushRtc).pathname}?sign=${sign}`
}

test('sound pushed by WebRTC under a sign of ours arrives as its samples, and nobody else ends it', async () => {
  const { services, north, wvp, cameras } = video
  const talker = await video.person(north, 'pusher', ['camera', 'camera_talk'])
  await services.shared.forget(tenantSharedKey(north.tenantId, 'video', 'voice', cameras[1]!))
  const { deviceId, channelId } = codeOf(2)
  const address = await pushAddress(talker)
  wvp.world.heard.length = 0
  const sound = tone(520, 400)
  const peer = await microphone(sound)
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: peer.offer,
  })
  expect(answer.status).toBe(201)
  await peer.speak(await answer.text())
  const [received] = wvp.world.heard
  await expect.poll(() => received!.aLaw.includes(sound), { timeout: 10_000 }).toBe(true)
  expect(JSON.stringify([address, peer.offer])).not.toContain(wvp.world.pushKey)
  // Nobody else can end the talk. Once it has ended, the voice is free.
  const next = await video.person(north, 'next', ['camera', 'camera_talk'])
  const stop = `broadcast/stop/${deviceId}/${channelId}`
  const foreign = await video.call(next, 'GET', `/api/gb28181/${stop}`)
  expect(foreign.data).toMatchObject({ reason: 'camera_talking' })
  expect(received!.isOver).toBe(false)
  await video.must(video.call(talker, 'GET', `/api/gb28181/${stop}`))
  expect(received!.isOver).toBe(true)
  await peer.close()
  expect((await video.say('beginTalk', { id: cameras[1] }, next)).status).toBe(200)
}, 30_000)

/** Lets seconds pass for clocks, expiring entries and due jobs. */
async function pass(seconds: number): Promise<void> {
  offset += seconds * 1000
  const client = new pg.Client({ connectionString: video.server.databaseUrl })
  await client.connect()
  await client.query(
    "update shared_entry set expires_at = expires_at - make_interval(secs => $1) where key like 'video/voice/%'",
    [seconds],
  )
  await client.query("update job set run_at = clock_timestamp() where queue = 'video.push' and run_at <= $1", [
    new Date(now()),
  ])
  await client.end()
  await video.server.jobs.runDue()
}

test.each(['g1', 'g2'] as const)(
  'who goes on pushing for minutes keeps the voice, and leaves it within seconds of going: %s',
  async (generation) => {
    const { services, north, wvp, cameras } = video
    await video.inGeneration(generation)
    const talker = await video.person(north, `long ${generation}`, ['camera', 'camera_talk'])
    const next = await video.person(north, `after ${generation}`, ['camera', 'camera_talk'])
    await services.shared.forget(tenantSharedKey(north.tenantId, 'video', 'voice', cameras[1]!))
    wvp.world.heard.length = 0
    const peer = await microphone(tone(520, 100))
    const answer = await fetch(await pushAddress(talker), {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: peer.offer,
    })
    await peer.speak(await answer.text())
    const begin = () => video.say('beginTalk', { id: cameras[1] }, next)
    for (let n = 0; n < 5; n++) {
      await pass(25)
      expect((await begin()).data).toMatchObject({ reason: 'camera_talking' })
    }
    await peer.close()
    // A media server notices after a while that a client left without a message.
    wvp.world.heard[0]!.isOver = true
    await pass(25)
    expect((await begin()).status).toBe(200)
    // The check of the push has ended with it and does not take the voice from its new user.
    await pass(25)
    expect((await video.say('beginTalk', { id: cameras[1] }, talker)).data).toMatchObject({
      reason: 'camera_talking',
    })
  },
  30_000,
)

test('who signs out or is shut out while pushing is stopped with the next look, and the voice is free', async () => {
  const { services, north, wvp, cameras, must, call } = video
  const ends = [
    (talker: CastMember) => must(call(talker, 'GET', '/api/blade-auth/oauth/logout')),
    (talker: CastMember) =>
      must(call(north.admin, 'POST', '/api/blade-user/remove', { query: { ids: talker.userId } })),
  ]
  const next = await video.person(north, 'waiting', ['camera', 'camera_talk'])
  for (const end of ends) {
    const talker = await video.person(north, 'going', ['camera', 'camera_talk'])
    await services.shared.forget(tenantSharedKey(north.tenantId, 'video', 'voice', cameras[1]!))
    wvp.world.heard.length = 0
    const peer = await microphone(tone(520, 100))
    const answer = await fetch(await pushAddress(talker), {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: peer.offer,
    })
    await peer.speak(await answer.text())
    await pass(25)
    expect(wvp.world.heard[0]!.isOver).toBe(false)
    await end(talker)
    await pass(25)
    expect(wvp.world.heard[0]!.isOver).toBe(true)
    expect((await video.say('beginTalk', { id: cameras[1] }, next)).status).toBe(200)
    await peer.close()
  }
}, 60_000)

/** Simulates a browser's microphone: an offer with A-law, and after the answer some milliseconds of sound. */
async function microphone(sound: Buffer) {
  const { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } = await import('werift')
  const aLaw = new RTCRtpCodecParameters({ mimeType: 'audio/PCMA', clockRate: 8_000, channels: 1, payloadType: 8 })
  const connection = new RTCPeerConnection({
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: { audio: [aLaw] },
  })
  const track = new MediaStreamTrack({ kind: 'audio' })
  connection.addTransceiver(track, { direction: 'sendonly' })
  await connection.setLocalDescription(await connection.createOffer())
  return {
    offer: connection.localDescription!.sdp,
    speak: async (sdp: string) => {
      const isOpen = connection.connectionStateChange.watch((state) => state === 'connected', 10_000)
      await connection.setRemoteDescription({ type: 'answer', sdp })
      await isOpen
      for (let at = 0; at < sound.length; at += PACKET)
        track.writeRtp(
          new RtpPacket(
            new RtpHeader({ payloadType: 8, sequenceNumber: at / PACKET, timestamp: at, marker: at === 0 }),
            sound.subarray(at, at + PACKET),
          ),
        )
    },
    close: () => connection.close(),
  }
}

/** Samples in a packet of 20 ms. */
const PACKET = 160
