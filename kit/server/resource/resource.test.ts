import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { defineResource, f, integerSchema, nullableSchema, objectSchema } from '../../resource/index.ts'
import { sql, unitOfWork } from '../database/db.ts'
import { defineModule, defineRoute, serve } from '../module/module.ts'
import { lockAgainstReferencing } from './references.ts'
import { inTenantOf } from './remove-of.ts'
import { startSampleApp, createSampleCaller, type SampleApp } from '#tests/support/sample-app.ts'

const words = (text: string) => ({ zh: text, en: text })
const place = defineResource({
  name: 'place',
  path: '/api/t/place',
  label: { zh: '地点', en: 'Place' },
  tenancy: 'tenant',
  scope: { shop: 'id' },
  fields: {
    name: f.text({ label: words('name'), required: true, max: 20, search: 'like' }),
    area: f.region({ label: words('area') }),
    gateway: f.text({ label: words('gateway') }),
  },
  list: { columns: ['name', 'createTime'] },
  unique: [['name']],
  uniqueEverywhere: [['gateway']],
})
const thing = defineResource({
  name: 'thing',
  path: '/api/t/thing',
  label: { zh: '物品', en: 'Thing' },
  tenancy: 'tenant',
  scope: { shop: 'placeId' },
  fields: {
    placeId: f.ref('place', { label: { zh: '地点', en: 'Place' }, required: true, search: 'eq' }),
    title: f.text({ label: { zh: '名称', en: 'Title' }, required: true, max: 10, search: 'like' }),
    price: f.money({ label: { zh: '价格', en: 'Price' }, min: 0 }),
    count: f.number({ label: { zh: '数量', en: 'Count' }, min: 0 }),
    kind: f.dict('kind', { label: { zh: '类别', en: 'Kind' }, numeric: true }),
    tags: f.tags({ label: { zh: '标签', en: 'Tags' } }),
    day: f.date({ label: { zh: '日期', en: 'Day' } }),
    note: f.text({ label: { zh: '内部', en: 'Internal' }, form: 'hidden', default: 'untouched' }),
    isFree: f.boolean({ label: { zh: '免费', en: 'Free' } }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, requiredWhen: { isFree: { eq: true } } }),
  },
  list: { columns: ['title', 'price', 'placeId'] },
  actions: {
    sell: {
      on: 'row',
      label: { zh: '出售', en: 'Sell' },
      answer: objectSchema({ left: nullableSchema(integerSchema) }),
      input: {
        count: f.number({ label: { zh: '数量', en: 'Count' }, required: true, min: 1 }),
        isGift: f.boolean({ label: { zh: '送人', en: 'As a gift' } }),
        to: f.text({ label: { zh: '给谁', en: 'For' }, requiredWhen: { isGift: { eq: true } } }),
      },
      enabled: { kind: { in: [1] } },
    },
  },
})
const module = defineModule({
  name: 'sample',
  label: words('sample'),
  dictionaries: [{ code: 'kind', label: words('kind'), entries: [] }],
  resources: [
    serve(place),
    serve(thing, {
      actions: {
        sell: async (row, { count }, { db }) => {
          const sold = await db.update(thing, row.id, { count: row.count! - count })
          return { left: sold.count }
        },
      },
    }),
  ],
  routes: [
    defineRoute({
      method: 'GET',
      path: '/api/t/thing/whose',
      title: words('whose'),
      can: 'thing',
      input: { id: f.ref('thing', { label: words('thing'), required: true }) },
      handle: (call) => inTenantOf(call, thing, call.input.id, async ({ tenantId }) => ({ tenantId })),
    }),
  ],
})

let database: TestDatabase
let sample: SampleApp
const request = async (token: string | undefined, method: 'GET' | 'POST', url: string, body?: unknown, lang = 'zh') => {
  const response = await sample.app.inject({
    method,
    url,
    headers: {
      ...(token ? { 'blade-auth': `bearer ${token}` } : {}),
      'accept-language': lang,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  return {
    status: response.statusCode,
    ...(response.json() as { code: number; success: boolean; data: any; msg: string }),
  }
}
const everything = new Set([
  'place',
  'place_add',
  'place_edit',
  'place_delete',
  'thing',
  'thing_add',
  'thing_edit',
  'thing_delete',
  'thing_sell',
])

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  sample = await startSampleApp(
    database.url,
    [module],
    pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`),
  )
  await sample.owner.query(
    'create table if not exists tenant (tenant_id text, is_deleted smallint default 0); grant select on tenant ' +
      'to store_platform',
  )
  sample.callers.set('wu', createSampleCaller({ userId: '7', permissions: everything }))
  sample.callers.set('clerk', createSampleCaller({ userId: '8', permissions: new Set(['thing']) }))
  sample.callers.set('stranger', createSampleCaller({ userId: '9', tenantId: '100002', permissions: everything }))
  sample.callers.set(
    'platform',
    createSampleCaller({ userId: '1', tenantId: '000000', isPlatform: true, isAdmin: true }),
  )
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

async function aPlace(name: string, token = 'wu'): Promise<string> {
  const answer = await request(token, 'POST', '/api/t/place/submit', { name, area: '330106' })
  expect(answer.msg).toBe('操作成功')
  return answer.data.id
}

describe('a declared resource', () => {
  test('keeps what was submitted and answers it by the wire’s rules', async () => {
    const placeId = await aPlace('一号店')
    const { data } = await request('wu', 'POST', '/api/t/thing/submit', {
      placeId,
      title: '可乐',
      price: '3.50',
      kind: 1,
      tags: 'a,b',
      day: '2026-02-01',
      unknown: 1,
      note: 'mine',
    })
    const { data: row } = await request('wu', 'GET', `/api/t/thing/detail?id=${data.id}`)
    expect(row).toMatchObject({
      id: data.id,
      placeId,
      placeName: '一号店',
      title: '可乐',
      price: '3.50',
      count: -1,
      kind: 1,
      kindName: 'word 1',
      tags: 'a,b',
      day: '2026-02-01',
      note: 'untouched',
      createUser: '7',
    })
    expect(row.createTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const { data: page } = await request('wu', 'GET', '/api/t/thing/list?title=可&current=1&size=5')
    expect(page).toMatchObject({ total: 1, size: 5, current: 1, pages: 1 })
    expect(page.records[0]).toMatchObject({ title: '可乐', placeName: '一号店', price: '3.50' })
  })

  test('is changed only in the fields that are sent, and by one person at a time', async () => {
    const placeId = await aPlace('二号店')
    const {
      data: { id },
    } = await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'one', price: '1' })
    await request('wu', 'POST', '/api/t/thing/submit', { id, title: 'two', version: 0 })
    const late = await request('wu', 'POST', '/api/t/thing/submit', { id, title: 'three', version: 0 })
    expect(late).toMatchObject({
      status: 409,
      data: { reason: 'changed_meanwhile', row: { title: 'two', version: 1 } },
    })
    const { data: row } = await request('wu', 'GET', `/api/t/thing/detail?id=${id}`)
    expect(row).toMatchObject({ title: 'two', price: '1.00', version: 1 })
  })

  test('refuses naming the field in the reader’s language, and writes nothing', async () => {
    const before = (await request('wu', 'GET', '/api/t/thing/list')).data.total
    const zh = await request('wu', 'POST', '/api/t/thing/submit', { title: '这个名字实在是太长了吧', price: '1.234' })
    expect(zh).toMatchObject({
      status: 400,
      success: false,
      data: {
        reason: 'invalid',
        fields: { placeId: '请选择地点', title: '名称最多10个字符', price: '价格应为金额，最多两位小数' },
      },
    })
    const en = await request('wu', 'POST', '/api/t/thing/submit', { title: 'x', placeId: '12345', kind: 99 }, 'en')
    expect(en.data.fields).toEqual({ placeId: 'Place does not exist', kind: 'Kind is not one of the options' })
    expect((await request('wu', 'GET', '/api/t/thing/list')).data.total).toBe(before)
  })

  test('refuses a second row under the same unique field by its label', async () => {
    await aPlace('唯一')
    expect(await request('wu', 'POST', '/api/t/place/submit', { name: '唯一' })).toMatchObject({
      status: 400,
      data: { reason: 'taken', fields: { name: 'name已存在' } },
    })
  })

  test('a change of words and choices leaves with the COMMIT: history and refusals are as ever', async () => {
    const [, other] = [await aPlace('甲店'), await aPlace('乙店')]
    const change = async (body: object, path = 'place') => {
      let answer!: Awaited<ReturnType<typeof request>>
      const trips = await countRoundTrips(
        async () => void (answer = await request('wu', 'POST', `/api/t/${path}/submit`, body)),
      )
      return { ...answer, trips: trips.roundTrips }
    }
    const history = async (id: string) =>
      (await sample.owner.query('select version, was, now from row_change where row_id = $1 order by id', [id])).rows
    expect(await change({ id: other, name: '丙店' })).toMatchObject({ data: { id: other, version: 1 }, trips: 2 })
    // Saving the same again raises the version and records no change.
    expect(await change({ id: other, name: '丙店' })).toMatchObject({ data: { version: 2 } })
    const taken = await change({ id: other, name: '甲店' })
    expect(taken).toMatchObject({ status: 400, data: { reason: 'taken', fields: { name: 'name已存在' } } })
    const { data: kept } = await request('wu', 'GET', `/api/t/place/detail?id=${other}`)
    expect(kept).toMatchObject({ name: '丙店', version: 2 })
    expect(await history(other)).toEqual([{ version: 1, was: { name: '乙店' }, now: { name: '丙店' } }])
    // Values that the database may store differently are read back first.
    const { data: made } = await request('wu', 'POST', '/api/t/thing/submit', { placeId: other, title: 'x', day: '' })
    expect((await change({ id: made.id, day: '2026-11-05', title: 'y' }, 'thing')).trips).toBe(3)
    expect(await history(made.id)).toEqual([
      { version: 1, was: { title: 'x', day: null }, now: { title: 'y', day: '2026-11-05' } },
    ])
  })

  test('keeps the number of a device for one row of the whole installation, and says no more than that', async () => {
    expect((await request('wu', 'POST', '/api/t/place/submit', { name: '网关店', gateway: 'G1' })).status).toBe(200)
    expect(await request('stranger', 'POST', '/api/t/place/submit', { name: '网关店', gateway: 'G1' })).toMatchObject({
      status: 400,
      data: { reason: 'taken', fields: { gateway: 'gateway已存在' } },
    })
    expect((await request('stranger', 'POST', '/api/t/place/submit', { name: '网关店', gateway: 'G2' })).status).toBe(
      200,
    )
  })

  test('asks who calls first, then what they may', async () => {
    expect(await request(undefined, 'GET', '/api/t/thing/list')).toMatchObject({ status: 401, code: 401 })
    expect(await request('clerk', 'GET', '/api/t/thing/list')).toMatchObject({ status: 200 })
    expect(await request('clerk', 'POST', '/api/t/thing/submit', { title: 'x' })).toMatchObject({
      status: 403,
      code: 403,
      msg: '没有权限执行此操作',
    })
    expect(await request('clerk', 'POST', '/api/t/thing/remove?ids=1')).toMatchObject({ status: 403 })
  })

  test('is not there for another tenant: not in lists, not by id, not to change, not to refer to', async () => {
    const placeId = await aPlace('三号店')
    const {
      data: { id },
    } = await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'mine' })
    expect((await request('stranger', 'GET', '/api/t/thing/list')).data.total).toBe(0)
    expect(await request('stranger', 'GET', `/api/t/thing/detail?id=${id}`)).toMatchObject({
      status: 404,
      msg: '物品不存在',
    })
    expect(await request('stranger', 'POST', '/api/t/thing/submit', { id, title: 'theirs' })).toMatchObject({
      status: 404,
    })
    expect(await request('stranger', 'POST', `/api/t/thing/remove?ids=${id}`)).toMatchObject({ status: 404 })
    expect(await request('stranger', 'POST', '/api/t/thing/submit', { placeId, title: 'x' })).toMatchObject({
      status: 400,
      data: { fields: { placeId: '地点不存在' } },
    })
    expect((await request('wu', 'GET', `/api/t/thing/detail?id=${id}`)).data.title).toBe('mine')
  })

  test('stays its tenant’s even for a query without any condition', async () => {
    const count = (tenantId: string) =>
      unitOfWork(sample.services.pool, { tenantId }, { userId: '1', deptId: null }, (db) =>
        db.one(sql`select count(*)::int as n from thing`),
      )
    expect((await count('100001'))!.n).toBeGreaterThan(0)
    expect((await count('100002'))!.n).toBe(0)
    expect((await count(''))!.n).toBe(0)
    await expect(
      unitOfWork(sample.services.pool, { tenantId: '100002' }, { userId: '1', deptId: null }, (db) =>
        db.run(sql`insert into thing (id, tenant_id, title) values (1, '100001', 'planted')`),
      ),
    ).rejects.toThrow(/row-level security/)
  })

  test('shows a limited caller only what lies inside the limit, and lets him write only there', async () => {
    const [mine, other] = [await aPlace('我的店'), await aPlace('别人的店')]
    sample.callers.set('lin', createSampleCaller({ userId: '10', permissions: everything, limits: { shop: [mine] } }))
    await request('wu', 'POST', '/api/t/thing/submit', { placeId: mine, title: 'in' })
    const {
      data: { id: outside },
    } = await request('wu', 'POST', '/api/t/thing/submit', { placeId: other, title: 'out' })
    const { data: page } = await request('lin', 'GET', '/api/t/thing/list')
    expect(page.records.map((row: { title: string }) => row.title)).toEqual(['in'])
    expect(await request('lin', 'GET', `/api/t/thing/detail?id=${outside}`)).toMatchObject({ status: 404 })
    expect(await request('lin', 'POST', '/api/t/thing/submit', { placeId: other, title: 'x' })).toMatchObject({
      status: 400,
      data: { fields: { placeId: '地点不存在' } },
    })
    expect((await request('lin', 'GET', '/api/t/place/list')).data.total).toBe(1)
    expect((await request('lin', 'GET', '/api/kit/options/place')).data).toEqual([{ id: mine, title: '我的店' }])
    // A caller limited to one place gets it by default; with two they must choose.
    const { data: unsaid } = await request('lin', 'POST', '/api/t/thing/submit', { title: 'unsaid' })
    expect((await request('lin', 'GET', `/api/t/thing/detail?id=${unsaid.id}`)).data.placeId).toBe(mine)
    expect(await request('lin', 'POST', '/api/t/thing/submit', { placeId: 'x', title: 'unsaid' })).toMatchObject({
      status: 400,
    })
    const both = createSampleCaller({ userId: '11', permissions: everything, limits: { shop: [mine, other] } })
    sample.callers.set('mei', both)
    expect(await request('mei', 'POST', '/api/t/thing/submit', { title: 'unsaid' })).toMatchObject({
      status: 400,
      data: { fields: { placeId: '请选择地点' } },
    })
    expect(await request('mei', 'POST', '/api/t/thing/submit', { id: unsaid.id, placeId: '' })).toMatchObject({
      status: 400,
    })
  })

  test('the one place of who names none is held as one that is named: nobody takes it away meanwhile', async () => {
    const only = await aPlace('只有一家')
    sample.callers.set('one', createSampleCaller({ userId: '14', permissions: everything, limits: { shop: [only] } }))
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const { promise: removalChecked, resolve: reportChecked } = Promise.withResolvers<void>()
    const tenant = { tenantId: '100001' }
    const removal = unitOfWork(sample.services.pool, tenant, { userId: '1', deptId: null }, async (db) => {
      await lockAgainstReferencing(db, place, [only])
      held()
      await removalChecked
      await db.run(sql`update place set is_deleted = 1 where id = ${only}`)
    })
    await isHeld
    const late = request('one', 'POST', '/api/t/thing/submit', { title: 'late' })
    reportChecked()
    await removal
    expect(await late).toMatchObject({ status: 400, data: { fields: { placeId: '地点不存在' } } })
  })

  test('wants what a value beside it asks for: in a new row, a changed one and in arguments', async () => {
    const placeId = await aPlace('赠品店')
    const lacking = { status: 400, data: { fields: { reason: '请输入原因' } } }
    const save = (body: Record<string, unknown>) => request('wu', 'POST', '/api/t/thing/submit', body)
    expect(await save({ placeId, title: 'free', isFree: true })).toMatchObject(lacking)
    expect(await save({ placeId, title: 'free', isFree: true, reason: ' ' })).toMatchObject(lacking)
    const { id } = (await save({ placeId, title: 'free', isFree: true, reason: '样品' })).data
    expect(await save({ id, reason: '' })).toMatchObject(lacking)
    expect(await save({ id, isFree: false, reason: '' })).toMatchObject({ status: 200 })
    expect(await save({ id, title: 'priced' })).toMatchObject({ status: 200 })
    expect(await save({ id, isFree: true })).toMatchObject(lacking)
    expect(await save({ id, kind: 1 })).toMatchObject({ status: 200 })
    const sell = (body: Record<string, unknown>) => request('wu', 'POST', '/api/t/thing/sell', { id, ...body })
    expect(await sell({ count: 1, isGift: true })).toMatchObject({
      status: 400,
      data: { fields: { to: '请输入给谁' } },
    })
    expect((await sell({ count: 1, isGift: true, to: '李' })).data?.fields).toBeUndefined()
  })

  test('offers choices by title, and answers no question about fields the asker may not list', async () => {
    const placeId = await aPlace('十号店')
    await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'offered', price: '7.00' })
    sample.callers.set('nobody', createSampleCaller({ userId: '13' }))
    expect(await request('nobody', 'GET', '/api/kit/options/place')).toMatchObject({ status: 403 })
    sample.callers.set('picker', createSampleCaller({ userId: '12', permissions: new Set(['thing_add']) }))
    expect(
      (
        await request('picker', 'GET', `/api/kit/options/place?name=${encodeURIComponent('没有')}&name_like=x`)
      ).data.map((one: { title: string }) => one.title),
    ).toContain('十号店')
    expect((await request('wu', 'GET', '/api/kit/options/place?name=nowhere')).data).toEqual([])
    // No field refers to things, so only callers who may list them get options. Their title is a reference, so they
    // show that row's title.
    expect(await request('picker', 'GET', '/api/kit/options/thing?price_gt=5')).toMatchObject({ status: 403 })
    expect(
      (await request('clerk', 'GET', `/api/kit/options/thing?placeId=${placeId}&price_gt=5`)).data.map(
        (one: { title: string }) => one.title,
      ),
    ).toEqual(['十号店'])
    expect(await request('clerk', 'GET', '/api/kit/options/nothing')).toMatchObject({ status: 404 })
  })

  test('plans its first page once for who sees all of it, not again with each call', async () => {
    // Plans belong to one connection, and the pool chooses any: enough calls to use all of them.
    for (let n = 0; n < 60; n++) expect((await request('wu', 'GET', '/api/t/thing/list')).status).toBe(200)
    const { pool } = sample.services
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    const plansOf = async (client: (typeof clients)[number]) =>
      client.query<{ kept: boolean }>(
        `select generic_plans > 0 as kept from pg_prepared_statements
          where statement ~ 'from "thing" r .* order by .* limit 10$' and generic_plans + custom_plans > 6`,
      )
    const plans = await Promise.all(clients.map(plansOf)).finally(() => clients.map((client) => client.release()))
    const kept = plans.flatMap(({ rows }) => rows.map((row) => row.kept))
    expect(kept.length).toBeGreaterThan(0)
    expect(kept).not.toContain(false)
  })

  test('widens by data-scope rows of the caller’s roles and closes on one nobody understands', async () => {
    const placeId = await aPlace('四号店')
    await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'cheap', price: '1' })
    await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'dear', price: '900' })
    const see = async (type: number, value: string | null) => {
      const token = `scoped ${type} ${value}`
      sample.callers.set(
        token,
        createSampleCaller({
          userId: '11',
          permissions: everything,
          dataScopes: [{ resourceCode: 'thing', type, column: null, value }],
        }),
      )
      return (await request(token, 'GET', `/api/t/thing/list?placeId=${placeId}&ascs=price`)).data.records.map(
        (row: { title: string }) => row.title,
      )
    }
    expect(await see(1, null)).toEqual(['cheap', 'dear'])
    expect(await see(2, null)).toEqual([])
    expect(await see(5, "price > 5000 or title = 'none'")).toEqual(['dear'])
    expect(await see(5, 'price > 5000; drop table thing')).toEqual([])
    expect(await see(5, 'create_user = ${userId}')).toEqual([])
  })

  test(
    'hides the fields a scope leaves out from rows; a filter or an order by ' + 'one is refused and tells nothing',
    async () => {
      const placeId = await aPlace('十一号店')
      for (const price of ['3.00', '1.00', '2.00'])
        await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: `p${price}`, price, kind: 1 })
      sample.callers.set(
        'half',
        createSampleCaller({
          userId: '14',
          permissions: everything,
          dataScopes: [{ resourceCode: 'thing', type: 1, column: null, value: null, fields: 'title,place_id' }],
        }),
      )
      expect((await request('half', 'GET', `/api/t/thing/list?placeId=${placeId}&price_ge=3`)).data.reason).toBe(
        'filter_hidden',
      )
      expect((await request('half', 'GET', `/api/t/thing/list?placeId=${placeId}&descs=price`)).data.reason).toBe(
        'sort_hidden',
      )
      const { data } = await request('half', 'GET', `/api/t/thing/list?placeId=${placeId}`)
      expect(data.total).toBe(3)
      expect(data.records.map((row: { title: string }) => row.title)).toEqual(['p2.00', 'p1.00', 'p3.00'])
      expect(data.records[0]).toMatchObject({ placeId, placeName: '十一号店' })
      for (const hidden of ['price', 'kind', 'kindName', 'count']) expect(data.records[0]).not.toHaveProperty(hidden)
      expect((await request('half', 'GET', `/api/t/thing/detail?id=${data.records[0].id}`)).data).not.toHaveProperty(
        'price',
      )
    },
  )

  test('runs its action under lock, condition and input rules', async () => {
    const placeId = await aPlace('五号店')
    const {
      data: { id },
    } = await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'stock', kind: 1, count: 50 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => request('wu', 'POST', `/api/t/thing/sell?id=${id}`, { count: 1 })),
    )
    expect(new Set(answers.map((answer) => answer.data.left)).size).toBe(20)
    expect((await request('wu', 'GET', `/api/t/thing/detail?id=${id}`)).data.count).toBe(30)
    expect(await request('wu', 'POST', `/api/t/thing/sell?id=${id}`)).toMatchObject({
      status: 400,
      data: { fields: { count: '请输入数量' } },
    })
    await request('wu', 'POST', '/api/t/thing/submit', { id, kind: 2 })
    expect(await request('wu', 'POST', `/api/t/thing/sell?id=${id}`, { count: 1 })).toMatchObject({
      status: 400,
      data: { reason: 'action_not_now' },
    })
  })

  test('pages without gap or overlap, also deep, in either order', async () => {
    const placeId = await aPlace('六号店')
    await unitOfWork(sample.services.pool, { tenantId: '100001' }, { userId: '1', deptId: null }, (db) =>
      db.run(
        sql`insert into thing (id, tenant_id, place_id, title, create_time)
          select 5000000 + n, '100001', ${placeId}, 't' || n, now() - make_interval(mins => n / 3)
          from generate_series(1, 640) n`,
      ),
    )
    for (const order of ['', '&ascs=createTime', '&descs=title']) {
      const seen: string[] = []
      for (let current = 1; current <= 7; current++) {
        const { data } = await request(
          'wu',
          'GET',
          `/api/t/thing/list?placeId=${placeId}&size=100&current=${current}${order}`,
        )
        expect(data.total).toBe(640)
        seen.push(...data.records.map((row: { id: string }) => row.id))
      }
      expect(seen.length).toBe(640)
      expect(new Set(seen).size).toBe(640)
    }
  })

  test('starts deep pages at bookmarks without skipping what came in meanwhile', async () => {
    const placeId = await aPlace('书签店')
    const add = (from: number, to: number, later: string) =>
      unitOfWork(sample.services.pool, { tenantId: '100001' }, { userId: '1', deptId: null }, (db) =>
        db.run(
          sql`insert into thing (id, tenant_id, place_id, title, create_time)
            select 7000000 + n, '100001', ${placeId}, 't' || n,
            now() + ${later}::interval - make_interval(secs => n / 7) from generate_series(${from}::int, ${to}::int) n`,
        ),
      )
    await add(1, 3000, '0')
    const page = async (current: number) =>
      (await request('wu', 'GET', `/api/t/thing/list?placeId=${placeId}&size=50&current=${current}`)).data.records.map(
        (row: { id: string }) => row.id,
      ) as string[]
    const slow = await page(40)
    let quick = await page(40)
    for (let round = 0; round < 50 && quick.length === 0; round++) quick = await page(40)
    expect(quick).toEqual(slow)
    const before = await page(39)
    await add(5001, 5050, '1 hour')
    expect(await page(40)).toEqual(before)
    expect(await page(41)).toEqual(slow)
    expect((await page(61)).length).toBe(50)
    expect(await page(62)).toEqual([])
  })

  test('understands the filter suffixes and ignores keys it does not know', async () => {
    const placeId = await aPlace('七号店')
    for (const [title, price, count] of [
      ['abc', '1.00', 1],
      ['abd', '2.00', 10],
      ['x%y', '3.00', 100],
    ])
      await request('wu', 'POST', '/api/t/thing/submit', { placeId, title, price, count })
    const found = async (query: string) =>
      (await request('wu', 'GET', `/api/t/thing/list?placeId=${placeId}&ascs=price&${query}`)).data.records.map(
        (row: { title: string }) => row.title,
      )
    expect(await found('title=ab')).toEqual(['abc', 'abd'])
    expect(await found('title_equal=abc')).toEqual(['abc'])
    expect(await found('title=%25')).toEqual(['x%y'])
    expect(await found('title_notlike=ab')).toEqual(['x%y'])
    expect(await found('count=1')).toEqual(['abc'])
    expect(await found('count_ge=10&price_lt=3.00')).toEqual(['abd'])
    expect(await found('count=1,100')).toEqual(['abc', 'x%y'])
    expect(
      await found('createTime_dategt=2000-01-01&createTime_datelt=2099-01-01&releaseTimeRange=1&note_wrong=2'),
    ).toEqual(['abc', 'abd', 'x%y'])
    expect(await found('day_null=1')).toEqual(['abc', 'abd', 'x%y'])
    expect(await request('wu', 'GET', '/api/t/thing/list?count=abc')).toMatchObject({
      status: 400,
      data: { reason: 'bad_filter' },
      msg: expect.stringMatching(/“(Count|数量)”/),
    })
  })

  test('lets a platform administrator read all tenants and write in the row’s own', async () => {
    const placeId = await aPlace('八号店')
    const {
      data: { id },
    } = await request('wu', 'POST', '/api/t/thing/submit', { placeId, title: 'theirs' })
    expect((await request('platform', 'GET', `/api/t/thing/detail?id=${id}`)).data).toMatchObject({
      tenantId: '100001',
      title: 'theirs',
    })
    expect((await request('platform', 'GET', `/api/t/thing/whose?id=${id}`)).data).toEqual({ tenantId: '100001' })
    expect((await request('platform', 'GET', '/api/t/thing/whose?id=1')).status).toBe(404)
    expect((await request('platform', 'POST', '/api/t/thing/submit', { id, title: 'helped' })).status).toBe(200)
    expect((await request('wu', 'GET', `/api/t/thing/detail?id=${id}`)).data).toMatchObject({
      title: 'helped',
      tenantId: '100001',
    })
    expect((await request('platform', 'POST', `/api/t/thing/remove?ids=${id}`)).status).toBe(200)
    expect((await request('wu', 'GET', `/api/t/thing/detail?id=${id}`)).status).toBe(404)
  })
})
