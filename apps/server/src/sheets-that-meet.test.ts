import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { runImportJob } from '#kit/server/sheets/import.ts'
import { writeSingleSheetWorkbook, type SheetCell } from '#kit/server/sheets/write-sheet.ts'
import { figuresOf } from '#tests/support/figures.ts'
import { untilLocksWait } from '#tests/support/lock-waits.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let wu: CastMember
let li: CastMember
let shopId: string
let made = 0
const [GOODS, BATCHES, USERS] = ['/api/shop/goodInfo', '/api/shop/storageBatch', '/api/blade-user']
const HEAD = ['商品名称', '门店', '条码', '售价']

beforeAll(async () => {
  tenants = await createTestTenants()
  wu = tenants.north.admin
  li = await tenants.person(tenants.north, 'keeper')
  shopId = tenants.north.shops[0]!
})
afterAll(() => tenants?.close())

const inTenant = <R extends object>(statement: ReturnType<typeof sql>) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) => db.query<R>(statement))
const allHold = async () =>
  expect(await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) => figuresOf(db))).toEqual([])
const sheetOf = (rows: SheetCell[][], head = HEAD) => writeSingleSheetWorkbook('x', head, rows)
const taskOf = (person: CastMember, id: string) => tenants.must(tenants.call(person, 'GET', `/api/kit/tasks/${id}`))
const apply = (person: CastMember, id: string) => tenants.call(person, 'POST', `/api/kit/tasks/${id}/apply`)
const reasonOf = ({ data }: Pick<Answer, 'data'>) => data?.reason ?? 'done'

async function uploadSheet(person: CastMember, url: string, bytes: Buffer): Promise<{ code: number; data: any }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), '表.xlsx')
  const request = new Request('http://x', { method: 'POST', body: form })
  const response = await tenants.server.http.inject({
    method: 'POST',
    url,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'blade-auth': `bearer ${person.token}`, 'content-type': request.headers.get('content-type')! },
  })
  return JSON.parse(response.body)
}

/** Runs all tasks at once, each as if on its own server. */
const workOn = (ids: readonly string[]) =>
  Promise.all(
    ids.map((taskId) => {
      const context = { tenantId: tenants.north.tenantId, signal: AbortSignal.timeout(60_000), jobId: taskId }
      return runImportJob.run({ taskId }, { services: tenants.services, attempt: 1, ...context })
    }),
  )

describe('sheets that meet', () => {
  it('of the same goods, in whatever order of lines, are compared as if alone, and add each of them once', async () => {
    const prefix = `MEET${++made}N`
    const rows = Array.from({ length: 12 }, (_none, n): SheetCell[] => [`同${n}`, '北街1号店', `${prefix}${n}`, 5])
    const sheets = await Promise.all([rows, rows.toReversed()].map((lines) => sheetOf(lines)))
    const people = [wu, li]
    const sent = await Promise.all(people.map((one, at) => uploadSheet(one, `${GOODS}/import`, sheets[at]!)))
    const ids = sent.map(({ data }) => data.id as string)
    const results = () => Promise.all(people.map(async (one, at) => (await taskOf(one, ids[at]!)).result))
    await workOn(ids)
    for (const result of await results()) expect(result).toMatchObject({ new: 12, wrong: 0 })
    for (const [at, one] of people.entries()) await tenants.must(apply(one, ids[at]!))
    await workOn(ids)
    const [mine, theirs] = await results()
    expect([mine.written + theirs.written, mine.failed + theirs.failed]).toEqual([12, 12])
    const problems = await inTenant(
      sql`select distinct problems #>> '{0,problem,code}' as code from background_task_row where state = 'failed'
        and task_id = any(${ids}::bigint[])`,
    )
    expect(problems).toEqual([{ code: 'taken' }])
    const count = sql`select count(*)::int as n from good_info where upc like ${`${prefix}%`}`
    expect(await inTenant(count)).toEqual([{ n: 12 }])
    await allHold()
  })

  it('and are one sheet of what arrived are written once: who comes second is told to compare it again', async () => {
    const { id: goodId } = await tenants.good(tenants.north, shopId)
    const bytes = await sheetOf([['北街1号店', goodId, 10]], ['门店', '商品', '入库数量'])
    const taps = await Promise.all([wu, wu, li].map((one) => uploadSheet(one, `${BATCHES}/import`, bytes)))
    const [first, again, other] = taps.map(({ data }) => data.id as string) as [string, string, string]
    // The same upload by the same person while the first is being checked returns the first task.
    expect(again).toBe(first)
    await workOn([first, other])
    const answers = await Promise.all([apply(wu, first), apply(wu, first), apply(li, other)])
    await workOn([first, other])
    expect(answers.map(reasonOf).filter((reason) => reason === 'done')).toHaveLength(1)
    for (const one of answers.map(reasonOf)) expect(['done', 'task_not_now', 'sheet_written_meanwhile']).toContain(one)
    expect(await tenants.stock(tenants.north, goodId)).toBe(10)
    // Another comparison now sees the present rows.
    const { data } = await uploadSheet(li, `${BATCHES}/import`, bytes)
    await workOn([data.id])
    await tenants.must(apply(li, data.id))
    await workOn([data.id])
    expect(await tenants.stock(tenants.north, goodId)).toBe(20)
    await allHold()
  })

  it('with a sale of the same goods wait for each other in one order, whatever the order of lines', async () => {
    const goods = [await tenants.good(tenants.north, shopId), await tenants.good(tenants.north, shopId)]
    const register = await tenants.register(tenants.north, shopId)
    const lines = goods.toReversed().map(({ upc }): SheetCell[] => ['改名', '北街1号店', upc, 6])
    const { data } = await uploadSheet(wu, `${GOODS}/import`, await sheetOf(lines))
    await workOn([data.id])
    await tenants.must(apply(wu, data.id))
    const { hooks } = tenants.services.registry.served.get('goodInfo')!
    const { afterSave } = hooks
    const [one] = saleBodyOf(goods[0]!.upc).lines
    const both = goods.map(({ upc }) => ({ ...one!, upc }))
    let sale: Promise<Answer> | undefined
    hooks.afterSave = async (row, was, call) => {
      await afterSave?.(row, was, call)
      if (sale) return
      sale = tenants.beep(register, 'POST', 'sale', { body: saleBodyOf('', { lines: both, payAmount: '10.00' }) })
      await untilLocksWait(tenants.services)
    }
    await workOn([data.id]).finally(() => void (hooks.afterSave = afterSave))
    expect((await sale!).status).toBe(200)
    expect((await taskOf(wu, data.id)).result).toMatchObject({ written: 2, failed: 0 })
    await allHold()
  })

  it('of users are taken whole or not at all', async () => {
    made++
    const sheet = await sheetOf(
      [1, 2, 3].map((n): SheetCell[] => [`meet${made}n${n}`, `同${n}`, `同${n}`]),
      ['账户', '昵称', '姓名'],
    )
    const sent = await Promise.all([1, 2, 3].map(() => uploadSheet(wu, `${USERS}/import-user`, sheet)))
    expect(new Set(sent.map(reasonOf))).toEqual(new Set(['done', 'users_not_imported']))
    expect(sent.filter(({ code }) => code === 200)).toHaveLength(1)
    const count = sql`select count(*)::int as n from sys_user where account like ${`meet${made}n%`}`
    expect(await inTenant(count)).toEqual([{ n: 3 }])
  })
})
