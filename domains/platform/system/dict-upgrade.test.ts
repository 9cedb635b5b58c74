import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => void (server = await testServer()))
afterAll(() => server?.close())

/** Entries that the first release declared differently: code, key, Chinese text, English text, colour. */
const FIRST = `
user_type	3	OTHER	Other
notice_channel	site	站内	On this site	processing
work_type	install	安装	Install	processing
work_type	repair	维修	Repair	error
work_type	inspect	巡检	Inspect	success
work_type	remove	拆除	Remove	warning
discount_type	fullReduction	满减	Money off from an amount	processing
discount_type	percentage	打折	Per cent off	processing
discount_type	fixedPrice	特价	Fixed price	processing
discount_type	nthPiece	第 N 件优惠	Nth piece cheaper	processing
discount_type	bundle	组合价	Bundle	processing
ticket_type	amount	代金券	Money off	processing
ticket_type	rate	折扣券	Per cent off	warning
advert_screen	register	收银机屏	Register	processing
advert_screen	door	门口屏	Door	warning`
  .trim()
  .split('\n')
  .map((line) => line.split('\t')) as [string, string, string, string, string?][]

const whole = <T>(work: Parameters<typeof server.services.unit<T>>[1]) =>
  server.services.unit<T>({ crossTenantReason: 'test' }, work)

/** Sets the entries as the first release seeded them, never changed by anybody. */
const backToTheFirst = () =>
  whole(async (db) => {
    for (const [code, key, zh, en, colour] of FIRST) {
      await db.run(
        sql`update dict set dict_value = ${zh}, dict_value_en = ${en}, colour = ${colour ?? null}, update_user = null,
          version = 0 where code = ${code} and dict_key = ${key}`,
      )
    }
  })

type Word = {
  id: string
  code: string
  dictKey: string
  dictValue: string
  dictValueEn: string
  colour: string | null
  version: number
}
const words = () =>
  whole((db) =>
    db.query<Word>(
      sql`select id::text, code, dict_key, dict_value, dict_value_en, colour, version from dict where is_deleted = 0
        order by code, dict_key`,
    ),
  )
const wordOf = async (code: string, key: string) =>
  (await words()).find((row) => row.code === code && row.dictKey === key)!
const declared = () =>
  server.services.registry.modules
    .flatMap((module) => module.dictionaries ?? [])
    .flatMap(({ code, entries }) =>
      entries.map(({ key, zh, en, colour }) => `${code}/${key} ${zh} ${en} ${colour ?? ''}`),
    )
    .toSorted()
const stored = async () =>
  (await words())
    .filter((row) => row.dictKey !== '-1')
    .map((row) => `${row.code}/${row.dictKey} ${row.dictValue} ${row.dictValueEn} ${row.colour ?? ''}`)
    .toSorted()

test(
  'words and colours the first release seeded become those of today at a start, which says which ' +
    'they are and says nothing the next time',
  async () => {
    await backToTheFirst()
    expect(await stored()).not.toEqual(declared())
    const brought = await server.seed()
    expect(await stored()).toEqual(declared())
    expect(brought).toHaveLength(1)
    expect(brought[0]).toContain('15')
    for (const [code, key] of FIRST) expect(brought[0]).toContain(`${code}/${key}`)
    expect(await server.seed()).toEqual([])
  },
)

test(
  'what a person changed of an entry stays theirs and the rest of it follows; a ' +
    'removed or moved entry does not come back',
  async () => {
    await backToTheFirst()
    const admin = await server.as('admin')
    const path = '/api/blade-system/dict'
    const [repair, inspect, remove] = await Promise.all(
      ['repair', 'inspect', 'remove'].map((key) => wordOf('work_type', key)),
    )
    expect(
      (await server.call(admin, 'POST', `${path}/submit`, { body: { id: repair!.id, dictValue: '抢修' } })).status,
    ).toBe(200)
    expect(
      (await server.call(admin, 'POST', `${path}/submit`, { body: { id: inspect!.id, dictKey: 'look' } })).status,
    ).toBe(200)
    expect((await server.call(admin, 'POST', `${path}/remove`, { query: { ids: remove!.id } })).status).toBe(200)
    const [line] = await server.seed()
    expect(await wordOf('work_type', 'repair')).toMatchObject({ dictValue: '抢修', colour: 'volcano' })
    expect(await wordOf('work_type', 'look')).toMatchObject({ id: inspect!.id, colour: 'success' })
    expect(await wordOf('work_type', 'remove')).toBeUndefined()
    expect(line).toMatch(/by hand.*work_type\/repair/)
  },
)

test('the history of an entry says that an upgrade changed it, and it can be set back, for good', async () => {
  await backToTheFirst()
  await server.seed()
  const admin = await server.as('admin')
  const door = await wordOf('advert_screen', 'door')
  const { data } = await server.call(admin, 'GET', '/api/kit/history/dict', { query: { id: door.id } })
  expect(data.records[0]).toMatchObject({
    via: '版本更新',
    keys: ['colour', 'dictValueEn'],
    was: { colour: 'warning' },
    now: { colour: 'purple' },
  })
  const back = await server.call(admin, 'POST', '/api/kit/history/dict/restore', {
    body: { id: door.id, change: data.records[0].id, version: door.version },
  })
  expect(back.status).toBe(200)
  await server.seed()
  expect(await wordOf('advert_screen', 'door')).toMatchObject({ colour: 'warning' })
})

test('readers who are at work get the new word in their next answer', async () => {
  await backToTheFirst()
  const admin = await server.as('admin')
  const read = async () =>
    (await server.call(admin, 'GET', '/api/blade-system/dict/dictionary', { query: { code: 'user_type' } })).data as {
      dictKey: string
      dictValue: string
    }[]
  await server.call(admin, 'GET', '/api/blade-auth/oauth/clear-cache')
  expect((await read()).find((row) => row.dictKey === '3')!.dictValue).toBe('OTHER')
  await server.seed()
  expect((await read()).find((row) => row.dictKey === '3')!.dictValue).toBe('其他')
})
