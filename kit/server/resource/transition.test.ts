import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import {
  defineResource,
  defineStates,
  f,
  unreachableStates,
  nullableSchema,
  objectSchema,
  textSchema,
} from '../../resource/index.ts'
import { sql, unitOfWork, type Db } from '../database/db.ts'
import { defineModule, serve } from '../module/module.ts'
import { createSampleCaller, startSampleApp, type SampleApp } from '../../../tests/support/sample-app.ts'
import { requireTransition, transition, transitionAll } from './transition.ts'
import { changedTopicOf } from '../../resource/topic.ts'

const words = (text: string) => ({ zh: text, en: text })
const errand = defineResource({
  name: 'errand',
  path: '/api/t/errand',
  label: { zh: '差事', en: 'Errand' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  fields: {
    title: f.text({ label: words('title'), required: true }),
    shopId: f.number({ label: words('shop') }),
    personId: f.number({ label: words('person') }),
    note: f.text({ label: words('note') }),
    tries: f.number({ label: words('tries'), default: 0 }),
    state: f.dict('errand_state', { label: words('state'), form: 'hidden', default: 'open' }),
  },
  list: { columns: ['title', 'state'], time: false },
  states: defineStates({
    field: 'state',
    values: { fresh: null, open: 'open', running: 'running', done: 'done', lost: 'lost' },
    initial: ['open', 'fresh'],
    moves: {
      begin: { from: ['fresh', 'open'], to: 'running' },
      end: { from: ['running'], to: ['done', 'lost'] },
      drop: { from: ['open'], to: 'lost' },
    },
    tells: [
      { topic: changedTopicOf('board') },
      { topic: changedTopicOf('shop'), ids: 'shopId', permission: 'shop' },
      { topic: { name: 'errand.step' }, user: 'personId' },
    ],
  }),
  actions: {
    begin: {
      on: 'row',
      label: words('Begin'),
      enabled: { title: { ne: 'never' } },
      answer: objectSchema({ note: nullableSchema(textSchema) }),
    },
    give: { on: 'row', label: words('Give up'), move: 'drop' },
  },
})

let database: TestDatabase
let sample: SampleApp
const unit = <T>(work: (db: Db) => Promise<T>, userId = '1', tenantId = '100001') =>
  unitOfWork(sample.services.pool, { tenantId }, { userId, deptId: null }, work)
const add = (draft: object = {}) => unit((db) => db.insert(errand, { title: 'x', state: 'open', tries: 0, ...draft }))
const stateOf = async (id: string) => (await unit((db) => db.get(errand, id)))!.state
const changesOf = async (id: string) =>
  (await sample.owner.query('select was, now from row_change where row_id = $1 order by id', [id])).rows
/** Runs the work and returns its result and the messages it sent to browsers. */
async function withMessages<T>(work: (db: Db) => Promise<T>): Promise<[T, object[]]> {
  const sent: object[] = []
  const result = await unit((db) =>
    work({ ...db, publish: ({ name }, ...message) => void sent.push([name, ...message]) }),
  )
  return [result, sent]
}

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  const module = defineModule({
    name: 'sample',
    label: words('sample'),
    dictionaries: [
      {
        code: 'errand_state',
        label: words('state'),
        entries: ['open', 'running', 'done', 'lost'].map((key) => ({ key, ...words(key) })),
      },
    ],
    resources: [
      serve(errand, {
        actions: {
          begin: async (row, _input, call) => ({ note: (await requireTransition(call, errand, row.id, 'begin')).note }),
          give: async (row, _input, call) => void (await requireTransition(call, errand, row.id, 'drop')),
        },
      }),
    ],
    routes: [],
  })
  sample = await startSampleApp(database.url, [module], pathToFileURL(`${mkdtempSync(join(tmpdir(), 'none-'))}/`))
  sample.callers.set('boss', createSampleCaller({ permissions: new Set(['errand', 'errand_begin', 'errand_give']) }))
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

describe('a move', () => {
  test('changes the state and the patch in one message, and keeps both in the history', async () => {
    const { id, version } = await add()
    const trips = await countRoundTrips(async () => {
      const row = await unit((db) => transition(db, errand, id, 'begin', { note: 'now' }))
      expect(row).toMatchObject({ id, state: 'running', note: 'now', version: version + 1 })
    })
    expect(trips.roundTrips).toBe(2)
    expect(await changesOf(id)).toEqual([
      { was: { state: 'open', note: null }, now: { state: 'running', note: 'now' } },
    ])
  })

  test('tells who lists the resource and the topics it declares, each of them within its own limits', async () => {
    const { id } = await add({ shopId: 7, personId: 9 })
    const [, messages] = await withMessages((db) => transition(db, errand, id, 'begin'))
    expect(messages).toEqual([
      ['errand.changed', { ids: [id] }, { permission: 'errand', limits: { shop: '7' } }],
      ['board.changed', {}, { permission: undefined, limits: { shop: '7' } }],
      ['shop.changed', { ids: ['7'] }, { permission: 'shop', limits: { shop: '7' } }],
      ['errand.step', {}, { userIds: ['9'] }],
    ])
  })

  test('leaves a row that is in none of its states alone, silently', async () => {
    const { id, version } = await add({ state: 'done' })
    const [row, messages] = await withMessages((db) => transition(db, errand, id, 'begin', { note: 'late' }))
    expect([row, messages]).toEqual([undefined, []])
    expect(await unit((db) => db.get(errand, id))).toMatchObject({ state: 'done', note: null, version })
    expect(await changesOf(id)).toEqual([])
  })

  test('does not reach a row of another tenant, or one that is removed', async () => {
    const [one, other] = [await add(), await add()]
    await unit((db) => db.remove(errand, [other.id]))
    expect(await unit((db) => transition(db, errand, one.id, 'begin'), '1', '100002')).toBeUndefined()
    expect(await unit((db) => transition(db, errand, other.id, 'begin'))).toBeUndefined()
    expect(await stateOf(one.id)).toBe('open')
  })

  test('starts from an empty column where that is a state', async () => {
    const { id } = await add({ state: null })
    expect(await unit((db) => transition(db, errand, id, 'drop'))).toBeUndefined()
    expect(await unit((db) => transition(db, errand, id, 'begin'))).toMatchObject({ state: 'running' })
  })

  test('leads to the state it is given, of several', async () => {
    const { id } = await add({ state: 'running' })
    expect(await unit((db) => transition(db, errand, id, 'end', { note: 'gone' }, { to: 'lost' }))).toMatchObject({
      state: 'lost',
      note: 'gone',
    })
  })

  test('can be narrowed to fewer states and by a condition, and counts in the database', async () => {
    const { id } = await add()
    const begin = (options: object) => unit((db) => transition(db, errand, id, 'begin', {}, options))
    expect(await begin({ from: ['fresh'] })).toBeUndefined()
    expect(await begin({ when: sql`was.tries > 0` })).toBeUndefined()
    expect(await begin({ from: ['open'], when: sql`was.tries = 0`, set: sql`tries = r.tries + 1` })).toMatchObject({
      state: 'running',
      tries: 1,
    })
  })

  test('waits for a move under way and then goes by the state that left behind', async () => {
    const [first, second] = [await add(), await add({ state: 'done' })]
    const doors = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const slow = unit(async (db) => {
      await transition(db, errand, first.id, 'begin')
      await db.run(sql`update errand set state = 'open' where id = ${second.id}`)
      doors[0].resolve()
      await doors[1].promise
    })
    await doors[0].promise
    const late = [
      unit((db) => transition(db, errand, first.id, 'drop')),
      unit((db) => transition(db, errand, first.id, 'end', {}, { to: 'done' })),
      unit((db) => transition(db, errand, second.id, 'begin')),
    ]
    await expect
      .poll(async () => (await sample.owner.query('select from pg_locks where not granted')).rowCount)
      .toBeGreaterThanOrEqual(3)
    doors[1].resolve()
    await slow
    const [dropped, ended, begun] = await Promise.all(late)
    expect(dropped).toBeUndefined()
    expect(ended).toMatchObject({ state: 'done' })
    expect(begun).toMatchObject({ state: 'running' })
  })

  test('of many moves those that are in its states, and tells of these alone', async () => {
    const title = 'many'
    const rows = [await add({ title }), await add({ title, state: 'done' }), await add({ title, state: null })]
    const [moved, messages] = await withMessages((db) =>
      transitionAll(db, errand, sql`r.title = ${title} or false`, 'begin', { note: 'all' }),
    )
    expect(moved.map(({ id, state }) => [id, state])).toEqual([rows[0], rows[2]].map((row) => [row!.id, 'running']))
    expect(messages[0]).toMatchObject(['errand.changed', { ids: [rows[0]!.id, rows[2]!.id] }, {}])
    expect(await changesOf(rows[2]!.id)).toEqual([
      { was: { state: null, note: null }, now: { state: 'running', note: 'all' } },
    ])
    expect(await stateOf(rows[1]!.id)).toBe('done')
  })
})

describe('an action that makes a move', () => {
  const act = async (action: string, id: string, lang = 'en') =>
    (
      await sample.app.inject({
        method: 'POST',
        url: `/api/t/errand/${action}`,
        headers: { 'blade-auth': 'bearer boss', 'accept-language': lang, 'content-type': 'application/json' },
        payload: JSON.stringify({ id }),
      })
    ).json() as { msg: string; success: boolean; data: { reason?: string } }

  test('is offered in the states of that move, under its own further conditions', () => {
    expect(errand.actions.begin).toMatchObject({ enabled: { state: { in: ['', 'open'] }, title: { ne: 'never' } } })
    expect(errand.actions.give).toMatchObject({ enabled: { state: { in: ['open'] } } })
  })

  test('is refused elsewhere with the state the row is in', async () => {
    const { id } = await add({ state: 'done' })
    expect(await act('give', id)).toMatchObject({
      success: false,
      data: { reason: 'action_not_now' },
      msg: '“Give up” is not available in status “word done”',
    })
    expect((await act('give', id, 'zh')).msg).toBe('当前状态为“word done”，不能执行“Give up”')
    expect(await stateOf(id)).toBe('done')
  })

  test('does not blame the state for another condition', async () => {
    const { id } = await add({ title: 'never' })
    expect((await act('begin', id)).msg).toBe('“Begin” is not available in the current status')
  })

  test('may not repeat by hand when it is possible', () => {
    const again = () =>
      defineResource({
        ...errand,
        menu: undefined,
        list: { columns: ['title'], time: false },
        scope: {},
        actions: { drop: { on: 'row', label: words('Drop'), enabled: { state: { eq: 'open' } } } },
      } as never)
    expect(again).toThrow('errand.drop')
  })

  test('of a row that moved meanwhile says so, and nothing is changed', async () => {
    const { id } = await add({ state: 'running' })
    const call = { caller: createSampleCaller({}), lang: 'en', services: sample.services } as const
    const refused = unit((db) => requireTransition({ ...call, db }, errand, id, 'drop'))
    await expect(refused).rejects.toMatchObject({
      code: 'action_not_now',
      params: { action: words('Give up'), state: 'word running' },
    })
    await expect(unit((db) => requireTransition({ ...call, db }, errand, '1', 'drop'))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('a state no move leads to is found', () => {
  const states = { ...errand.states, initial: ['open'] as const, values: { ...errand.states.values, far: 'far' } }
  expect(unreachableStates(states as never)).toEqual(['fresh', 'far'])
})
