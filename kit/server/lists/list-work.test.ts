import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { defineResource, f, integerSchema, nullableSchema, objectSchema } from '../../resource/index.ts'
import { sql, type Db } from '../database/db.ts'
import { Refused } from '../base/refused.ts'
import { defineModule, serve } from '../module/module.ts'
import { startSampleApp, createSampleCaller, type SampleApp } from '#tests/support/sample-app.ts'

const words = (text: string) => ({ zh: text, en: text })
const box = defineResource({
  name: 'box',
  path: '/api/t/box',
  label: words('Box'),
  tenancy: 'tenant',
  fields: { name: f.text({ label: words('name'), required: true }) },
  list: { columns: ['name'] },
})
const item = defineResource({
  name: 'item',
  path: '/api/t/item',
  label: words('Item'),
  tenancy: 'tenant',
  scope: { place: 'boxId' },
  fields: {
    code: f.text({ label: words('code'), required: true, max: 10 }),
    boxId: f.ref('box', { label: words('box'), required: true }),
    price: f.money({ label: words('price'), min: 0 }),
    kind: f.dict('kind', { label: words('kind'), numeric: true }),
    phone: f.phone({ label: words('phone'), mask: 'phone' }),
    pin: f.text({ label: words('pin'), secret: true }),
    apiSecret: f.text({ label: words('api secret') }),
    taken: f.number({ label: words('taken'), form: 'read', default: 0 }),
  },
  list: { columns: ['code', 'price'], inline: ['price'], bulk: ['price', 'kind'] },
  title: 'code',
  unique: [['code']],
  actions: {
    take: {
      on: 'row',
      bulk: true,
      label: words('take'),
      answer: objectSchema({ taken: nullableSchema(integerSchema) }),
      input: { many: f.number({ label: words('many'), required: true, min: 1 }) },
      enabled: { kind: { in: [1] } },
    },
    single: { on: 'row', label: words('single') },
    all: { on: 'bulk', label: words('all') },
  },
})
const role = defineResource({
  name: 'role',
  table: 'work_role',
  path: '/api/t/role',
  label: words('Role'),
  tenancy: 'tenant',
  fields: { name: f.text({ label: words('name'), required: true }) },
  list: { columns: ['name'] },
})
const knob = defineResource({
  name: 'knob',
  path: '/api/t/knob',
  label: words('Knob'),
  tenancy: 'tenant',
  title: 'knobKey',
  list: { columns: ['knobKey'] },
  fields: {
    knobKey: f.text({ label: words('key'), required: true }),
    knobValue: f.text({ label: words('value') }),
    note: f.text({ label: words('note') }),
  },
})
const meter = defineResource({
  name: 'meter',
  path: '/api/t/meter',
  label: words('Meter'),
  tenancy: 'tenant',
  writer: 'device',
  fields: { value: f.number({ label: words('value') }) },
  list: { columns: ['value'] },
  actions: { reset: { on: 'row', label: words('reset') } },
})
const branch = defineResource({
  name: 'branch',
  path: '/api/t/branch',
  label: words('Branch'),
  tenancy: 'tenant',
  list: { columns: ['name'] },
  fields: {
    name: f.text({ label: words('name'), required: true }),
    parentId: f.tree('branch', { label: words('parent') }),
  },
})
const module = defineModule({
  name: 'work',
  label: words('work'),
  dictionaries: [{ code: 'kind', label: words('kind'), entries: [] }],
  resources: [
    serve(box),
    serve(branch),
    serve(knob),
    serve(role),
    serve(item, {
      beforeSave: (draft) => {
        if (draft.price === 66_600) throw new Refused('bad_request')
      },
      beforeRemove: (rows) => {
        if (rows.some(({ code }) => code === 'stays')) throw new Refused('has_children')
      },
      actions: {
        take: async (row, { many }, { db }) => {
          const now = await db.update(item, row.id, { taken: (row.taken ?? 0) + many })
          await db.update(item, row.id, { kind: 2 })
          return { taken: now.taken }
        },
        single: async () => undefined,
        all: async (rows, _input, { db }) => {
          for (const row of rows) await db.update(item, row.id, { price: 100 })
          if (rows.length > 3) throw new Refused('busy')
        },
      },
    }),
    serve(meter, {
      actions: { reset: async (row, _input, { db }) => void (await db.update(meter, row.id, { value: 0 })) },
    }),
  ],
})

let database: TestDatabase
let sample: SampleApp
const request = async (token: string | undefined, method: 'GET' | 'POST', url: string, body?: unknown, lang = 'en') => {
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
const codes = ['box', 'item', 'meter', 'branch', 'knob'].flatMap((name) => [
  name,
  `${name}_add`,
  `${name}_edit`,
  `${name}_delete`,
])
const everything = new Set([...codes, 'item_take', 'item_single', 'item_all', 'meter_reset'])

let boxes: string[]
let count = 0
async function anItem(more: Record<string, unknown> = {}): Promise<string> {
  const answer = await request('wu', 'POST', '/api/t/item/submit', {
    code: `C${++count}`,
    boxId: boxes[0],
    price: '5',
    kind: 1,
    ...more,
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data.id
}
const edit = async (id: string, more: Record<string, unknown>) =>
  expect(await request('wu', 'POST', '/api/t/item/submit', { id, ...more })).toMatchObject({ status: 200 })
const detail = async (id: string) => (await request('wu', 'GET', `/api/t/item/detail?id=${id}`)).data
const history = async (id: string, who = 'wu') => request(who, 'GET', `/api/kit/history/item?id=${id}`)
const unit = <T>(work: (db: Db) => Promise<T>) => sample.services.unit({ tenantId: '100001' }, work)

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
  sample.callers.set('wu', createSampleCaller({ userId: '7', permissions: everything, isAdmin: true }))
  sample.callers.set('lin', createSampleCaller({ userId: '8', permissions: everything, roleIds: ['31'] }))
  sample.callers.set('chen', createSampleCaller({ userId: '10', permissions: everything, roleIds: ['32'] }))
  sample.callers.set('reader', createSampleCaller({ userId: '11', permissions: new Set(['item']), roleIds: ['31'] }))
  sample.callers.set(
    'narrow',
    createSampleCaller({
      userId: '13',
      permissions: everything,
      roleIds: ['31'],
      dataScopes: [{ resourceCode: 'item', type: 1, column: null, value: null, fields: 'code,boxId,price' }],
    }),
  )
  sample.callers.set('stranger', createSampleCaller({ userId: '9', tenantId: '100002', permissions: everything }))
  await unit(async (db) => {
    for (const id of ['31', '32', '33']) await db.insert(role, { id, name: `role ${id}` })
  })
  boxes = []
  for (const name of ['red', 'blue'])
    boxes.push((await request('wu', 'POST', '/api/t/box/submit', { name })).data.id as string)
  sample.callers.set(
    'boss',
    createSampleCaller({ userId: '12', permissions: everything, limits: { place: [boxes[1]!] } }),
  )
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

describe('the history of a row', () => {
  test(
    'tells each change field by field in the words of then, who made it ' + 'and by which call, newest first',
    async () => {
      const id = await anItem()
      await edit(id, { price: '6.50', boxId: boxes[1] })
      await edit(id, { kind: '' })
      const { data } = await history(id)
      expect(data.records.map((one: any) => [one.kind, one.userId, one.via, one.keys])).toEqual([
        ['edit', '7', 'Item: save', ['kind']],
        ['edit', '7', 'Item: save', ['boxId', 'price']],
      ])
      expect(data.records[1].was).toEqual({ price: '5.00', boxId: boxes[0], boxName: 'red' })
      expect(data.records[1].now).toEqual({ price: '6.50', boxId: boxes[1], boxName: 'blue' })
      expect(data.records[0].was).toEqual({ kind: 1, kindName: 'word 1' })
      expect(data.created).toMatchObject({ userId: '7' })
    },
  )

  test('holds nothing where nothing changed, and one entry for what an action wrote in several steps', async () => {
    const id = await anItem()
    await edit(id, { price: '5.00' })
    expect((await history(id)).data.records).toEqual([])
    await request('wu', 'POST', `/api/t/item/take?id=${id}&many=2`)
    const { records } = (await history(id)).data
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ via: 'Item: take', was: { taken: 0, kind: 1 }, now: { taken: 2, kind: 2 } })
  })

  test('never stores a secret: its change is told, its value is nowhere', async () => {
    const id = await anItem({ phone: '13800001111', apiSecret: 'older-secret' })
    await unit((db) => db.update(item, id, { pin: 'pin-before' }))
    await edit(id, { apiSecret: 'newer-secret', phone: '13900002222' })
    const { records } = (await history(id)).data
    expect(records[0]).toMatchObject({
      keys: ['phone'],
      hidden: ['apiSecret'],
      was: { phone: '138****1111' },
      now: { phone: '139****2222' },
    })
    const { rows } = await sample.owner.query<{ text: string }>(
      'select string_agg(c::text, $1) as text from row_change c where row_id = $2',
      [' ', id],
    )
    expect(rows[0]!.text).not.toMatch(/secret"?:? ?"\w|older-secret|newer-secret|pin-before/)
  })

  test(
    'is of what people change: the system’s own writing of a device’s resource ' + 'leaves no trace, a person’s does',
    async () => {
      const row = await unit((db) => db.insert(meter, { value: 1 }))
      await unit((db) => db.update(meter, row.id, { value: 2 }))
      expect((await request('wu', 'GET', `/api/kit/history/meter?id=${row.id}`)).data.records).toEqual([])
      expect(await request('wu', 'POST', `/api/t/meter/reset?id=${row.id}`)).toMatchObject({ status: 200 })
      expect((await request('wu', 'GET', `/api/kit/history/meter?id=${row.id}`)).data.records).toHaveLength(1)
    },
  )

  test('is refused with the change: what is rolled back is not remembered', async () => {
    const id = await anItem()
    await expect(
      unit(async (db) => {
        await db.update(item, id, { price: 900 })
        throw new Error('broken')
      }),
    ).rejects.toThrow('broken')
    await unit(async (db) => {
      await db
        .savepoint(async () => {
          await db.update(item, id, { price: 901 })
          throw new Error('undone')
        })
        .catch(() => {})
      await db.update(item, id, { price: 902 })
    })
    expect((await history(id)).data.records.map((one: any) => one.now.price)).toEqual(['9.02'])
  })

  test('is not there for another tenant, for other shops’ people, nor for who may not list the resource', async () => {
    const id = await anItem()
    await edit(id, { price: '8' })
    expect(await history(id, 'stranger')).toMatchObject({ status: 404 })
    expect(await history(id, 'boss')).toMatchObject({ status: 404 })
    sample.callers.set('nobody', createSampleCaller({ userId: '20' }))
    expect(await history(id, 'nobody')).toMatchObject({ status: 403 })
    expect(await request('wu', 'GET', `/api/kit/history/nothing?id=${id}`)).toMatchObject({ status: 404 })
  })

  test(
    'sets a row back to before a change, through submit: as a new change, with the same ' +
      'checks, not touching what nobody may type',
    async () => {
      const id = await anItem({ price: '1' })
      await edit(id, { price: '2' })
      await request('wu', 'POST', `/api/t/item/take?id=${id}&many=1`)
      await edit(id, { price: '3', phone: '13800001111' })
      const { records } = (await history(id)).data
      const first = records.at(-1)
      expect(await request('reader', 'POST', '/api/kit/history/item/restore', { id, change: first.id })).toMatchObject({
        status: 403,
      })
      expect(
        await request('stranger', 'POST', '/api/kit/history/item/restore', { id, change: first.id }),
      ).toMatchObject({
        status: 404,
      })
      expect(
        await request('wu', 'POST', '/api/kit/history/item/restore', { id, change: first.id, version: 0 }),
      ).toMatchObject({ status: 409 })
      expect(await request('wu', 'POST', '/api/kit/history/item/restore', { id, change: first.id })).toMatchObject({
        status: 200,
      })
      expect(await detail(id)).toMatchObject({ price: '1.00', kind: 1, phone: '', taken: 1 })
      expect((await history(id)).data.records[0]).toMatchObject({
        via: 'Restore earlier version',
        was: { price: '3.00' },
        now: { price: '1.00' },
      })
      expect(await request('wu', 'POST', '/api/kit/history/item/restore', { id, change: first.id })).toMatchObject({
        status: 400,
        data: { reason: 'nothing_to_restore' },
      })
      expect(await request('wu', 'POST', '/api/kit/history/item/restore', { id, change: '12345' })).toMatchObject({
        status: 404,
      })
      const refused = await anItem({ price: '1' })
      await unit((db) => db.update(item, refused, { price: 66_600 }))
      await edit(refused, { price: '3' })
      expect(
        await request('wu', 'POST', '/api/kit/history/item/restore', {
          id: refused,
          change: (await history(refused)).data.records[0].id,
        }),
      ).toMatchObject({ status: 400, data: { reason: 'bad_request' } })
      expect(await detail(refused)).toMatchObject({ price: '3.00' })
    },
  )

  test('sets back no field that whoever asks may not see', async () => {
    const id = await anItem({ price: '1', kind: 1 })
    await edit(id, { price: '2', kind: 2 })
    const [change] = (await history(id)).data.records
    expect(await request('narrow', 'POST', '/api/kit/history/item/restore', { id, change: change.id })).toMatchObject({
      status: 200,
      data: { fields: ['price'] },
    })
    expect(await detail(id)).toMatchObject({ price: '1.00', kind: 2 })
  })

  test('nor does a save change, empty or compare such a field: every value of it is refused alike', async () => {
    const id = await anItem({ price: '1', kind: 1 })
    const save = (body: Record<string, unknown>) => request('narrow', 'POST', '/api/t/item/submit', { id, ...body })
    const answers = await Promise.all([1, 2, 'nonsense'].map((kind) => save({ kind })))
    answers.push(...(await Promise.all([0, 5].map((taken) => save({ taken })))))
    expect(answers.map(({ status, data }) => [status, data.reason])).toEqual(answers.map(() => [400, 'hidden_stays']))
    expect(await save({ kind: '', price: '3' })).toMatchObject({ status: 200 })
    expect(await detail(id)).toMatchObject({ kind: 1, price: '3.00' })
    expect(
      await request('narrow', 'POST', '/api/t/item/submit', {
        code: `C${++count}`,
        boxId: boxes[0],
        kind: 2,
        price: '1',
      }),
    ).toMatchObject({ status: 200 })
  })

  test(
    'does not empty what it never knew: a value that was a secret under ' + 'its former name stays as it is',
    async () => {
      const save = async (body: Record<string, unknown>) =>
        (await request('wu', 'POST', '/api/t/knob/submit', body)).data.id as string
      const read = async (id: string) => (await request('wu', 'GET', `/api/t/knob/detail?id=${id}`)).data
      const changes = async (id: string) => (await request('wu', 'GET', `/api/kit/history/knob?id=${id}`)).data.records
      const id = await save({ knobKey: 'door.password', knobValue: 'first', note: 'old' })
      await save({ id, knobValue: 'second', note: 'new' })
      await save({ id, knobKey: 'door.colour' })
      const before = (await changes(id)).at(-1)
      expect(await request('wu', 'POST', '/api/kit/history/knob/restore', { id, change: before.id })).toMatchObject({
        status: 200,
        data: { fields: ['knobKey', 'note'] },
      })
      expect(await read(id)).toMatchObject({ knobKey: 'door.password', knobValue: 'second', note: 'old' })
    },
  )

  test(
    'says at which version the row stands, so that a change nobody has seen ' + 'is not set back with the others',
    async () => {
      const id = await anItem({ price: '1' })
      await edit(id, { price: '2' })
      const seen = (await history(id)).data
      await unit((db) => db.update(item, id, { price: 300 }))
      expect(
        await request('wu', 'POST', '/api/kit/history/item/restore', {
          id,
          change: seen.records[0].id,
          version: seen.version,
        }),
      ).toMatchObject({ status: 409, data: { reason: 'changed_meanwhile' } })
      expect(await detail(id)).toMatchObject({ price: '3.00' })
      const now = (await history(id)).data
      expect(
        await request('wu', 'POST', '/api/kit/history/item/restore', {
          id,
          change: seen.records[0].id,
          version: now.version,
        }),
      ).toMatchObject({ status: 200 })
    },
  )

  test('pages without gap or overlap', async () => {
    const id = await anItem()
    for (let n = 1; n <= 7; n++) await edit(id, { price: `${n}0` })
    const seen: string[] = []
    let before = ''
    for (let more = true; more;) {
      const { data } = await request('wu', 'GET', `/api/kit/history/item?id=${id}&size=3&before=${before}`)
      seen.push(...data.records.map((one: any) => one.now.price as string))
      before = data.records.at(-1).id
      more = data.more
    }
    expect(seen).toEqual(['70.00', '60.00', '50.00', '40.00', '30.00', '20.00', '10.00'])
  })
})

describe('an action and a removal', () => {
  test('are refused on a row that somebody changed since it was seen, and say what it is now', async () => {
    const id = await anItem()
    await edit(id, { price: '7' })
    expect(await request('wu', 'POST', `/api/t/item/take?id=${id}&many=1&version=0`)).toMatchObject({
      status: 409,
      data: { reason: 'changed_meanwhile', row: { price: '7.00', version: 1 } },
    })
    expect(await request('wu', 'POST', `/api/t/item/remove?ids=${id}&versions=0`)).toMatchObject({ status: 409 })
    expect(await request('wu', 'POST', `/api/t/item/take?id=${id}&many=1&version=1`)).toMatchObject({ status: 200 })
    expect(await request('wu', 'POST', `/api/t/item/remove?ids=${id}`)).toMatchObject({ status: 200 })
  })
})

describe('the recycle bin', () => {
  const remove = async (id: string) =>
    expect(await request('wu', 'POST', `/api/t/item/remove?ids=${id}`)).toMatchObject({ status: 200 })
  const bin = async (who = 'wu', more = '') => request(who, 'GET', `/api/kit/bin/item?size=100${more}`)
  const restore = (id: string, who = 'wu') => request(who, 'POST', '/api/kit/bin/item/restore', { ids: id })

  test('shows what was removed, by whom and when, finds it by its title, and gives it back as it was', async () => {
    const id = await anItem({ code: 'lost' })
    const before = await detail(id)
    await remove(id)
    expect((await bin()).data.records.find((row: any) => row.id === id)).toMatchObject({
      code: 'lost',
      updateUser: '7',
    })
    expect((await bin('wu', '&key=los')).data).toMatchObject({ total: 1 })
    expect((await bin('wu', '&key=nobody')).data).toMatchObject({ total: 0 })
    expect(
      (await request('wu', 'GET', '/api/kit/bin')).data.find((one: any) => one.resource === 'item').count,
    ).toBeGreaterThan(0)
    expect((await history(id)).data.records[0]).toMatchObject({ kind: 'remove', userId: '7' })
    expect(await restore(id)).toMatchObject({ status: 200 })
    expect(await detail(id)).toMatchObject({ ...before, version: before.version + 2, updateTime: expect.any(String) })
    expect((await history(id)).data.records.map((one: any) => one.kind)).toEqual(['restore', 'remove'])
    expect(await restore(id)).toMatchObject({ status: 404 })
  })

  test('refuses by name what cannot come back: its code was given away, or what it lies in is gone', async () => {
    const id = await anItem({ code: 'twin' })
    await remove(id)
    await anItem({ code: 'twin' })
    expect(await restore(id)).toMatchObject({
      status: 400,
      data: { reason: 'taken', fields: { code: 'code already exists' } },
    })
    const {
      data: { id: lid },
    } = await request('wu', 'POST', '/api/t/box/submit', { name: 'short-lived' })
    const inside = await anItem({ boxId: lid })
    await remove(inside)
    await request('wu', 'POST', `/api/t/box/remove?ids=${lid}`)
    expect(await restore(inside)).toMatchObject({ status: 400, data: { fields: { boxId: 'box does not exist' } } })
    expect((await bin()).data.records.map((row: any) => row.id)).toEqual(expect.arrayContaining([id, inside]))
  })

  test('brings a branch back together with what it hangs on, and not alone', async () => {
    const add = async (name: string, parentId: string) =>
      (await request('wu', 'POST', '/api/t/branch/submit', { name, parentId })).data.id as string
    const parent = await add('trunk', '0')
    const child = await add('twig', parent)
    await request('wu', 'POST', `/api/t/branch/remove?ids=${child}`)
    await request('wu', 'POST', `/api/t/branch/remove?ids=${parent}`)
    const back = (ids: string) => request('wu', 'POST', '/api/kit/bin/branch/restore', { ids })
    expect(await back(child)).toMatchObject({ status: 400, data: { fields: { parentId: 'parent does not exist' } } })
    expect(await back(`${child},${parent}`)).toMatchObject({ status: 200 })
    expect((await request('wu', 'GET', `/api/t/branch/detail?id=${child}`)).data).toMatchObject({ parentId: parent })
  })

  test('is closed to strangers, to other shops’ people and to who may not remove', async () => {
    const id = await anItem()
    await remove(id)
    expect((await bin('stranger')).data.records).toEqual([])
    expect((await bin('boss')).data.records).toEqual([])
    expect(await bin('reader')).toMatchObject({ status: 403 })
    for (const [who, status] of [
      ['stranger', 404],
      ['boss', 404],
      ['reader', 403],
    ] as const)
      expect(await restore(id, who)).toMatchObject({ status })
    expect((await request('reader', 'GET', '/api/kit/bin')).data).toEqual([])
    expect(await request('wu', 'GET', '/api/kit/bin/meter')).toMatchObject({
      status: 400,
      data: { reason: 'not_restorable' },
    })
  })
})

describe('a bulk operation', () => {
  const bulk = (body: Record<string, unknown>, who = 'wu') => request(who, 'POST', '/api/kit/bulk/item', body)
  const preview = (body: Record<string, unknown>, who = 'wu') =>
    request(who, 'POST', '/api/kit/bulk/item/preview', body)

  test(
    'is shown before it is done: each row’s change, each refusal with its ' + 'reason; and nothing is written',
    async () => {
      const ids = [await anItem({ price: '1' }), await anItem({ price: '2', kind: 2 }), await anItem({ price: '3' })]
      const before = await Promise.all(ids.map(detail))
      const { data } = await preview({ operation: 'take', ids, input: { many: 4 } })
      expect(data).toMatchObject({ count: 3, dryRunCount: 3, refused: 1 })
      expect(data.rows.map((row: any) => [row.isDone, row.keys])).toEqual([
        [true, ['kind', 'taken']],
        [false, []],
        [true, ['kind', 'taken']],
      ])
      expect(data.rows[0]).toMatchObject({
        was: { taken: 0, kindName: 'word 1' },
        now: { taken: 4, kindName: 'word 2' },
      })
      expect(data.rows[1].msg).toContain('current status')
      expect(await Promise.all(ids.map(detail))).toEqual(before)
      expect((await history(ids[0]!)).data.records).toEqual([])
    },
  )

  test('does each row by itself and tells for each how it went', async () => {
    const ids = [await anItem(), await anItem({ kind: 2 })]
    const { data } = await bulk({ operation: 'take', ids, expectedCount: 2, input: { many: 1 } })
    expect(data).toMatchObject({ count: 2, done: 1, failed: 1, runId: '' })
    expect(data.refused).toEqual([
      expect.objectContaining({ id: ids[1], isDone: false, msg: expect.stringContaining('take') }),
    ])
    expect(await detail(ids[0]!)).toMatchObject({ taken: 1 })
    expect(await detail(ids[1]!)).toMatchObject({ taken: 0 })
  })

  test(
    'reaches all that a filter finds, and refuses when the set has moved, ' + 'saying how many there are now',
    async () => {
      const ids = [await anItem({ code: 'F-1' }), await anItem({ code: 'F-2' })]
      const filter = { code_like: 'F-' }
      await anItem({ code: 'F-3' })
      expect(await bulk({ operation: 'edit', filter, expectedCount: 2, input: { price: '9' } })).toMatchObject({
        status: 409,
        data: { reason: 'set_moved', count: 3 },
      })
      expect(await detail(ids[0]!)).toMatchObject({ price: '5.00' })
      expect(await bulk({ operation: 'edit', filter, input: { price: '9' } })).toMatchObject({ status: 400 })
      expect((await bulk({ operation: 'edit', filter, expectedCount: 3, input: { price: '9' } })).data).toMatchObject({
        done: 3,
      })
      expect(await detail(ids[1]!)).toMatchObject({ price: '9.00' })
      expect(await bulk({ operation: 'remove', ids: [ids[0], '4611686018427387904'], expectedCount: 2 })).toMatchObject(
        {
          status: 409,
          data: { count: 1 },
        },
      )
    },
  )

  test('refuses a set with as many rows as the preview showed, but not the same ones', async () => {
    const ids = [await anItem({ code: 'G-1' }), await anItem({ code: 'G-2' })]
    const filter = { code_like: 'G-' }
    const seen = (await preview({ operation: 'edit', filter, input: { price: '9' } })).data
    await edit(ids[0]!, { code: 'left' })
    const came = await anItem({ code: 'G-3' })
    const go = (expectedSet: string) =>
      bulk({ operation: 'edit', filter, expectedCount: 2, expectedSet, input: { price: '9' } })
    expect(await go(seen.set)).toMatchObject({ status: 409, data: { reason: 'set_moved', count: 2 } })
    expect(await detail(came)).toMatchObject({ price: '5.00' })
    expect(
      (await go((await preview({ operation: 'edit', filter, input: { price: '9' } })).data.set)).data,
    ).toMatchObject({
      done: 2,
    })
  })

  test('removes through the resource’s own removal, row by row', async () => {
    const ids = [await anItem({ code: 'goes' }), await anItem({ code: 'stays' })]
    const shown = (await preview({ operation: 'remove', ids })).data
    expect(shown.rows.map((row: any) => [row.title, row.isDone])).toEqual([
      ['goes', true],
      ['stays', false],
    ])
    expect((await bulk({ operation: 'remove', ids, expectedCount: 2 })).data).toMatchObject({ done: 1, failed: 1 })
    expect((await request('wu', 'GET', `/api/t/item/detail?id=${ids[0]}`)).status).toBe(404)
    expect(await detail(ids[1]!)).toMatchObject({ code: 'stays' })
  })

  test('does what is declared for a set with all of it or none', async () => {
    const ids = [await anItem({ code: 'S-1' }), await anItem({ code: 'S-2' }), await anItem({ code: 'S-3' })]
    expect((await bulk({ operation: 'all', ids, expectedCount: 3 })).data).toMatchObject({ done: 3 })
    expect(await detail(ids[0]!)).toMatchObject({ price: '1.00' })
    const more = [...ids, await anItem({ code: 'S-4' })]
    expect((await bulk({ operation: 'all', ids: more, expectedCount: 4 })).data).toMatchObject({ done: 0, failed: 4 })
    expect(await detail(more[3]!)).toMatchObject({ price: '5.00' })
  })

  test('is what is declared and permitted, inside the caller’s own rows; nothing else', async () => {
    const id = await anItem()
    const one = { ids: [id], expectedCount: 1 }
    for (const operation of ['single', 'nothing', 'constructor', '__proto__', 'submit'])
      expect(await bulk({ ...one, operation })).toMatchObject({ status: 400, data: { reason: 'not_for_many' } })
    expect(await bulk({ ...one, operation: 'edit', input: { code: 'X' } })).toMatchObject({ status: 400 })
    expect(await bulk({ ...one, operation: 'edit', input: { price: '-2' } })).toMatchObject({
      status: 400,
      data: { reason: 'invalid', fields: { price: expect.any(String) } },
    })
    expect(await bulk({ ...one, operation: 'remove' }, 'reader')).toMatchObject({ status: 403 })
    expect(await bulk({ ...one, operation: 'take', input: { many: 1 } }, 'reader')).toMatchObject({ status: 403 })
    for (const who of ['stranger', 'boss'])
      expect(await bulk({ ...one, operation: 'remove' }, who)).toMatchObject({ status: 409, data: { count: 0 } })
    expect(await detail(id)).toMatchObject({ price: '5.00' })
  })
})

describe('a saved view', () => {
  const views = async (who: string) => (await request(who, 'GET', '/api/kit/views/item')).data
  const save = (who: string, body: Record<string, unknown>) =>
    request(who, 'POST', '/api/kit/views/item', { state: { filters: { code_like: 'A' } }, ...body })

  test(
    'is one’s own until it is shared with a role, and then of who holds ' + 'the role and may list the resource',
    async () => {
      const {
        data: { id },
      } = await save('lin', { name: 'cheap' })
      expect((await views('lin')).views).toEqual([
        expect.objectContaining({
          id,
          name: 'cheap',
          roleId: '',
          mayChange: true,
          version: 0,
          state: { filters: { code_like: 'A' } },
        }),
      ])
      expect((await views('reader')).views).toEqual([])
      expect((await views('wu')).views).toEqual([])
      expect(await save('lin', { id, name: 'cheap', roleId: '31', version: 0 })).toMatchObject({ status: 200 })
      expect((await views('reader')).views).toEqual([expect.objectContaining({ id, roleId: '31', mayChange: false })])
      expect((await views('chen')).views).toEqual([])
      expect(await request('reader', 'GET', '/api/kit/views/box')).toMatchObject({ status: 403 })
      expect((await views('stranger')).views).toEqual([])
    },
  )

  test('says nothing of fields its reader may not see', async () => {
    const state = {
      filters: { kind: '1', price_ge: '5', createTime_dategt: '2026-01-01' },
      columns: [{ key: 'kind' }, { key: 'price' }],
      sort: { key: 'kind', descending: true },
      size: 30,
    }
    const { id } = (await request('lin', 'POST', '/api/kit/views/item', { name: 'costly', roleId: '31', state })).data
    const shown = async (who: string) =>
      (await request(who, 'GET', '/api/kit/views/item')).data.views.find((view: any) => view.id === id).state
    expect(await shown('lin')).toEqual(state)
    expect(await shown('narrow')).toEqual({
      filters: { price_ge: '5', createTime_dategt: '2026-01-01' },
      columns: [{ key: 'price' }],
      size: 30,
    })
  })

  test(
    'says that it finds more than it was made for, where a condition is hidden ' +
      'from its reader or its field is gone',
    async () => {
      const view = async (who: string, id: string) =>
        (await request(who, 'GET', '/api/kit/views/item')).data.views.find((one: any) => one.id === id)
      const { id } = (
        await save('lin', { name: 'one kind', roleId: '31', state: { filters: { kind: '1', code_like: 'A' } } })
      ).data
      expect(await view('lin', id)).toMatchObject({ isLess: false })
      expect(await view('narrow', id)).toMatchObject({ isLess: true, state: { filters: { code_like: 'A' } } })
      const old = (
        await save('lin', { name: 'of old', state: { filters: { colour_equal: 'red', price_ge: '1', id_equal: '7' } } })
      ).data.id
      expect(await view('lin', old)).toMatchObject({
        isLess: true,
        state: { filters: { price_ge: '1', id_equal: '7' } },
      })
    },
  )

  test(
    'is shared with a role one holds, changed and removed by its maker ' + 'alone, and under a name of its own',
    async () => {
      const {
        data: { id },
      } = await save('chen', { name: 'mine' })
      expect(await save('chen', { name: 'mine' })).toMatchObject({
        status: 400,
        data: { fields: { name: expect.any(String) } },
      })
      expect(await save('chen', { name: 'other', roleId: '31' })).toMatchObject({
        status: 400,
        data: { fields: { roleId: expect.any(String) } },
      })
      expect(await save('lin', { id, name: 'stolen' })).toMatchObject({ status: 404 })
      expect(await request('lin', 'POST', '/api/kit/views/item/remove', { ids: id })).toMatchObject({ status: 404 })
      expect(await save('chen', { id, name: 'renamed', version: 0 })).toMatchObject({ status: 200 })
      expect(await save('chen', { id, name: 'late', version: 0 })).toMatchObject({ status: 409 })
      expect(await request('chen', 'POST', '/api/kit/views/item/remove', { ids: id })).toMatchObject({ status: 200 })
      expect((await views('chen')).views).toEqual([])
    },
  )

  test('stands as tab, tile or link where its maker says, for the role’s people, counting what each sees', async () => {
    const placed = async (who: string, place: string, resource?: string) =>
      (await request(who, 'GET', `/api/kit/placed-views?place=${place}${resource ? `&family=${resource}` : ''}`)).data
    const listed = async (who: string) => (await request(who, 'GET', '/api/t/item/list?code_like=A&size=1')).data.total
    const { id } = (await save('lin', { name: 'placed', roleId: '31', asTab: true, asTile: true })).data
    for (const who of ['lin', 'reader'])
      expect(await placed(who, 'tab', 'item')).toEqual([
        expect.objectContaining({ id, name: 'placed', resource: 'item', roleId: '31', count: await listed(who) }),
      ])
    expect([await placed('lin', 'link'), await placed('lin', 'tab', 'box')]).toEqual([[], []])
    // Not placed for users without the role, for an administrator (who can open every role's views), or for another
    // tenant.
    for (const who of ['chen', 'wu', 'stranger'])
      expect([who, (await placed(who, 'tile')).filter((one: any) => one.id === id)]).toEqual([who, []])
    // Settings that are not sent stay; those sent change.
    expect(await save('lin', { id, name: 'placed', roleId: '31', version: 0 })).toMatchObject({ status: 200 })
    expect(await placed('reader', 'tile')).toHaveLength(1)
    expect(await save('lin', { id, name: 'placed', roleId: '31', asTile: false, asLink: true })).toMatchObject({
      status: 200,
    })
    expect([await placed('reader', 'tile'), await placed('reader', 'link')]).toEqual([
      [],
      [{ id, name: 'placed', roleId: '31', resource: 'item', label: expect.any(String) }],
    ])
    expect((await views('lin')).views).toContainEqual(
      expect.objectContaining({ id, asTab: true, asTile: false, asLink: true }),
    )
    expect(await request('lin', 'GET', '/api/kit/placed-views?place=wall')).toMatchObject({
      status: 400,
      data: { fields: { place: expect.any(String) } },
    })
    await request('lin', 'POST', '/api/kit/views/item/remove', { ids: id })
  })

  test('says no number where a condition of it is hidden from its reader: it would be too large', async () => {
    const state = { filters: { kind: '1' } }
    const { id } = (await save('lin', { name: 'hidden', roleId: '31', asTab: true, state })).data
    const [seen] = (await request('narrow', 'GET', '/api/kit/placed-views?place=tab')).data
    expect([seen.id, 'count' in seen]).toEqual([id, false])
    await request('lin', 'POST', '/api/kit/views/item/remove', { ids: id })
  })

  test('whose role was removed is its maker’s alone, and can be saved again', async () => {
    sample.callers.set('temp', createSampleCaller({ userId: '15', permissions: everything, roleIds: ['33'] }))
    const { id } = (await save('temp', { name: 'of a role', roleId: '33' })).data
    expect((await views('temp')).views).toEqual([expect.objectContaining({ id, roleId: '33', roleName: 'role 33' })])
    await unit((db) => db.remove(role, ['33']))
    expect((await views('temp')).views).toEqual([
      expect.objectContaining({ id, roleId: '', roleName: '', mayChange: true }),
    ])
    expect((await views('wu')).views.filter((one: any) => one.id === id)).toEqual([])
    expect(await save('temp', { id, name: 'of a role', roleId: '' })).toMatchObject({ status: 200 })
  })

  test('names its role also to a maker who holds it no more', async () => {
    sample.callers.set('mover', createSampleCaller({ userId: '16', permissions: everything, roleIds: ['32'] }))
    const { id } = (await save('mover', { name: 'left behind', roleId: '32' })).data
    sample.callers.set('moved', createSampleCaller({ userId: '16', permissions: everything, roleIds: ['31'] }))
    expect((await views('moved')).views).toContainEqual(
      expect.objectContaining({ id, roleId: '32', roleName: 'role 32' }),
    )
    expect((await views('moved')).roles).toEqual([{ id: '31', name: 'role 31' }])
  })
})

test('a row’s history costs a unit of work one statement, whatever it changed', async () => {
  const ids = [await anItem(), await anItem(), await anItem()]
  const statements: string[] = []
  await unit(async (db) => {
    const take = db.changes.take
    db.changes.take = () => {
      const found = take()
      if (found) statements.push(found.text)
      return found
    }
    for (const id of ids) await db.update(item, id, { price: 123 })
  })
  expect(statements).toHaveLength(1)
  const { rows } = await sample.owner.query('select 1 from row_change where row_id = any($1)', [ids])
  expect(rows).toHaveLength(3)
  expect(await unit((db) => db.query(sql`select 1 from row_change`))).not.toHaveLength(0)
})
