import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { moveStock } from '#domains/catalogue/inventory/api.ts'
import { writeWorkbook } from '#kit/server/sheets/write-sheet.ts'
import { testGateway } from '#tests/support/gateway.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { BULK_PATH } from '#kit/server/lists/bulk.ts'
import type { Call } from '#kit/server/module/module.ts'
import { findRoute } from '#kit/server/resource/call-route.ts'
import { createApprovalGate } from './approval-gate.ts'
import { executeChangeRequestJob } from './run-change.ts'

let tenants: TestTenants
let asker: CastMember
let boss: CastMember
let later = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(Date.now() + later) })
  asker = await tenants.person(tenants.north, 'buyer')
  boss = await tenants.person(tenants.north, 'chief', [])
})
afterAll(() => tenants?.close())
afterEach(async () => {
  const { records } = await tenants.must(get(tenants.north.admin, `${flow}/rule/list`, { size: 100 }))
  for (const { id } of records) await dropRule(id)
})

const flow = '/api/blade-flow'
const goods = '/api/shop/goodInfo'
const post = (who: CastMember, path: string, body: object = {}, query = {}): Promise<Answer> =>
  tenants.call(who, 'POST', path, { body, query })
const get = (who: CastMember, path: string, query = {}): Promise<Answer> => tenants.call(who, 'GET', path, { query })
const priceOf = async (id: string) =>
  (await tenants.must(get(tenants.north.admin, `${goods}/detail`, { id }))).salePrice
const due = () => tenants.server.jobs.runDue()

async function ruled(draft: object): Promise<string> {
  const rule = { name: '规则', userIds: boss.userId, enabled: true, ...draft }
  return (await tenants.must(post(tenants.north.admin, `${flow}/rule/submit`, rule))).id
}
const dropRule = (id: string) => tenants.must(post(tenants.north.admin, `${flow}/rule/remove`, {}, { ids: id }))

const claimable = async (who: CastMember) => (await tenants.must(get(who, `${flow}/work/claim-list`))).records
async function decide(who: CastMember, held: string, flag: 'ok' | 'no'): Promise<Answer> {
  const task = (await claimable(who)).find((row: { businessId: string }) => row.businessId === held)
  await tenants.must(post(who, `${flow}/work/claim-task`, {}, { taskId: task.taskId }))
  const { taskId, processInstanceId } = task
  return post(who, `${flow}/work/complete-task`, { taskId, processInstanceId, comment: '看过', flag })
}
const changeOf = async (id: string) =>
  (await tenants.must(get(tenants.north.admin, `${flow}/change/list`, { id_in: id }))).records[0]
const tenant = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)

/** Previews an import of prices from a workbook. */
async function imported(rows: [id: string, price: number][]) {
  const headings = ['编号', goodInfo.fields.salePrice.label.zh].map((text) => ({ text, width: 10 }))
  const book = await writeWorkbook([{ name: 'x', headings, rows }])
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(book)]), 'x.xlsx')
  const request = new Request('http://x', { method: 'POST', body: form })
  const { body } = await tenants.server.http.inject({
    method: 'POST',
    url: `${goods}/import`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'blade-auth': `bearer ${asker.token}`, 'content-type': request.headers.get('content-type')! },
  })
  await due()
  return tenants.must(get(asker, `/api/kit/tasks/${JSON.parse(body).data.id}`))
}
const down = '${before != null && after.salePrice < before.salePrice * 0.8}'

describe('an act behind an approval', () => {
  test("is not done, is decided about by before and after, and then done so in the asker's name", async () => {
    const rule = await ruled({ act: `${goods}/submit`, condition: down })
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })
    expect((await post(asker, `${goods}/submit`, { id, salePrice: '8.50' })).status).toBe(200)
    const held = await post(asker, `${goods}/submit`, { id, salePrice: '5.00' })
    expect(held).toMatchObject({ status: 202, success: false, body: { data: { reason: 'held_for_approval' } } })
    expect(await priceOf(id)).toBe('8.50')
    const again = await post(asker, `${goods}/submit`, { id, salePrice: '5.00' })
    expect(again.body.data.held).toBe(held.body.data.held)
    const [task] = await claimable(boss)
    const seen = await tenants.must(
      get(boss, `${flow}/work/detail`, { processInstanceId: task.processInstanceId, taskId: task.taskId }),
    )
    expect(seen.change.rows).toMatchObject([{ what: 'edit', was: { salePrice: '8.50' }, now: { salePrice: '5.00' } }])
    expect(Object.keys(seen.change.rows[0].fields)).toEqual(['salePrice'])
    await tenants.must(decide(boss, held.body.data.held, 'ok'))
    expect(await priceOf(id)).toBe('8.50')
    await due()
    expect(await priceOf(id)).toBe('5.00')
    expect(await changeOf(held.body.data.held)).toMatchObject({ state: 2 })
    const [row] = await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.query(sql`select update_user::text as by from good_info where tenant_id = ${db.tenantId} and id = ${id}`),
    )
    expect(row).toEqual({ by: asker.userId })
    await dropRule(rule)
    expect((await post(asker, `${goods}/submit`, { id, salePrice: '1.00' })).status).toBe(200)
  })

  test('is not read for a rule on bulk work where its tenant has none', async () => {
    const route = findRoute(tenants.services.registry, `${goods}/remove`)!
    let read = 0
    const asks = (call: Call) => {
      read++
      return route.asks!(call)
    }
    const caller = (await tenants.services.access.callerOf(asker.token))!
    const gate = createApprovalGate(tenants.services)
    const guards = () =>
      gate.guards({ ...route, asks }, { services: tenants.services, caller, query: { ids: '1,2' } } as unknown as Call)
    await ruled({ act: `${goods}/submit` })
    expect([await guards(), read]).toEqual([false, 0])
    await ruled({ act: BULK_PATH })
    expect([await guards(), read]).toEqual([true, 1])
  })

  test('says in which shop it is: in the list, in the process, in the task and in what is told', async () => {
    await ruled({ act: `${goods}/submit`, condition: down })
    await ruled({ act: '/api/kit/bulk/:resource' })
    const [here, otherShop] = tenants.north.shops as [string, string]
    const shopName = async (id: string) =>
      (await tenants.must(get(tenants.north.admin, '/api/shop/basicShopInfo/detail', { id }))).shopName as string
    const [first, second] = [await shopName(here), await shopName(otherShop)]
    const one = await tenants.good(tenants.north, here, { salePrice: '10.00' })
    const other = await tenants.good(tenants.north, otherShop, { salePrice: '10.00' })
    const { held } = (await post(asker, `${goods}/submit`, { id: one.id, salePrice: '5.00' })).body.data
    expect((await changeOf(held)).title).toContain(first)
    expect((await changeOf(held)).title).not.toContain(second)
    const task = (await claimable(boss)).find((row: { businessId: string }) => row.businessId === held)
    const seen = await tenants.must(
      get(boss, `${flow}/work/detail`, { processInstanceId: task.processInstanceId, taskId: task.taskId }),
    )
    expect(seen.change.title).toContain(first)
    // Tasks, also on the home page, show the process name.
    expect(JSON.stringify(task)).toContain(first)
    await due()
    const notices = await tenant((db) =>
      db.query<{ content: string }>(sql`select content from notice_log where tenant_id = ${db.tenantId}
        order by id desc limit 5`),
    )
    expect(JSON.stringify(notices)).toContain(first)
    await tenants.must(decide(boss, held, 'no'))
    const set = { operation: 'remove', ids: [one.id, other.id], expectedCount: 2 }
    const both = (await post(asker, '/api/kit/bulk/goodInfo', set)).body.data.held
    const { title } = await changeOf(both)
    for (const name of [first, second]) expect(title).toContain(name)
    await tenants.must(decide(boss, both, 'no'))
  })

  test('that is refused, withdrawn or too old is never done', async () => {
    const good = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })
    await ruled({ act: `${goods}/submit`, hours: 1, condition: '${before != null}' })
    const ask = async (salePrice: string) =>
      (await post(asker, `${goods}/submit`, { id: good.id, salePrice })).body.data.held as string
    const [refused, withdrawn, old] = [await ask('1.00'), await ask('2.00'), await ask('3.00')]
    await tenants.must(decide(boss, refused, 'no'))
    const { processInstanceId } = (await tenants.must(get(asker, `${flow}/work/send-list`))).records.find(
      (row: { businessId: string }) => row.businessId === withdrawn,
    )
    expect((await post(boss, `${flow}/work/withdraw`, { processInstanceId })).status).toBe(403)
    await tenants.must(post(asker, `${flow}/work/withdraw`, { processInstanceId }))
    later += 3_600_000 + 1000
    await executeChangeRequestJob.run({ id: old, isExpiry: true }, {
      tenantId: tenants.north.tenantId,
      services: tenants.services,
    } as never)
    expect(await Promise.all([refused, withdrawn, old].map(async (one) => (await changeOf(one)).state))).toEqual([
      3, 4, 7,
    ])
    expect(await priceOf(good.id)).toBe('10.00')
    expect(await claimable(boss)).toEqual([])
  })

  test('is stale when a row has moved since, or when it would do something else by now', async () => {
    await ruled({ act: `${goods}/submit`, condition: '${before != null && args.salePrice != null}' })
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })
    const { held } = (await post(asker, `${goods}/submit`, { id, salePrice: '5.00' })).body.data
    await tenants.must(post(tenants.north.admin, `${goods}/submit`, { id, name: '改名' }))
    await tenants.must(decide(boss, held, 'ok'))
    await due()
    expect(await changeOf(held)).toMatchObject({ state: 5 })
    expect(await priceOf(id)).toBe('10.00')
  })

  test('that went stale says so to who asked and who agreed: by its rows, in lists, notices and at home', async () => {
    const mayFollow = ['flow_change', 'goodInfo', 'goodInfo_edit']
    const buyer = await tenants.person(tenants.north, 'buyer', mayFollow)
    const [agreer, other] = [
      await tenants.person(tenants.north, 'chief', mayFollow),
      await tenants.person(tenants.north, 'chief', mayFollow),
    ]
    await ruled({
      userIds: agreer.userId,
      act: `${goods}/submit`,
      condition: down,
    })
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00', name: '旧名' })
    const { held } = (await post(buyer, `${goods}/submit`, { id, salePrice: '5.00' })).body.data
    const task = (await claimable(agreer)).find((row: { businessId: string }) => row.businessId === held)
    expect(task.changeState).toBe(0)
    const detail = (who: CastMember) =>
      tenants
        .must(get(who, `${flow}/work/detail`, { processInstanceId: task.processInstanceId }))
        .then(({ change }) => change)
    expect((await detail(agreer)).moved).toEqual([])
    await tenants.must(post(tenants.north.admin, `${goods}/submit`, { id, salePrice: '9.00' }))
    // Before agreeing, the approver sees that it could not be executed: the values then and now.
    const moved = [{ what: 'edit', was: { salePrice: '10.00' }, now: { salePrice: '9.00' } }]
    expect((await detail(agreer)).moved).toMatchObject(moved)
    await tenants.must(decide(agreer, held, 'ok'))
    await due()
    expect(await priceOf(id)).toBe('9.00')
    await tenants.must(post(tenants.north.admin, `${goods}/submit`, { id, salePrice: '8.00' }))
    for (const who of [buyer, agreer]) {
      // The reason it was not executed stays as it was then.
      expect(await detail(who)).toMatchObject({ state: 5, isOtherwise: false, moved })
      const list = async (query: object) =>
        (await tenants.must(get(who, `${flow}/change/list`, { id_in: held, ...query }))).records
      expect(await list({ mine: 'answered' })).toMatchObject([{ state: 5, outcome: expect.stringContaining('已变') }])
    }
    const doneList = (await tenants.must(get(agreer, `${flow}/work/done-list`))).records
    const sendList = (await tenants.must(get(buyer, `${flow}/work/send-list`))).records
    for (const rows of [doneList, sendList]) {
      const row = rows.find((one: { businessId: string }) => one.businessId === held)
      expect(row).toMatchObject({ changeState: 5, changeWhy: expect.stringMatching(/已变.*售价/) })
    }
    await due()
    const notices = await tenant((db) =>
      db.query<{ userId: string; content: string }>(sql`select user_id::text as user_id, content from notice_log
        where tenant_id = ${db.tenantId} and content like '%未执行%' order by id desc limit 2`),
    )
    expect(notices.map(({ userId }) => userId).sort()).toEqual([buyer.userId, agreer.userId].sort())
    const needs = async (who: CastMember) =>
      (await tenants.must(get(who, '/api/shop/home/today'))).needs.find(
        (one: { key: string }) => one.key === 'changesNotDone',
      )
    for (const who of [buyer, agreer]) {
      const need = await needs(who)
      expect(need).toMatchObject({ count: 1, query: { mine: 'answered' } })
      const { records } = await tenants.must(get(who, `${flow}/change/list`, need.query))
      expect(records.map((one: { id: string }) => one.id)).toEqual([held])
    }
    expect(await needs(other)).toBeUndefined()
  })

  test('is done although goods were sold meanwhile; a change of what moved by itself is stale', async () => {
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })
    const sold = (change: number) =>
      tenant((db) => moveStock(db, [{ goodId: id, change }], { type: 'in', refType: 'goods', refId: id }))
    await sold(20)
    const act = async (path: string, body: object) => {
      const rule = await ruled({ act: `${goods}/${path}`, condition: '${before != null}' })
      const { held } = (await post(asker, `${goods}/${path}`, body, { id })).body.data
      await sold(-1)
      await tenants.must(decide(boss, held, 'ok'))
      await due()
      await dropRule(rule)
      return (await changeOf(held)).state
    }
    const stock = async () => (await tenants.must(get(tenants.north.admin, `${goods}/detail`, { id }))).stock
    expect(await act('submit', { id, salePrice: '5.00' })).toBe(2)
    expect([await priceOf(id), await stock()]).toEqual(['5.00', 19])
    expect(await act('correct', { change: 3, reason: 'other' })).toBe(5)
    expect(await stock()).toBe(18)
  })

  test('needs the rights of who asked at the moment it is done', async () => {
    const gone = await tenants.person(tenants.north, 'leaver')
    await ruled({ act: `${goods}/submit`, condition: '${before != null}' })
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })
    const { held } = (await post(gone, `${goods}/submit`, { id, salePrice: '5.00' })).body.data
    await tenants.must(decide(boss, held, 'ok'))
    await tenants.must(post(tenants.north.admin, '/api/blade-user/remove', {}, { ids: gone.userId }))
    await due()
    expect((await changeOf(held)).state).toBe(6)
    expect(await priceOf(id)).toBe('10.00')
  })

  test('is held in bulk work too, row by row, and a preview says so and keeps nothing', async () => {
    await ruled({ act: `${goods}/submit`, condition: down })
    const made = await Promise.all(
      [1, 2].map(() => tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '9.00' })),
    )
    const ids = made.map((one) => one.id)
    const body = { operation: 'edit', ids, expectedCount: 2, input: { salePrice: '1.00' } }
    const count = async () =>
      (await tenants.must(get(tenants.north.admin, `${flow}/change/list`, { state_in: '0' }))).total
    await tenants.must(post(asker, '/api/kit/bulk/goodInfo/preview', body))
    expect(await count()).toBe(0)
    const done = await tenants.must(post(asker, '/api/kit/bulk/goodInfo', body))
    expect(done).toMatchObject({ done: 0, failed: 2 })
    expect(await count()).toBe(2)
    expect(await priceOf(ids[0]!)).toBe('9.00')
  })

  test('is held in imports: told when rows are compared, asked when they are written, done once agreed', async () => {
    await ruled({ act: `${goods}/submit`, condition: down })
    const [far, near] = await Promise.all(
      [1, 2].map(() => tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '9.00' })),
    )
    const waiting = async (): Promise<string[]> =>
      (await tenants.must(get(tenants.north.admin, `${flow}/change/list`, { state_in: '0' }))).records.map(
        (one: { id: string }) => one.id,
      )
    const before = await waiting()
    const task = await imported([
      [far!.id, 2],
      [near!.id, 8.5],
    ])
    expect(task).toMatchObject({ state: 'checked', result: { changed: 2, wrong: 0 } })
    const lines = async () => (await tenants.must(get(asker, `/api/kit/tasks/${task.id}/rows`))).records
    expect(await lines()).toMatchObject([
      { state: 'changed', problems: [{ sentence: expect.stringContaining('已提交审批（规则）') }] },
      { state: 'changed', problems: [] },
    ])
    expect(await waiting()).toEqual(before)
    await tenants.must(post(asker, `/api/kit/tasks/${task.id}/apply`))
    await due()
    const done = await tenants.must(get(asker, `/api/kit/tasks/${task.id}`))
    expect(done).toMatchObject({ state: 'done', result: { written: 1, held: 1, failed: 0 } })
    expect((await lines()).map((one: { state: string }) => one.state).sort()).toEqual(['held', 'saved'])
    expect([await priceOf(far!.id), await priceOf(near!.id)]).toEqual(['9.00', '8.50'])
    const held = (await waiting()).filter((one) => !before.includes(one))
    expect(held).toHaveLength(1)
    await tenants.must(decide(boss, held[0]!, 'ok'))
    await due()
    expect(await priceOf(far!.id)).toBe('2.00')
  })

  test('that reaches outside is not begun before it is agreed to, once then, and never again', async () => {
    const { north } = tenants
    const [clientId, act] = ['GW-gate', '/api/shop/door/doorControl']
    const shop = { id: north.shops[0], clientId }
    await tenants.must(post(north.admin, '/api/shop/basicShopInfo/submit', shop))
    const gateway = testGateway(tenants.services, { tenantId: north.tenantId, clientId })
    await gateway.say('online', { online: true, connId: 'c1' })
    const keeper = await tenants.boss(north, north.shops[0]!)
    await ruled({ act, condition: "${args.opt == 'open'}" })
    const commands = () => gateway.down('cmd').filter((one) => one.method === 'door.control')
    const ask = async () =>
      (await post(keeper, act, { clientId, opt: 'open', reason: '送货' })).body.data.held as string
    const held = await ask()
    const [kept] = await tenant((db) =>
      db.query(sql`select call::text as call from flow_change_call where id = ${held}`),
    )
    expect(kept!.call).toMatch(/^"sealed2:/)
    const [task] = await claimable(boss)
    const seen = await tenants.must(get(boss, `${flow}/work/detail`, { processInstanceId: task.processInstanceId }))
    expect(seen.change.args).toEqual(expect.arrayContaining([expect.objectContaining({ text: 'open' })]))
    await tenants.must(decide(boss, held, 'ok'))
    expect(commands()).toEqual([])
    const running = due()
    const { id } = await gateway.told('door.control')
    await gateway.say('ack', { id, ok: true })
    await gateway.say('res', { id, code: 0, data: { lock: 'unlocked', mode: 'normal' } })
    await running
    expect(await changeOf(held)).toMatchObject({ state: 2 })

    // The server process that executed another one died meanwhile.
    const broken = await ask()
    await tenants.must(decide(boss, broken, 'ok'))
    const set = (state: number) =>
      tenant((db) =>
        db.run(sql`update flow_change set state = ${state} where tenant_id = ${db.tenantId} and id = ${broken}`),
      )
    await set(8)
    await due()
    expect(await changeOf(broken)).toMatchObject({ state: 9 })
    expect(commands()).toHaveLength(1)
  })

  test('is not done in a tenant that was shut meanwhile, and says so in both languages', async () => {
    await ruled({ act: `${goods}/submit`, condition: down })
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })
    const { held } = (await post(asker, `${goods}/submit`, { id, salePrice: '5.00' })).body.data
    await tenants.must(decide(boss, held, 'ok'))
    const shut = (until: Date | null) =>
      tenants.services.systemPool.query('update tenant set expire_time = $1 where tenant_id = $2', [
        until,
        tenants.north.tenantId,
      ])
    await shut(new Date(Date.now() + later - 1000))
    await due()
    await shut(null)
    expect(await priceOf(id)).toBe('10.00')
    expect(await changeOf(held)).toMatchObject({ state: 6, outcome: '没有权限执行此操作' })
    const english = await tenants.call(tenants.north.admin, 'GET', `${flow}/change/list`, {
      query: { id_in: held },
      lang: 'en',
    })
    expect(english.data.records[0]).toMatchObject({ outcome: 'You do not have permission to do this' })
  })

  test("shows and keeps a tenant's own fields as it does the others", async () => {
    const { admin, shops } = tenants.north
    const own = { family: 'goodInfo', kind: 'money', labelZh: '押金', labelEn: 'Deposit' }
    const { key } = await tenants.must(post(admin, '/api/blade-system/own-field/submit', own))
    await ruled({ act: `${goods}/submit`, condition: `\${before != null && after.${key} > 50}` })
    const { id } = await tenants.good(tenants.north, shops[0]!)
    expect((await post(asker, `${goods}/submit`, { id, [key]: '20.00' })).status).toBe(200)
    const ask = async (amount: string) => (await post(asker, `${goods}/submit`, { id, [key]: amount })).body.data.held
    const [first, second] = [await ask('60.00'), await ask('70.00')]
    const task = (await claimable(boss)).find((one: { businessId: string }) => one.businessId === first)
    const seen = await tenants.must(get(boss, `${flow}/work/detail`, { processInstanceId: task.processInstanceId }))
    expect(seen.change.rows).toMatchObject([{ was: { [key]: '20.00' }, now: { [key]: '60.00' } }])
    for (const one of [first, second]) {
      await tenants.must(decide(boss, one, 'ok'))
      await due()
    }
    expect((await tenants.must(get(admin, `${goods}/detail`, { id })))[key]).toBe('60.00')
    // The second was requested at a price of 20.00, which has changed.
    expect([(await changeOf(first)).state, (await changeOf(second)).state]).toEqual([2, 5])
  })

  test('of adding goods holds their copies in other shops too, which are there once it is agreed to', async () => {
    const [here, otherShop] = tenants.north.shops as [string, string]
    const { id, upc } = await tenants.good(tenants.north, here)
    await ruled({ act: `${goods}/submit` })
    const copies = async () =>
      (await tenants.must(get(tenants.north.admin, `${goods}/list`, { upc_equal: upc, shopId: otherShop }))).total
    const held = await post(asker, `${goods}/copyTo`, { id, shopIds: otherShop })
    expect([held.status, await copies()]).toEqual([202, 0])
    await tenants.must(decide(boss, held.body.data.held, 'ok'))
    await due()
    expect(await copies()).toBe(1)
  })

  test('as a whole set is held by its number', async () => {
    await ruled({ act: '/api/kit/bulk/:resource', condition: "${args.operation == 'remove' && count > 2}" })
    const made = await Promise.all([1, 2, 3].map(() => tenants.good(tenants.north, tenants.north.shops[0]!)))
    const ids = made.map((one) => one.id)
    const body = { operation: 'remove', ids, expectedCount: 3 }
    const held = await post(asker, '/api/kit/bulk/goodInfo', body)
    expect(held.status).toBe(202)
    await tenants.must(decide(boss, held.body.data.held, 'ok'))
    await due()
    expect(await changeOf(held.body.data.held)).toMatchObject({ state: 2 })
    expect((await get(tenants.north.admin, `${goods}/detail`, { id: ids[0] })).status).toBe(404)
  })

  test('is not agreed to by who asked, and asked of nobody it is refused', async () => {
    await ruled({ act: `${goods}/submit`, condition: '${before != null}', userIds: asker.userId })
    const { id } = await tenants.good(tenants.north, tenants.north.shops[0]!)
    expect((await post(asker, `${goods}/submit`, { id, salePrice: '1.00' })).body.data.reason).toBe('flow_no_decider')
  })

  test('never concerns another tenant: neither its acts nor its people', async () => {
    await ruled({ act: `${goods}/submit` })
    const { id } = await tenants.good(tenants.south, tenants.south.shops[0]!)
    expect((await post(tenants.south.admin, `${goods}/submit`, { id, salePrice: '1.00' })).status).toBe(200)
    expect((await tenants.must(get(tenants.south.admin, `${flow}/change/list`))).total).toBe(0)
    expect((await tenants.must(get(tenants.south.admin, `${flow}/rule/list`))).total).toBe(0)
  })

  test('a rule that cannot be read, names no act or nobody is refused by its field', async () => {
    const fields = async (draft: object) =>
      Object.keys(
        (
          await post(tenants.north.admin, `${flow}/rule/submit`, {
            name: 'x',
            act: `${goods}/submit`,
            userIds: boss.userId,
            ...draft,
          })
        ).data.fields,
      )
    expect(await fields({ act: '/api/nowhere' })).toEqual(['act'])
    expect(await fields({ act: `${flow}/work/complete-task` })).toEqual(['act'])
    const name = { userIds: boss.userId, name: 'x' }
    for (const [act, called] of [
      ['/api/blade-system/user/export-user', '导出用户'],
      ['/api/blade-system/region/export-region', '导出'],
      [`${goods}/list`, '列表'],
    ] as const) {
      const { data, body } = await post(tenants.north.admin, `${flow}/rule/submit`, { ...name, act })
      expect([data.reason, data.fields.act]).toEqual(['flow_rule_only_reads', expect.stringContaining(called)])
      expect(body.msg).toContain('只查询或导出数据')
    }
    expect(await fields({ condition: '${before.x(' })).toEqual(['condition'])
    expect(await fields({ condition: 'always' })).toEqual(['condition'])
    // An unknown name would hold every call, or none.
    expect(await fields({ condition: '${after.onsale == false}' })).toEqual(['condition'])
    expect(await fields({ condition: '${price > 1}' })).toEqual(['condition'])
    expect(await fields({ userIds: '' })).toEqual(['userIds'])
  })
})

test('what is done is what was agreed to, for a hundred random changes; what moved since is not done', async () => {
  await ruled({ act: `${goods}/submit`, condition: '${before != null && args.remark != null}' })
  const made = await Promise.all(
    [1, 2, 3, 4].map(() => tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '10.00' })),
  )
  const cents = fc.integer({ min: 1, max: 99_999 }).map((n) => (n / 100).toFixed(2))
  const change = fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }).map((s) => `货${s.trim()}`),
      salePrice: cents,
      costPrice: cents,
    },
    { requiredKeys: ['salePrice'] },
  )
  const acts = fc.sample(
    fc.record({ at: fc.nat(3), draft: change, moves: fc.integer({ min: 0, max: 3 }).map((n) => n === 0) }),
    100,
  )
  const wholeOf = async (id: string) => await tenants.must(get(tenants.north.admin, `${goods}/detail`, { id }))
  for (const { at, draft, moves } of acts) {
    const { id } = made[at]!
    const was = await wholeOf(id)
    const answer = await post(asker, `${goods}/submit`, { id, ...draft, remark: 'x' })
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    const { held } = answer.body.data
    const kept = await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.one<{ effects: { rows: { after: Record<string, unknown> }[] } }>(
        sql`select effects from flow_change_call where tenant_id = ${db.tenantId} and id = ${held}`,
      ),
    )
    if (moves) await tenants.must(post(tenants.north.admin, `${goods}/submit`, { id, name: `移${held.slice(-6)}` }))
    await tenants.must(decide(boss, held, 'ok'))
    await due()
    const now = await wholeOf(id)
    const { state } = await changeOf(held)
    const { salePrice, name } = kept!.effects.rows[0]!.after
    expect({ state, ...now }).toMatchObject(
      moves
        ? { state: 5, salePrice: was.salePrice, costPrice: was.costPrice }
        : { state: 2, salePrice: (Number(salePrice) / 100).toFixed(2), name },
    )
  }
}, 120_000)
