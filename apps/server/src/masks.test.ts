import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { personalOpeningsAlertSlot } from '#domains/platform/logs/api.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { isWriteOnlyField } from '#kit/fields/kinds.ts'
import { isPersonalField } from '#kit/fields/base/masks.ts'
import { maskFunctions, VISIBLE_MASK_ENDS } from '#kit/fields/base/mask-functions.ts'
import type { Resource } from '#kit/resource/index.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import { sql } from '#kit/server/database/db.ts'
import { queryFilterSql, queryOrderBySql } from '#kit/server/query/filters.ts'
import type { TestCaller } from '#tests/support/world.ts'
import { testProduct, type Product } from './test-product.ts'

const NUMBER = '13912345678'

let product: Product
let reader: TestCaller
let withoutPermissions: TestCaller
let tenantId: string

type Masked = { resource: Resource<any, any>; key: string; field: Field }

/** Returns every masked field of the product. */
const masked = (): Masked[] =>
  [...product.world.registry.served.values()].flatMap(({ resource }) =>
    Object.entries<Field>(resource.fields)
      .filter(([, field]) => field.mask)
      .map(([key, field]) => ({ resource, key, field })),
  )

const request = (who: TestCaller, path: string, query: Record<string, unknown> = {}) =>
  product.world.ask(who, 'GET', path, { query })
const listOf = (resource: Resource<any, any>) =>
  resource.name === 'user' ? `${resource.path}/page` : `${resource.path}/${resource.list.path}`
const isListed = (resource: Resource<any, any>) =>
  product.world.routes.some((route) => route.path === listOf(resource) && route.method !== 'POST')
const rowsOf = (data: any): any[] => (Array.isArray(data) ? data : (data?.records ?? []))

beforeAll(async () => {
  product = await testProduct()
  const { owner } = product.cast
  tenantId = owner.caller.tenantId
  const whole = masked().flatMap(({ resource, field }) =>
    field.unmaskedFor ? [permissionCodeOf(resource, field.unmaskedFor)] : [],
  )
  const permissions = new Set([...owner.caller.permissions].filter((code) => !whole.includes(code)))
  reader = product.world.be({ ...owner.caller, isAdmin: false, roleAliases: ['x'], permissions })
  withoutPermissions = product.world.be({ userId: owner.caller.userId, tenantId })
}, 120_000)
afterAll(() => product?.close())

/** A masked field with its list and the rows that have the tested value. */
type Looked = Pick<Masked, 'key' | 'field'> & {
  name: string
  list: (query: Record<string, unknown>) => ReturnType<typeof request>
  own: readonly unknown[]
}

async function expectFoundWhole({ name, key, list, own }: Looked): Promise<void> {
  for (const suffix of ['', '_like', '_in'])
    expect([name, suffix, rowsOf((await list({ [key + suffix]: NUMBER })).data).length]).toEqual([
      name,
      suffix,
      own.length,
    ])
}

/**
 * The end of the value is visible, so searching by it reveals nothing. It must not match values that only contain it.
 */
async function expectFoundByEnd({ name, key, field, list, own }: Looked): Promise<void> {
  if (!VISIBLE_MASK_ENDS[field.mask!]) return
  const isExact = !['like', undefined].includes(field.search)
  for (const suffix of [...(isExact ? [] : ['']), '_like', '_likeleft']) {
    const ending = async (part: string) => rowsOf((await list({ [key + suffix]: part })).data)
    expect([name, suffix, (await ending(NUMBER.slice(-4))).length]).toEqual([name, suffix, own.length])
    expect([name, suffix, await ending('4567')]).toEqual([name, suffix, []])
  }
}

const refusalOf = ({ mask }: Field) => (VISIBLE_MASK_ENDS[mask!] ? 'filter_masked_end' : 'filter_masked')

/** Ranges, exclusions and sets of values must be refused: each answer would narrow down the masked value. */
async function expectBoundsRefused({ name, key, field, list }: Looked): Promise<void> {
  for (const [suffix, value] of [
    ['_notlike', '139'],
    ['_ge', NUMBER],
    ['_gt', '1391'],
    ['_le', NUMBER],
    ['_lt', '1392'],
    ['_in', `${NUMBER},13900000000`],
  ] as const) {
    const { data } = await list({ [key + suffix]: value })
    expect([name, suffix, data?.reason]).toEqual([name, suffix, refusalOf(field)])
  }
}

/** Parts of a number must find nothing. A part of a name may be another person's full name and find that one only. */
async function expectPartsNotFound({ name, key, field, list }: Looked): Promise<void> {
  for (const [suffix, part] of [
    ['', '139'],
    ['_like', '678'],
    ['_like', '45678'],
    ['_likeright', '1391234567'],
    ['_likeright', '5678'],
    ['_likeleft', '345678'],
    ['_equal', '1391234'],
    ['_equal', '5678'],
  ] as const) {
    const answer = await list({ [key + suffix]: part })
    const result = answer.data?.reason ?? rowsOf(answer.data)
    expect([name, suffix, result]).toEqual([name, suffix, field.kind === 'phone' ? refusalOf(field) : []])
  }
}

describe('a masked field', () => {
  it(
    'is found by its whole value or the end its mask shows, shown with its mask everywhere, and no ' +
      'other part, order or bound of it is answered',
    async () => {
      const fields = masked()
      expect(fields.map(({ resource, key }) => `${resource.name}.${key}`)).toEqual(
        expect.arrayContaining([
          'wxUser.phone',
          'blackList.phone',
          'user.phone',
          'deliveryInfo.phone',
          'eleOrder.riderPhone',
        ]),
      )
      for (const { resource, key, field } of fields) {
        const served = product.world.registry.served.get(resource.name)!
        const row = await product.samples.insert(served, tenantId, { [key]: NUMBER })
        const name = `${resource.name}.${key}`
        const bin = await request(reader, `/api/kit/options/${resource.name}`, { key: NUMBER.slice(0, 8) })
        expect([name, JSON.stringify(bin.data)]).not.toEqual([name, expect.stringContaining(String(row.id))])
        if (!isListed(resource)) continue
        const list = (query: Record<string, unknown>) => request(reader, listOf(resource), { id: row.id, ...query })
        const shown = await list({})
        expect([name, shown.status]).toEqual([name, 200])
        const own = rowsOf(shown.data)
        expect([name, !!served.hooks.where || own.length]).toEqual([name, !!served.hooks.where || 1])
        expect([name, shown.body && JSON.stringify(shown.body).includes(NUMBER)]).toEqual([name, false])
        const readable = own.flatMap((one) => (one[key] === undefined ? [] : [one[key]]))
        expect([name, readable]).toEqual([name, readable.map(() => maskFunctions[field.mask!](NUMBER))])
        const detail = await request(reader, `${resource.path}/detail`, { id: row.id })
        expect([name, JSON.stringify(detail.body).includes(NUMBER)]).toEqual([name, false])
        // Pictures cannot be searched.
        if (field.mask === 'face') continue
        const looked: Looked = { name, key, field, list, own }
        await expectFoundWhole(looked)
        await expectFoundByEnd(looked)
        await expectBoundsRefused(looked)
        await expectPartsNotFound(looked)
        const sorted = await list({ descs: key })
        expect([name, sorted.data?.reason ?? 'sort_hidden']).toEqual([name, 'sort_hidden'])
      }
    },
    120_000,
  )

  it('is not found by asking for all that its mask leaves open, one by one', () => {
    const { resource } = masked().find(({ field }) => isPersonalField(field) && field.kind === 'phone')!
    const guesser = { ...reader.caller, userId: '990000000000000001' }
    const ask = (middle: number) =>
      queryFilterSql(resource, { phone: `139${String(middle).padStart(4, '0')}5678` }, guesser)
    for (let middle = 0; middle < 300; middle++) ask(middle)
    expect(() => ask(300)).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
    // The same search may be repeated: pages of one result are no guesses.
    expect(ask(7).text).toContain('phone')
    expect(queryFilterSql(resource, { phone: '13912345678' }, reader.caller).text).toContain('phone')
  })

  it('is read whole by those its declaration names, and one’s own by oneself', async () => {
    const { owner } = product.cast
    const user = product.world.registry.served.get('user')!
    const row = await product.samples.insert(user, tenantId, { phone: NUMBER })
    expect((await request(owner, '/api/blade-user/detail', { id: row.id })).data.phone).toBe(NUMBER)
    expect(
      rowsOf((await request(owner, '/api/blade-user/page', { phone_likeright: NUMBER.slice(0, 9), id: row.id })).data),
    ).toHaveLength(1)
    const self = product.world.be({ userId: String(row.id), tenantId })
    expect((await request(self, '/api/blade-user/info')).data.phone).toBe(NUMBER)
  })

  it(
    'is not told by pickers of colleagues: neither shown, nor asked for by ' + 'parts, nor by what the picker hides',
    async () => {
      const user = product.world.registry.served.get('user')!
      const row = await product.samples.insert(user, tenantId, {
        phone: '13787654321',
        realName: '找得到',
        code: 'N-778899',
      })
      const worker = (key: string) => request(withoutPermissions, '/api/blade-user/search/worker', { key })
      expect((await worker('找得')).data).toMatchObject([{ id: String(row.id), phone: '137****4321' }])
      for (const part of ['1378', '8765432', 'N-77']) expect([part, (await worker(part)).data]).toEqual([part, []])
      expect((await worker('13787654321')).data).toMatchObject([{ id: String(row.id), phone: '137****4321' }])
      for (const filter of [
        'phone',
        'phone_likeright',
        'email',
        'roleId',
        'birthday_ge',
        'code_like',
        'createTime_ge',
      ]) {
        expect([
          filter,
          (await request(withoutPermissions, '/api/blade-user/user-list', { [filter]: '1' })).data?.reason,
        ]).toEqual([filter, 'filter_hidden'])
      }
      expect((await request(withoutPermissions, '/api/blade-user/user-list', { realName: '找得' })).data).toMatchObject(
        [{ id: String(row.id), realName: '找得到' }],
      )
    },
  )

  it(
    'stays as it is when a client sends the row back as it read it, and is ' + 'refused when somebody types stars',
    async () => {
      const { owner } = product.cast
      const served = product.world.registry.served.get('blackList')!
      const row = await product.samples.insert(served, tenantId, { phone: NUMBER })
      const { data } = await request(owner, '/api/shop/blackList/detail', { id: row.id })
      expect(data.phone).toBe('139****5678')
      const save = (more: object) =>
        product.world.ask(owner, 'POST', '/api/shop/blackList/submit', { body: { ...data, ...more } })
      expect((await save({ reason: '改过' })).body).toMatchObject({ code: 200 })
      expect((await save({ phone: '139****0000', version: undefined })).data.fields).toHaveProperty('phone')
      const stored = await product.world.services.unit({ tenantId }, (db) =>
        db.one<{ phone: string }>(sql`select phone from black_list where id = ${row.id}`),
      )
      expect(stored!.phone).toBe(NUMBER)
    },
  )

  it('reaches neither the log of operations nor the history nor the events of other browsers', async () => {
    const { owner } = product.cast
    const { services } = product.world
    const served = product.world.registry.served.get('blackList')!
    const row = await product.samples.insert(served, tenantId, { phone: '13800000001' })
    const payloads: string[] = []
    const listener = await services.systemPool.connect()
    listener.on('notification', ({ payload }) => void payloads.push(payload ?? ''))
    await listener.query('listen live')
    await product.world.ask(owner, 'POST', '/api/shop/blackList/submit', { body: { id: row.id, phone: NUMBER } })
    const history = await request(owner, '/api/kit/history/blackList', { id: row.id })
    expect(history.data.records[0]).toMatchObject({ was: { phone: '138****0001' }, now: { phone: '139****5678' } })
    const logs = await services.unit({ tenantId }, (db) =>
      db.query<{ params: string }>(
        sql`select params from log_api where tenant_id = ${tenantId} and params like '%phone%'`,
      ),
    )
    expect(logs.length).toBeGreaterThan(0)
    await vi.waitFor(() => expect(payloads.join()).toContain('blackList.changed'))
    await listener.query('unlisten live')
    listener.release(true)
    expect(JSON.stringify([logs, payloads])).not.toContain(NUMBER)
  })
})

describe('a secret field', () => {
  it('is no order and no filter of its list: nothing about it is answered', async () => {
    const { owner } = product.cast
    const secrets = [...product.world.registry.served.values()].flatMap(({ resource }) =>
      Object.entries<Field>(resource.fields)
        .filter(([, field]) => isWriteOnlyField(field) && !field.computed)
        .map(([key]) => ({ resource, key })),
    )
    expect(secrets.map(({ resource, key }) => `${resource.name}.${key}`)).toEqual(
      expect.arrayContaining(['user.password', 'user.passwordTime', 'thirdApi.appSecret', 'noticeLog.phone']),
    )
    for (const { resource, key } of secrets) {
      expect([resource.name, key, queryOrderBySql(resource, { ascs: key }, owner.caller).text]).toEqual([
        resource.name,
        key,
        queryOrderBySql(resource, {}, owner.caller).text,
      ])
      expect([
        resource.name,
        key,
        queryFilterSql(resource, { [key]: '1', [`${key}_ge`]: '1' }, owner.caller).text,
      ]).toEqual([resource.name, key, ''])
    }
  })
})

/** The personal data of a customer that a caller has not opened, by type of mask. */
const UNSEEN = {
  phone: '13987651234',
  name: '欧阳不许见',
  address: '浙江省杭州市西湖区不许见路1号',
  face: '/api/blade-resource/oss/endpoint/file/000/face-unseen.png',
}

describe('personal data of customers', () => {
  const personal = (): Masked[] =>
    [...product.world.registry.served.values()].flatMap(({ resource }) =>
      Object.entries<Field>(resource.fields)
        .filter(([, field]) => isPersonalField(field) && !field.computed)
        .map(([key, field]) => ({ resource, key, field })),
    )
  const { phone, name, address } = UNSEEN
  /** Personal data as a platform sends it, under its own names and inside texts. */
  const written = {
    order_id: '1',
    user: { name, privacy_phone: `${phone},1234`, address },
    recipient_name: name,
    recipient_address: address,
    list: [{ tel: Number(phone) }, `请打 ${phone}，谢谢`],
  }
  const wholeOf = ({ mask }: Field): unknown => (mask ? UNSEEN[mask] : written)
  const resources = () => [...new Set(personal().map(({ resource }) => resource))]
  /** Inserts a row with all personal fields for each resource that has some. */
  async function rowsOfAll() {
    const rows: Record<string, string> = {}
    for (const resource of resources()) {
      const fixed = Object.fromEntries(
        personal()
          .filter((one) => one.resource === resource)
          .map(({ key, field }) => [key, wholeOf(field)]),
      )
      const served = product.world.registry.served.get(resource.name)!
      rows[resource.name] = String((await product.samples.insert(served, tenantId, fixed)).id)
    }
    return rows
  }
  const open = (who: TestCaller, resource: string, body: object) =>
    product.world.ask(who, 'POST', `/api/kit/personal/${resource}`, { body })

  it('is in no answer of any call that reads, whoever asks, before it was opened', async () => {
    const rows = await rowsOfAll()
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining([
        'wxUser',
        'blackList',
        'deliveryInfo',
        'deliveryAddress',
        'meituanOrder',
        'customerVisitLog',
      ]),
    )

    const { owner, platform } = product.cast
    const routes = product.world.routes.filter(
      ({ method, can, path }) =>
        method === 'GET' && path !== '/api/live' && !(typeof can === 'object' && ('terminal' in can || 'open' in can)),
    )
    const ids = { wxUserId: rows.wxUser!, customerId: rows.wxUser!, visitId: rows.customerVisitLog! }
    let answered = 0

    const look = async (who: TestCaller, path: string, query: Record<string, unknown>) => {
      const answer = await product.world.ask(who, 'GET', path, { query })
      const text = JSON.stringify(answer.body ?? '')
      if (answer.status === 200) answered++
      for (const [mask, value] of Object.entries(UNSEEN))
        expect([path, query, mask, text.includes(value)]).toEqual([path, query, mask, false])
    }

    for (const { path } of routes) {
      const own = resources().filter((one) => path.startsWith(`${one.path}/`) || path.includes(':resource'))
      for (const one of own.length ? own : [undefined]) {
        const id = one && rows[one.name]
        const address = path
          .replace(':resource', one?.name ?? '')
          .replace(/:\w+/g, id ?? '1')
          .replace('*', 'none')
        const query = { ...ids, id, size: 200 }
        await look(owner, address, query)
        if (one) for (const more of [{ id }, { size: 200 }, { key: UNSEEN.phone }]) await look(owner, address, more)
        if (one) await look(platform, address, query)
      }
    }

    expect(answered).toBeGreaterThan(200)
  }, 60_000)

  it('is opened with a reason by who holds the permission, and the owner reads who looked', async () => {
    const { owner, nobody: noone } = product.cast
    const rows = await rowsOfAll()
    for (const resource of resources()) {
      const id = rows[resource.name]!
      const name = resource.name
      if (!isListed(resource)) continue
      expect([name, (await request(owner, `/api/kit/personal/${name}`, { id })).data]).toEqual([
        name,
        { until: '', values: {} },
      ])
      for (const body of [
        { id },
        { id, reason: '' },
        { id, reason: '。' },
        { id, reason: 'xx' },
        { id, reason: '1111111' },
        { id, reason: '哈哈哈哈哈哈' },
      ])
        expect([name, (await open(owner, name, body)).data?.fields]).toEqual([name, { reason: expect.any(String) }])
      expect([name, (await open(noone, name, { id, reason: '核对电话' })).status]).toEqual([name, 403])
      const without = product.world.be({
        ...owner.caller,
        isAdmin: false,
        permissions: new Set(
          [...owner.caller.permissions].filter((code) => code !== permissionCodeOf(resource, 'open')),
        ),
      })
      expect([name, (await open(without, name, { id, reason: '核对电话' })).status]).toEqual([name, 403])
      expect([name, (await open(product.cast.stranger, name, { id, reason: '核对电话' })).status]).toEqual([name, 404])
      const opened = await open(owner, name, { id, reason: '核对电话' })
      expect([name, opened.status]).toEqual([name, 200])
      for (const { key, field } of personal().filter((one) => one.resource === resource))
        expect([name, key, opened.data.values[key]]).toEqual([name, key, wholeOf(field)])
      // What one user has opened is still masked for others, and in lists.
      expect((await request(owner, `/api/kit/personal/${name}`, { id })).data.values).toEqual(opened.data.values)
      const list = await request(owner, listOf(resource), { id })
      for (const value of Object.values(UNSEEN))
        expect([name, JSON.stringify(list.body).includes(value)]).toEqual([name, false])
    }

    const log = await request(owner, '/api/blade-log/personal/list', { size: 100, reason: '核对电话' })
    expect(log.data.records.length).toBeGreaterThanOrEqual(resources().length - 1)
    expect(log.data.records[0]).toMatchObject({ userId: owner.caller.userId, reason: '核对电话' })
    expect(JSON.stringify(log.body)).not.toContain(UNSEEN.phone)
    const others = await request(product.cast.stranger, '/api/blade-log/personal/list', { size: 100 })
    expect(JSON.stringify(others.body)).not.toContain('核对电话')
    const erase = product.world.services.unit({ tenantId }, (db) =>
      db.run(sql`delete from personal_opening where tenant_id = ${tenantId}`),
    )
    await expect(erase).rejects.toThrow(/permission denied/)
  }, 120_000)

  it('in structured data is masked where it is shown, or a reason says why not', () => {
    const bare = [...product.world.registry.served.values()]
      .filter(({ resource }) => Object.values<Field>(resource.fields).some(isPersonalField))
      .flatMap(({ resource }) =>
        Object.entries<Field>(resource.fields)
          .filter(([, field]) => field.kind === 'json' && !field.secret && !field.personal)
          .map(([key]) => `${resource.name}.${key}`),
      )
    // A rider's positions, products and refund numbers: they contain no names.
    expect(bare).toEqual(['deliveryInfo.track', 'platformAsk.lines', 'platformAsk.known'])
  })

  it('is opened of so many people an hour by one, and whose tenant it is hears of it before', async () => {
    const { owner } = product.cast
    const { services } = product.world
    const clerk = product.world.be({ ...owner.caller, userId: '990000000000000023', account: 'curious' })
    const served = product.world.registry.served.get('wxUser')!

    // The shop's own boss is notified too, and no other boss.
    const account = async (name: string) => {
      const user = product.world.registry.served.get('user')!
      return String((await product.samples.insert(user, tenantId, { account: name, status: 1, roleId: [] })).id)
    }

    const [shop, another] = ['990000000000000101', '990000000000000102']
    const [boss, tied, other] = [await account('boss1'), await account('boss2'), await account('boss3')]
    await services.unit({ tenantId }, async (db) => {
      for (const [shopId, userId] of [
        [shop, boss],
        [another, other],
      ])
        await db.run(sql`insert into shop_staff (tenant_id, shop_id, user_id, position)
          values (${tenantId}, ${shopId}, ${userId}, 'boss')`)
      await db.run(sql`insert into wx_shoper (id, tenant_id, nickname, openid, role, user_id, shop_ids)
        values (990000000000000103, ${tenantId}, '店主', 'openid-boss2', 'boss', ${tied}, ${[shop]}::bigint[])`)
      await services.slots.find(personalOpeningsAlertSlot)!(db, services, {
        userId: clerk.caller.userId,
        account: 'curious',
        count: 20,
        hour: 1,
        owners: { shop: [shop] },
      })
    })

    const notified = await services.unit({ tenantId }, (db) =>
      db.query<{ userId: string }>(sql`select user_id::text from notice_log where tenant_id = ${tenantId}
        and template = 'personal' and user_id = any(${[boss, tied, other]}::bigint[]) order by user_id`),
    )
    expect(notified.map(({ userId }) => userId).toSorted()).toEqual([boss, tied].toSorted())
    const add = async () => String((await product.samples.insert(served, tenantId, {})).id)
    const look = async (id: string) =>
      (await open(clerk, 'wxUser', { id, reason: '核对电话' })).data.reason as string | undefined

    const first = await add()
    const answers = [await look(first)]
    for (let n = 1; n < 60; n++) answers.push(await look(await add()))
    expect(answers.filter(Boolean)).toEqual([])
    const next = await add()

    // People already seen do not count as further ones.
    expect([await look(next), await look(first)]).toEqual(['personal_too_many', undefined])
    const notices = await services.unit({ tenantId }, (db) =>
      db.query<{ content: string }>(sql`select distinct content from notice_log where tenant_id = ${tenantId}
        and template = 'personal'`),
    )
    expect(notices).toEqual([{ content: '账号 curious 一小时内打开了 20 份个人信息，见“个人信息查看记录”' }])

    const { now } = services
    try {
      services.now = () => new Date(now().getTime() + 61 * 60_000)
      expect(await look(next)).toBeUndefined()
    } finally {
      services.now = now
    }
  })

  it('is closed again when its minutes are over', async () => {
    const { owner } = product.cast
    const id = (await rowsOfAll()).wxUser!
    await open(owner, 'wxUser', { id, reason: '回访这位顾客' })
    const { services } = product.world
    const { now } = services
    try {
      services.now = () => new Date(now().getTime() + 11 * 60_000)
      expect((await request(owner, '/api/kit/personal/wxUser', { id })).data).toEqual({ until: '', values: {} })
    } finally {
      services.now = now
    }
  })

  it('is opened by the platform in the name of nobody else, and the tenant reads that too', async () => {
    const { platform, owner } = product.cast
    const id = (await rowsOfAll()).wxUser!
    expect((await open(platform, 'wxUser', { id, reason: '平台协助排查' })).data.values.phone).toBe(UNSEEN.phone)
    const log = await request(owner, '/api/blade-log/personal/list', { reason: '平台协助排查' })
    expect(log.data.records).toMatchObject([{ account: platform.caller.account, family: '顾客' }])
  })
})
