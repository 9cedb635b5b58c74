import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { registerDeviceInstaller } from './work-info.server.ts'
import { leadReminderJob } from './join-us.server.ts'

const NOON = new Date('2026-11-20T12:00:00+08:00')
let tenants: TestTenants
let here: string
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => NOON })
  here = tenants.north.shops[0]!
})
afterAll(() => tenants?.close())

const work = '/api/shop/workInfo'
const post = (path: string, body: object, who = tenants.north.admin) => tenants.call(who, 'POST', path, { body })
const order = (more: object = {}) =>
  tenants
    .must(post(`${work}/submit`, { shopId: here, title: '换闭门器', type: 'repair', ...more }))
    .then(({ id }) => id as string)
const detail = (id: string) =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', `${work}/detail`, { query: { id } }))
const device = (workId: string, sn: string, more: object = {}) =>
  post(`${work}/device/submit`, { workId, deviceType: 'camera', sn, action: 'install', ...more })

describe('a work order', () => {
  test('has a number of its own, also when many are written at once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => order()))
    const numbers = await Promise.all(ids.map(async (id) => (await detail(id)).workNo as string))
    expect(new Set(numbers).size).toBe(8)
    expect(numbers.every((one) => /^W261120\d{4}$/.test(one))).toBe(true)
    // A workbook of ten thousand is more than four digits hold.
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.run(sql`update work_info set work_no = 'W2611209999' where work_no = ${numbers[0]}`),
    )
    const next = []
    for (const _twice of [1, 2]) next.push((await detail(await order())).workNo)
    expect(next).toEqual(['W26112010000', 'W26112010001'])
  })

  test('goes waiting, assigned, in progress, done, and no other way', async () => {
    const id = await order()
    const worker = await tenants.boss(tenants.north, here)
    expect((await post(`${work}/start`, { id })).data.reason).toBe('action_not_now')
    expect((await post(`${work}/finish`, { id, resultRemark: '好了' })).data.reason).toBe('action_not_now')
    expect((await post(`${work}/assign`, { id, workerUserId: '77' })).data.fields).toHaveProperty('workerUserId')
    await tenants.must(post(`${work}/assign`, { id, workerUserId: worker.userId, planTime: '2026-11-21 10:00:00' }))
    expect(await detail(id)).toMatchObject({ status: 1, workerUserId: worker.userId, planTime: '2026-11-21 10:00:00' })
    const { records } = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/noticeLog/list', {
        query: { userId: worker.userId, template: 'work' },
      }),
    )
    expect(records).toHaveLength(1)
    expect((await post(`${work}/remove`, {})).status).toBe(400)
    expect(
      (await tenants.call(tenants.north.admin, 'POST', `${work}/remove`, { query: { ids: id } })).data.reason,
    ).toBe('work_kept')
    const starts = await Promise.all([1, 2, 3].map(() => post(`${work}/start`, { id }, worker)))
    expect(starts.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400])
    await tenants.must(post(`${work}/finish`, { id, resultRemark: '好了' }, worker))
    expect(await detail(id)).toMatchObject({ status: 3, resultRemark: '好了', finishTime: '2026-11-20 12:00:00' })
    expect((await post(`${work}/submit`, { id, title: '改名' })).data.reason).toBe('work_closed')
    expect((await post(`${work}/cancel`, { id, resultRemark: '算了' })).data.reason).toBe('action_not_now')
  })

  test(
    'of an installation puts its devices into the shop once it is done, ' + 'and leaves them alone afterwards',
    async () => {
      const taken: string[] = []
      const id = await order({ type: 'install' })
      registerDeviceInstaller(async (_db, { workId, shopId, devices }) => {
        if (workId !== id) return new Map()
        expect(shopId).toBe(here)
        taken.push(...devices.map(({ sn }) => sn))
        return new Map(devices.map((one, at) => [one.id, String(900 + at)]))
      })
      await tenants.must(device(id, 'CAM-1'))
      await tenants.must(device(id, 'OLD-1', { action: 'remove' }))
      expect((await device(id, 'CAM-1')).data.fields).toHaveProperty('sn')
      await tenants.must(post(`${work}/assign`, { id, workerUserId: tenants.north.admin.userId }))
      await tenants.must(post(`${work}/start`, { id }))
      const ends = await Promise.all([1, 2].map(() => post(`${work}/finish`, { id, resultRemark: '装好' })))
      expect(ends.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
      expect(taken).toEqual(['CAM-1'])
      const { records } = await tenants.must(
        tenants.call(tenants.north.admin, 'GET', `${work}/device/list`, { query: { workId: id, ascs: 'sn' } }),
      )
      expect(records).toMatchObject([
        { sn: 'CAM-1', deviceId: '900', shopId: here },
        { sn: 'OLD-1', deviceId: '' },
      ])
      expect((await device(id, 'CAM-2')).data.reason).toBe('work_closed')
      expect(
        (await tenants.call(tenants.north.admin, 'POST', `${work}/device/remove`, { query: { ids: records[1].id } }))
          .data.reason,
      ).toBe('work_closed')
    },
  )

  test(
    'of an installation says since when a device stands there, and takes none out of ' +
      'a shop that is not the finisher’s',
    async () => {
      const own = await tenants.boss(tenants.north, here)
      const running = async (sn: string, shopId: string, more: object = {}) => {
        const id = await order({ type: 'install', shopId })
        await tenants.must(device(id, sn, more))
        await tenants.must(post(`${work}/assign`, { id, workerUserId: tenants.north.admin.userId }))
        await tenants.must(post(`${work}/start`, { id }))
        return id
      }
      const read = async (sn: string) =>
        (await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/deviceInfo/list', { query: { sn } })))
          .records[0]
      const [first, second] = [
        await running('CAM-7', tenants.north.shops[1]!),
        await running('CAM-7', here, { action: 'replace' }),
      ]
      await tenants.must(post(`${work}/finish`, { id: first, resultRemark: '装好' }))
      expect(await read('CAM-7')).toMatchObject({ shopId: tenants.north.shops[1], installTime: '2026-11-20' })
      expect((await post(`${work}/finish`, { id: second, resultRemark: '装好' }, own)).data.reason).toBe(
        'device_of_somebody_else',
      )
      expect(await detail(second)).toMatchObject({ status: 2 })
      await tenants.must(post(`${work}/finish`, { id: second, resultRemark: '装好' }))
      expect(await read('CAM-7')).toMatchObject({ shopId: here })
    },
  )

  test(
    'of whatever kind takes what it took down out of the shop, and nothing ' + 'that hangs in another one by now',
    async () => {
      const done = async (type: string, lines: [string, string][], shopId = here) => {
        const id = await order({ type, shopId })
        for (const [sn, action] of lines) await tenants.must(device(id, sn, { action }))
        await tenants.must(post(`${work}/assign`, { id, workerUserId: tenants.north.admin.userId }))
        await tenants.must(post(`${work}/start`, { id }))
        await tenants.must(post(`${work}/finish`, { id, resultRemark: '好了' }))
      }
      const standing = async (sn: string) =>
        (
          await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/deviceInfo/list', { query: { sn } }))
        ).records.map((row: any) => row.shopId)
      await done('install', [
        ['CAM-21', 'install'],
        ['CAM-22', 'install'],
        ['CAM-23', 'install'],
      ])
      await done('install', [['CAM-23', 'replace']], tenants.north.shops[1])
      await done('remove', [
        ['CAM-21', 'remove'],
        ['CAM-23', 'remove'],
        ['NOBODY-1', 'remove'],
      ])
      expect([await standing('CAM-21'), await standing('CAM-22'), await standing('CAM-23')]).toEqual([
        [],
        [here],
        [tenants.north.shops[1]],
      ])
      await done('repair', [['CAM-22', 'remove']])
      expect(await standing('CAM-22')).toEqual([])
      // It may be put up again.
      await done('install', [['CAM-21', 'install']])
      expect(await standing('CAM-21')).toEqual([here])
    },
  )

  test('takes its devices along when it is removed, though those of a closed one cannot be changed', async () => {
    const id = await order()
    const line = (await tenants.must(device(id, 'CAM-7'))).id as string
    await tenants.must(post(`${work}/cancel`, { id, resultRemark: '不装了' }))
    const remove = (path: string, ids: string) =>
      tenants.call(tenants.north.admin, 'POST', `${path}/remove`, { query: { ids } })
    expect((await remove(`${work}/device`, line)).data.reason).toBe('work_closed')
    await tenants.must(remove(work, id))
    const found = await tenants.call(tenants.north.admin, 'GET', `${work}/device/detail`, { query: { id: line } })
    expect(found.status).toBe(404)
  })

  test('and its devices belong to the shop: a boss of another one finds neither', async () => {
    const id = await order()
    const other = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const own = await tenants.boss(tenants.north, here)
    expect((await tenants.must(device(id, 'CAM-9'))).id).toMatch(/\d/)
    expect(
      (await post(`${work}/device/submit`, { workId: id, deviceType: 'camera', sn: 'X', action: 'install' }, other))
        .status,
    ).toBe(400)
    expect(
      (await post(`${work}/device/submit`, { workId: id, deviceType: 'camera', sn: 'X', action: 'install' }, own))
        .status,
    ).toBe(200)
    const seen = async (who = other) =>
      (await tenants.must(tenants.call(who, 'GET', `${work}/device/list`, { query: { workId: id } }))).total as number
    expect([await seen(), await seen(own)]).toEqual([0, 2])
  })
})

describe('a franchise lead', () => {
  const join = '/api/shop/joinUs'
  const lead = (more: object = {}) =>
    tenants
      .must(post(`${join}/submit`, { name: '方芸', phone: '13868120011', district: '330106', ...more }))
      .then(({ id }) => id as string)
  const read = (id: string) =>
    tenants.must(tenants.call(tenants.north.admin, 'GET', `${join}/detail`, { query: { id } }))
  const remind = (id: string, at: string) =>
    leadReminderJob.run(
      { id, at },
      { tenantId: '100001', signal: new AbortController().signal, jobId: '1', attempt: 1, services: tenants.services },
    )
  const reminders = async (name: string) =>
    (
      await tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/shop/noticeLog/list', {
          query: { template: 'lead', content: name },
        }),
      )
    ).total as number

  test('signed without a word it keeps what was said last', async () => {
    const id = await lead()
    await tenants.must(post(`${join}/follow`, { id, way: 'phone', content: '约了周五看店' }))
    await tenants.must(post(`${join}/sign`, { id }))
    expect(await read(id)).toMatchObject({ status: 2, followRemark: '约了周五看店', followCount: 2 })
  })

  test('keeps each contact, and is closed by signing or rejecting, once', async () => {
    const id = await lead()
    expect(await read(id)).toMatchObject({
      status: 0,
      province: '33',
      city: '3301',
      provinceName: '浙江省',
      cityName: '浙江省/杭州市',
    })
    expect((await post(`${join}/sign`, { id })).data.reason).toBe('action_not_now')
    await Promise.all(
      [1, 2, 3].map((n) => tenants.must(post(`${join}/follow`, { id, way: 'phone', content: `第${n}次` }))),
    )
    expect(await read(id)).toMatchObject({ status: 1, followCount: 3, followUser: tenants.north.admin.userId })
    const ends = await Promise.all([
      post(`${join}/sign`, { id, content: '签了' }),
      post(`${join}/reject`, { id, content: '算了' }),
    ])
    expect(ends.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
    const { records } = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', `${join}/follow/list`, { query: { joinId: id } }),
    )
    expect(records).toHaveLength(4)
    expect((await post(`${join}/submit`, { id, name: '改名' })).data.reason).toBe('lead_closed')
  })

  test('reminds who is in charge when it is time, once, and not when it was called meanwhile', async () => {
    const id = await lead({ name: '到点提醒' })
    await tenants.must(
      post(`${join}/follow`, { id, way: 'phone', content: '再联系', nextFollowTime: '2026-11-20 15:00:00' }),
    )
    expect(
      (await post(`${join}/follow`, { id, way: 'phone', content: '昨天', nextFollowTime: '2026-11-19 15:00:00' })).data
        .fields,
    ).toEqual({ nextFollowTime: expect.stringContaining('不能早于') })
    await remind(id, '2026-11-20 14:00:00')
    expect(await reminders('到点提醒')).toBe(0)
    await Promise.all([remind(id, '2026-11-20 15:00:00'), remind(id, '2026-11-20 15:00:00')])
    expect(await reminders('到点提醒')).toBe(1)
    await tenants.must(
      post(`${join}/follow`, { id, way: 'phone', content: '谈过了', nextFollowTime: '2026-11-22 15:00:00' }),
    )
    await tenants.must(post(`${join}/reject`, { id, content: '不合适' }))
    await remind(id, '2026-11-22 15:00:00')
    expect(await reminders('到点提醒')).toBe(1)
  })
})
