import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { readSheet, sheetRows } from '#kit/server/sheets/read-sheet.ts'
import { writeSingleSheetWorkbook, type SheetCell } from '#kit/server/sheets/write-sheet.ts'
import { streamZip, readZipEntries, createZipOutputEntry, unpackZipEntry } from '#kit/server/sheets/zip.ts'
import type { CastMember } from '#tests/support/server.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let wu: CastMember
const tenantId = '100001'
const GOODS = '/api/shop/goodInfo'

beforeAll(async () => {
  tenants = await createTestTenants()
  wu = tenants.north.admin
})
afterAll(() => tenants.close())

const request = (
  person: CastMember,
  method: 'GET' | 'POST',
  path: string,
  more: Parameters<TestTenants['call']>[3] = {},
) => tenants.call(person, method, path, more)
const inTenant = <R extends object>(statement: ReturnType<typeof sql>) =>
  tenants.services.unit({ tenantId }, (db) => db.query<R>(statement))
const work = () => tenants.server.jobs.runDue()
const task = async (person: CastMember, id: string, lang: 'zh' | 'en' = 'zh') =>
  (await request(person, 'GET', `/api/kit/tasks/${id}`, { lang })).data

async function fetched(ticket: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await tenants.server.http.inject({ method: 'GET', url: `/api/kit/download/${ticket}` })
  return { status: response.statusCode, bytes: response.rawPayload }
}

const downloadTaskFile = async (person: CastMember, id: string, what = 'ticket'): Promise<Buffer> =>
  (await fetched((await tenants.must(request(person, 'POST', `/api/kit/tasks/${id}/${what}`))).ticket)).bytes

async function exported(
  person: CastMember,
  path: string,
  query: Record<string, string> = {},
  columns = '',
  lang: 'zh' | 'en' = 'zh',
): Promise<Buffer> {
  const { id } = await tenants.must(request(person, 'POST', `${path}/export`, { query, body: { columns }, lang }))
  await work()
  expect(await task(person, id)).toMatchObject({ state: 'done', problem: '' })
  return downloadTaskFile(person, id)
}

async function imported(person: CastMember, path: string, bytes: Buffer, lang: 'zh' | 'en' = 'zh'): Promise<any> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), '商品.xlsx')
  const request = new Request('http://x', { method: 'POST', body: form })
  const response = await tenants.server.http.inject({
    method: 'POST',
    url: `${path}/import`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      'blade-auth': `bearer ${person.token}`,
      'content-type': request.headers.get('content-type')!,
      'accept-language': lang,
    },
  })
  const answer = JSON.parse(response.body)
  if (answer.code !== 200) return answer
  await work()
  return task(person, answer.data.id)
}

const lines = async (person: CastMember, id: string, state?: string, lang: 'zh' | 'en' = 'zh') =>
  (await tenants.must(request(person, 'GET', `/api/kit/tasks/${id}/rows`, { query: { size: 200, state }, lang })))
    .records as any[]
const apply = async (person: CastMember, id: string) => {
  await tenants.must(request(person, 'POST', `/api/kit/tasks/${id}/apply`))
  await work()
  return task(person, id)
}

/** Returns all cells of a workbook's first sheet. */
async function cellsOf(bytes: Buffer): Promise<SheetCell[][]> {
  const out: SheetCell[][] = []
  for await (const rows of sheetRows(bytes, 1e9)) out.push(...rows.map((row) => row.cells))
  return out
}

/** Returns the workbook with some cells changed. */
async function edited(bytes: Buffer, change: (rows: SheetCell[][]) => void): Promise<Buffer> {
  const [head, ...rows] = await cellsOf(bytes)
  change(rows)
  return writeSingleSheetWorkbook('x', head!.map(String), rows)
}

describe('the export of a list', () => {
  it('holds what the list shows: its filters, its order, its columns, its words, in the asker’s language', async () => {
    const shop = tenants.north.shops[0]!
    for (const [name, salePrice] of [
      ['=1+1', '3.50'],
      ['薯片 <大> & "脆"', '12.00'],
      ['矿泉水', '2.00'],
    ])
      await tenants.good(tenants.north, shop, { name, salePrice, brand: '导出' })
    await tenants.good(tenants.north, shop, { name: '别的', brand: '其他' })
    const bytes = await exported(wu, GOODS, { brand: '导出', ascs: 'salePrice' }, 'name,salePrice,onSale,shopId')
    const [head, ...rows] = await cellsOf(bytes)
    expect(head).toEqual(['商品名称', '售价', '上架', '门店', '编号'])
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['矿泉水', 2, '是', '北街1号店'],
      ['=1+1', 3.5, '是', '北街1号店'],
      ['薯片 <大> & "脆"', 12, '是', '北街1号店'],
    ])
    const english = await cellsOf(await exported(wu, GOODS, { brand: '导出' }, 'name,onSale', 'en'))
    expect(english[0]).toEqual(['Product name', 'Listed', 'ID'])
    expect(english[1]![1]).toBe('Yes')
  })

  it('names its reader in its properties, at its foot and on a sheet of its own, which is no row', async () => {
    const { default: excel } = await import('exceljs')
    const workbook = new excel.Workbook()
    const bytes = await exported(wu, GOODS, { brand: '导出' }, 'name,salePrice')
    await workbook.xlsx.load(bytes as never)
    expect(workbook.creator).toContain('admin')
    const last = workbook.worksheets.at(-1)!
    for (const words of [workbook.worksheets[0]!.headerFooter.oddFooter, String(last.getCell('A2').value)])
      expect(words).toMatch(/由 .+（admin）于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 导出，编号 \d+/)
    expect(last.name).toBe('导出说明')
    expect(await cellsOf(bytes)).toHaveLength(4)
  })

  it('that is passed on leads to who took it, by its number to the task and by the log to the person', async () => {
    const { default: excel } = await import('exceljs')
    const clerk = await tenants.person(tenants.north, 'leaker')
    for (const [person, lang] of [
      [clerk, 'en'],
      [wu, 'zh'],
    ] as const) {
      const workbook = new excel.Workbook()
      await workbook.xlsx.load((await exported(person, GOODS, { brand: '导出' }, 'name', lang)) as never)
      // Each of these three marks alone is enough to recognise the file.
      const marks = [
        workbook.description,
        workbook.worksheets[0]!.headerFooter.oddFooter!,
        String(workbook.worksheets.at(-1)!.getCell('A2').value),
      ]
      expect(workbook.creator).toContain(person.account)
      for (const mark of marks) {
        expect(mark).toContain(person.account)
        const [number] = /\d{10,}/.exec(mark)!
        const [taken] = await inTenant<{ userId: string }>(sql`select user_id::text from background_task
          where tenant_id = ${tenantId} and id = ${number}`)
        expect(taken).toEqual({ userId: person.userId })
      }
      const [line] = await inTenant<{ account: string }>(sql`select create_by as account from log_api
        where tenant_id = ${tenantId} and request_uri like ${`%${GOODS}/export`} order by id desc limit 1`)
      expect(line).toEqual({ account: person.account })
    }
  })

  it('opens in another reader, with amounts as numbers, days as days, and no formula', async () => {
    const { default: excel } = await import('exceljs')
    const workbook = new excel.Workbook()
    await workbook.xlsx.load(
      (await exported(wu, GOODS, { brand: '导出', ascs: 'salePrice' }, 'name,salePrice,createTime')) as never,
    )
    const sheet = workbook.worksheets[0]!
    expect(sheet.name).toBe('商品')
    expect([
      sheet.getCell('A3').value,
      sheet.getCell('A3').formula,
      sheet.getCell('B3').value,
      sheet.getCell('B3').numFmt,
    ]).toEqual(['=1+1', undefined, 3.5, '#,##0.00'])
    const [row] = await inTenant<{ at: string }>(
      sql`select to_char(create_time, 'YYYY-MM-DD HH24:MI:SS') as at from good_info where name = '=1+1'`,
    )
    expect((sheet.getCell('C3').value as Date).toISOString().slice(0, 19).replace('T', ' ')).toBe(row!.at)
    expect(sheet.getColumn(4).hidden).toBe(true)
  })

  it(
    'is fetched by a ticket worth one use, by nobody else, and a second ask ' + 'while it waits is the same task',
    async () => {
      const first = await tenants.must(request(wu, 'POST', `${GOODS}/export`, { query: { brand: '导出' } }))
      expect((await tenants.must(request(wu, 'POST', `${GOODS}/export`, { query: { brand: '导出' } }))).id).toBe(
        first.id,
      )
      expect((await request(wu, 'POST', `/api/kit/tasks/${first.id}/ticket`)).data.reason).toBe('task_not_now')
      await work()
      const other = await tenants.person(tenants.north, 'clerk')
      expect((await request(other, 'POST', `/api/kit/tasks/${first.id}/ticket`)).data.reason).toBe('task_gone')
      expect((await request(tenants.south.admin, 'GET', `/api/kit/tasks/${first.id}`)).data.reason).toBe('task_gone')
      const { ticket } = await tenants.must(request(wu, 'POST', `/api/kit/tasks/${first.id}/ticket`))
      expect((await fetched(ticket)).status).toBe(200)
      expect((await fetched(ticket)).status).toBe(404)
    },
  )

  it('is lost with the role that allowed it, before it runs and before it is fetched', async () => {
    const clerk = await tenants.person(tenants.north, 'clerk')
    const { id } = await tenants.must(request(clerk, 'POST', `${GOODS}/export`))
    await inTenant(
      sql`delete from role_menu where tenant_id = ${tenantId} and menu_id = (select id from menu
        where code = 'goodInfo_export') and role_id = any((select role_id from sys_user
        where id = ${clerk.userId})::bigint[])`,
    )
    await work()
    expect(await task(clerk, id)).toMatchObject({ state: 'failed', problem: '没有权限执行此操作', again: false })
    const boss = await tenants.person(tenants.north, 'manager')
    const done = await tenants.must(request(boss, 'POST', `${GOODS}/export`))
    await work()
    const { ticket } = await tenants.must(request(boss, 'POST', `/api/kit/tasks/${done.id}/ticket`))
    await tenants.services.unit({ tenantId }, (db) =>
      db.run(
        sql`delete from role_menu where tenant_id = ${tenantId} and role_id = any((select role_id from sys_user
          where id = ${boss.userId})::bigint[])`,
      ),
    )
    const { publishPermissionsChanged: permissionsChanged } = await import('#kit/server/request/authenticate.ts')
    await tenants.services.unit({ tenantId }, async (db) => permissionsChanged(tenants.services, db, {}))
    expect((await request(boss, 'POST', `/api/kit/tasks/${done.id}/ticket`)).status).toBe(403)
    // A ticket is only valid while its owner still has the permission.
    expect((await fetched(ticket)).status).toBe(403)
  })

  it('of a limited asker holds the rows of the limit alone', async () => {
    const [mine, other] = tenants.north.shops as [string, string]
    await tenants.good(tenants.north, other, { name: '二号店的货', brand: '导出' })
    const boss = await tenants.boss(tenants.north, mine)
    const names = (await cellsOf(await exported(boss, GOODS, { brand: '导出' }, 'name'))).flat()
    expect(names).toContain('矿泉水')
    expect(names).not.toContain('二号店的货')
  })

  it('is not handed out any more to whom a shop of it was taken away', async () => {
    const [mine, other] = tenants.north.shops as [string, string]
    const boss = await tenants.boss(tenants.north, mine)
    const staff = (id: string, userIds: string[]) =>
      tenants.must(
        request(wu, 'POST', '/api/shop/basicShopInfo/staff', {
          body: { id, staff: userIds.map((userId) => ({ userId, position: 'boss' })) },
        }),
      )
    await staff(other, [boss.userId])
    const { id } = await tenants.must(request(boss, 'POST', `${GOODS}/export`))
    await work()
    const { ticket } = await tenants.must(request(boss, 'POST', `/api/kit/tasks/${id}/ticket`))
    await staff(mine, [])
    expect((await fetched(ticket)).status).toBe(400)
    expect((await request(boss, 'POST', `/api/kit/tasks/${id}/ticket`)).data.reason).toBe('task_reach')
    await staff(mine, [boss.userId])
    expect((await request(boss, 'POST', `/api/kit/tasks/${id}/ticket`)).status).toBe(200)
  })

  it('of an empty list has its headings', async () => {
    expect(await cellsOf(await exported(wu, GOODS, { name_equal: '没有这个' }, 'name'))).toEqual([['商品名称', '编号']])
  })

  it('refuses a filter that cannot be understood when it is asked for', async () => {
    expect((await request(wu, 'POST', `${GOODS}/export`, { query: { salePrice: 'abc' } })).msg).toBe(
      '“售价”的筛选条件不正确',
    )
  })
})

describe('fifty thousand rows', () => {
  const COLUMNS = 'name,upc,shopId,salePrice,vipPrice,onSale,remark,stock'
  let sheet: Buffer

  beforeAll(async () => {
    const [shop] = tenants.north.shops
    await inTenant(sql`insert into good_info (id, tenant_id, shop_id, name, upc, brand, sale_price, on_sale, remark,
      create_time)
      select 7000000 + n, ${tenantId}, ${shop!}, '商品' || n, 'M' || n, case when n > 50000 then '两千' else '五万'
      end, 100 + n, n % 3 > 0, case when n % 7 = 0 then '第' || n || '件 ' end, now() - make_interval(secs => n)
      from generate_series(1, 52000) n`)
    sheet = await exported(wu, GOODS, { brand: '五万' }, COLUMNS)
  }, 120_000)

  it('exported and imported again change nothing', async () => {
    const again = await exported(wu, GOODS, { brand: '两千' }, COLUMNS)
    expect(await imported(wu, GOODS, again)).toMatchObject({
      state: 'checked',
      done: 2000,
      result: { new: 0, changed: 0, wrong: 0, same: 2000, ignored: ['库存'] },
    })
  }, 60_000)

  it(
    'of which 37 cells changed since differ in these 37 cells, old and new, and ' +
      'applied are put back in nothing else',
    async () => {
      const asSheet = sql`select count(*)::int as n from good_info where brand = '五万'
        and sale_price = 100 + id - 7000000`
      await inTenant(
        sql`update good_info set sale_price = sale_price + 50, version = 1 where brand = '五万' and id % 1300 = 400
        and id < 7048000`,
      )
      expect(await inTenant(asSheet)).toEqual([{ n: 49_963 }])
      const { id, ...outcome } = await imported(wu, GOODS, sheet)
      expect(outcome).toMatchObject({
        state: 'checked',
        done: 50_000,
        result: { new: 0, changed: 37, cells: 37, wrong: 0, same: 49_963 },
      })
      const found = await lines(wu, id)
      expect(found).toHaveLength(37)
      for (const { state, changes, rowId } of found) {
        const n = Number(rowId) - 7_000_000
        expect([state, changes]).toEqual([
          'changed',
          [{ key: 'salePrice', label: '售价', old: ((150 + n) / 100).toFixed(2), new: ((100 + n) / 100).toFixed(2) }],
        ])
      }
      expect(await inTenant(asSheet)).toEqual([{ n: 49_963 }])
      expect(await apply(wu, id)).toMatchObject({ state: 'done', result: { written: 37, failed: 0 } })
      expect(await inTenant(asSheet)).toEqual([{ n: 50_000 }])
      expect(
        await inTenant(
          sql`select version, count(*)::int as n from good_info where brand = '五万' group by 1 order by 1`,
        ),
      ).toEqual([
        { version: 0, n: 49_963 },
        { version: 2, n: 37 },
      ])
    },
    120_000,
  )
})

describe('the import of a sheet', () => {
  const HEAD = ['商品名称 *', '门店 *', '条码 *', '售价 *', '上架', '分类', '库存', '随便']
  const sheetOf = (rows: SheetCell[][], head = HEAD) => writeSingleSheetWorkbook('x', head, rows)
  const count = async () =>
    (await inTenant<{ n: number }>(sql`select count(*)::int as n from good_info where is_deleted = 0`))[0]!.n

  it(
    'tells line by line what it would do, in the reader’s language, and ' + 'writes nothing before it is told to',
    async () => {
      await tenants.good(tenants.north, tenants.north.shops[0]!, { upc: 'IMP1', name: '旧名', salePrice: '1.00' })
      const before = await count()
      const { id, ...outcome } = await imported(
        wu,
        GOODS,
        await sheetOf([
          ['新名', '北街1号店', 'IMP1', 1, '', '', 99],
          ['新货', '北街2号店', 'IMP2', 2.5, '否'],
          ['新货', '没有的店', 'IMP3', -1, '也许'],
          ['', '北街1号店', 'IMP4', 4],
          ['重复', '北街2号店', 'IMP2', 2.5],
          ['坏码', '北街1号店', '6901028075832', 4],
        ]),
      )
      expect(outcome).toMatchObject({
        state: 'checked',
        name: '商品.xlsx',
        result: { new: 1, changed: 1, same: 0, wrong: 4, ignored: ['库存', '随便'] },
      })
      const found = await lines(wu, id)
      const at = (line: number) => found.find((one) => one.line === line)
      expect(at(2)).toMatchObject({
        state: 'changed',
        changes: [
          { key: 'name', old: '旧名', new: '新名' },
          { key: 'onSale', old: '是', new: '' },
        ],
      })
      expect(at(3)).toMatchObject({ state: 'new', title: '新货' })
      expect(at(4).problems.map((one: any) => one.sentence)).toEqual([
        '门店不存在',
        '售价不能小于0.00',
        '上架应为是或否',
      ])
      expect(at(5).problems).toEqual([{ key: 'name', sentence: '请输入商品名称' }])
      expect(at(6).problems).toEqual([{ key: 'upc', sentence: '条码与第 3 行重复' }])
      expect(at(7).problems).toEqual([{ key: 'upc', sentence: '条码的校验位不对，末位应为1，请核对有没有输错' }])
      expect((await lines(wu, id, 'wrong', 'en'))[0].problems[0].sentence).toBe('Store does not exist')
      expect(await count()).toBe(before)

      expect(await apply(wu, id)).toMatchObject({ state: 'done', result: { written: 2, failed: 0 } })
      expect(await count()).toBe(before + 1)
      expect(
        await inTenant(sql`select name, sale_price::int as price, on_sale, stock from good_info where upc = 'IMP2'`),
      ).toEqual([{ name: '新货', price: 250, onSale: false, stock: 0 }])
      expect(await inTenant(sql`select stock from good_info where upc = 'IMP1'`)).toEqual([{ stock: 0 }])
      expect((await request(wu, 'POST', `/api/kit/tasks/${id}/apply`)).data.reason).toBe('task_not_now')

      const errors = await readSheet(await downloadTaskFile(wu, id, 'errors'), ['商品名称 *', '错误'])
      expect(errors.map(({ cells }) => [cells['条码 *'], cells['错误']])).toEqual([
        ['IMP3', '门店不存在; 售价不能小于0.00; 上架应为是或否'],
        ['IMP4', '请输入商品名称'],
        ['IMP2', '条码与第 3 行重复'],
        ['6901028075832', '条码的校验位不对，末位应为1，请核对有没有输错'],
      ])
    },
  )

  it('tells its lines no more to whom the shop of them was taken away', async () => {
    const [mine, other] = tenants.north.shops as [string, string]
    const boss = await tenants.boss(tenants.north, mine)
    await tenants.good(tenants.north, mine, { upc: 'IMPTOLD', name: '别人的旧名' })
    const staff = (id: string, userIds: string[]) =>
      tenants.must(
        request(wu, 'POST', '/api/shop/basicShopInfo/staff', {
          body: { id, staff: userIds.map((userId) => ({ userId, position: 'boss' })) },
        }),
      )
    const { id } = await imported(boss, GOODS, await sheetOf([['新名', '北街1号店', 'IMPTOLD', 1]]))
    expect(JSON.stringify(await lines(boss, id))).toContain('别人的旧名')
    await staff(other, [boss.userId])
    await staff(mine, [])
    expect((await request(boss, 'GET', `/api/kit/tasks/${id}/rows`)).data.reason).toBe('task_reach')
    expect((await request(boss, 'POST', `/api/kit/tasks/${id}/errors`)).data.reason).toBe('task_reach')
    await staff(mine, [boss.userId])
    expect(await lines(boss, id)).toHaveLength(1)
  })

  it('of the errors, corrected, is taken without a word about the column of errors', async () => {
    const wrong = await imported(wu, GOODS, await sheetOf([['再来', '北街1号店', 'FIX1', 'x']]))
    const errors = await downloadTaskFile(wu, wrong.id, 'errors')
    const { id, ...outcome } = await imported(
      wu,
      GOODS,
      await edited(errors, (rows) => {
        rows[0]![3] = 7
      }),
    )
    expect(outcome.result).toMatchObject({ new: 1, wrong: 0, ignored: ['库存', '随便'] })
    expect((await apply(wu, id)).result).toMatchObject({ written: 1 })
  })

  it('finds nothing written over that somebody else changed after it was compared', async () => {
    const { id: row } = await tenants.good(tenants.north, tenants.north.shops[0]!, { upc: 'RACE1', name: '原名' })
    const { id } = await imported(wu, GOODS, await sheetOf([['表里的名', '北街1号店', 'RACE1', 5]], HEAD.slice(0, 4)))
    await tenants.must(request(wu, 'POST', `${GOODS}/submit`, { body: { id: row, name: '别人的名' } }))
    expect((await apply(wu, id)).result).toMatchObject({ written: 0, failed: 1 })
    expect((await lines(wu, id, 'failed'))[0].problems[0].sentence).toBe('数据已被他人修改，请核对后再保存')
    expect(await inTenant(sql`select name from good_info where id = ${row}`)).toEqual([{ name: '别人的名' }])
  })

  it(
    'is bound by the rights of who asks: who may not edit changes nothing, who is ' +
      'limited to one shop finds no other',
    async () => {
      const [mine, other] = tenants.north.shops as [string, string]
      await tenants.good(tenants.north, mine, { upc: 'RIGHT1', name: '我的' })
      await tenants.good(tenants.north, other, { upc: 'RIGHT2', name: '别家的' })
      const adder = await tenants.person(tenants.north, 'adder', [
        'goods',
        'goodInfo',
        'goodInfo_add',
        'goodInfo_import',
      ])
      const checked = await imported(
        adder,
        GOODS,
        await sheetOf([['改名', '北街1号店', 'RIGHT1', 5]], HEAD.slice(0, 4)),
      )
      expect((await lines(adder, checked.id))[0].problems[0].sentence).toBe('没有权限执行此操作')
      const boss = await tenants.boss(tenants.north, mine)
      const limited = await imported(
        boss,
        GOODS,
        await sheetOf(
          [
            ['改名', '北街1号店', 'RIGHT1', 5],
            ['偷改', '北街2号店', 'RIGHT2', 5],
          ],
          HEAD.slice(0, 4),
        ),
      )

      expect((await lines(boss, limited.id)).map(({ state, problems }) => [state, problems[0]?.sentence])).toEqual([
        ['wrong', '门店不存在'],
        ['changed', undefined],
      ])

      // Customers who were never in their shop cannot be referred to, by phone or id.
      const [hidden] = await inTenant<{ id: string }>(
        sql`insert into wx_user (id, tenant_id, nickname, phone) values (${newId()}, ${tenantId}, '外店顾客', '13955550001')
        returning id::text`,
      )
      const keeper = await tenants.person(tenants.north, 'boss', ['blackList', 'blackList_add', 'blackList_import'])
      await tenants.must(
        request(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', {
          body: {
            id: mine,
            staff: [
              { userId: boss.userId, position: 'boss' },
              { userId: keeper.userId, position: 'boss' },
            ],
          },
        }),
      )

      const barred = await imported(
        keeper,
        '/api/shop/blackList',
        await sheetOf(
          [
            ['13955550001', '北街1号店', '闹事'],
            [hidden!.id, '北街1号店', '闹事'],
          ],
          ['顾客', '门店', '原因'],
        ),
      )

      expect((await lines(keeper, barred.id)).map(({ state, problems }) => [state, problems[0]?.sentence])).toEqual([
        ['wrong', '顾客不存在'],
        ['wrong', '顾客不存在'],
      ])
      const reader = await tenants.person(tenants.north, 'reader', ['goods', 'goodInfo'])
      expect((await imported(reader, GOODS, await sheetOf([]))).code).toBe(403)
    },
  )

  it('does not find out whose a masked number is: a few may be wrong, and none names who is hidden', async () => {
    const [shop] = tenants.north.shops as [string]
    const number = (n: number) => `1376600${String(n).padStart(4, '0')}`
    await inTenant(sql`insert into wx_user (id, tenant_id, nickname, phone) values (${newId()}, ${tenantId}, '打码顾客',
      ${number(9999)})`)
    const BARRED = '/api/shop/blackList'
    const heads = ['顾客', '门店', '原因']
    const codes = ['blackList', 'blackList_add', 'blackList_import', 'wxUser']
    const keeper = await tenants.person(tenants.north, 'keeper', codes)

    const barred = async (who: CastMember, customers: readonly string[]) =>
      imported(
        who,
        BARRED,
        await sheetOf(
          customers.map((one) => [one, '北街1号店', '闹事']),
          heads,
        ),
      )

    const unknownCustomers = async (who: CastMember, customers: readonly string[]) => {
      const { id } = await barred(who, customers)
      const isUnknown = ({ sentence }: { sentence: string }) => sentence === '顾客不存在'
      return (await lines(who, id)).map(({ problems }) => problems.some(isUnknown))
    }

    // Somebody known can be referred to; a wrong number is reported.
    expect(await unknownCustomers(keeper, [number(9999), '打码顾客', number(0)])).toEqual([false, false, true])
    const all = Array.from({ length: 400 }, (_none, n) => number(n))
    const tried = await barred(keeper, [...all, number(9999)])
    expect(tried).toMatchObject({ state: 'failed', problem: expect.stringContaining('频繁') })
    expect((await tenants.must(request(keeper, 'GET', `/api/kit/tasks/${tried.id}/rows`))).records).toEqual([])

    // Nor can the number be found out through a visit's import.
    const [visit] = await inTenant<{
      id: string
    }>(sql`insert into customer_visit_log (id, tenant_id, shop_id, wx_user_id,
      enter_time) select ${newId()}, ${tenantId}, ${shop}, id, now() from wx_user where phone = ${number(9999)}
      returning id::text`)
    const body = { visitId: visit!.id, shopId: shop, reason: '闹事', endTime: '2030-01-01 00:00:00' }
    const guessed = (who: CastMember, n: number) =>
      request(who, 'POST', `${BARRED}/submit`, { body: { ...body, phone: number(n) } })
    expect((await guessed(keeper, 9000)).status).toBe(429)

    const other = await tenants.person(tenants.north, 'keeper', codes)
    await inTenant(sql`insert into scope_data (id, tenant_id, menu_id, resource_code, scope_name, scope_type,
      scope_field) values (778, ${tenantId}, 0, 'wxUser', '无名', 1, 'balance')`)
    await inTenant(sql`insert into role_scope (tenant_id, scope_category, scope_id, role_id) select ${tenantId}, 1, 778,
      unnest(role_id) from sys_user where tenant_id = ${tenantId} and id = ${other.userId}`)
    expect((await guessed(other, 9000)).status).toBe(400)

    // A masked name and number cannot be used to refer to a customer.
    expect(await unknownCustomers(other, [number(9999), '打码顾客'])).toEqual([true, true])
  })

  it('says that a row of this id is not there, that a fixed cell stays, and that a name means several', async () => {
    const { id: row } = await tenants.good(tenants.north, tenants.north.shops[0]!, { upc: 'FIXED1', name: '定' })
    for (const goodTypeName of ['同名', '同名'])
      await request(wu, 'POST', '/api/shop/goodType/submit', { body: { typeName: goodTypeName, name: goodTypeName } })
    const checked = await imported(
      wu,
      GOODS,
      await sheetOf(
        [
          [row, '北街2号店', 'FIXED1'],
          ['7', '北街1号店', 'FIXED1'],
          [row, '北街1号店', 'FIXED1'],
        ],
        ['编号', '门店', '条码'],
      ),
    )
    expect((await lines(wu, checked.id)).map(({ problems }) => problems[0].sentence)).toEqual([
      '门店新增后不能修改',
      '编号“7”对应的数据不存在',
      '与第 2 行是同一条数据',
    ])
    const blank = await imported(wu, GOODS, await sheetOf([[row, '', '改了']], ['编号', '门店', '商品名称']))
    expect(blank.result).toMatchObject({ changed: 1, cells: 1, wrong: 0 })
  })

  it(
    'takes a name that several shops use for the one of the line’s own shop, ' +
      'written in the sheet or there already',
    async () => {
      const [one, two] = tenants.north.shops as [string, string]
      const mine = await tenants.good(tenants.north, one, { name: '同名茶' })
      const theirs = await tenants.good(tenants.north, two, { name: '同名茶' })
      const TAGS = '/api/shop/priceTag'
      const { id, ...outcome } = await imported(
        wu,
        TAGS,
        await sheetOf(
          [
            ['SAME1', '北街1号店', '同名茶'],
            ['SAME2', '北街2号店', '同名茶'],
            ['SAME3', '北街1号店', theirs.id],
          ],
          ['价签编号', '门店', '商品'],
        ),
      )

      expect((await lines(wu, id)).map(({ line, state, problems }) => [line, state, problems[0]?.sentence])).toEqual([
        [4, 'wrong', '商品不属于所选门店'],
        [2, 'new', undefined],
        [3, 'new', undefined],
      ])
      expect(outcome.result).toMatchObject({ new: 2, wrong: 1 })
      await apply(wu, id)
      expect(
        await inTenant(sql`select tag_id, good_id::text from price_tag where tag_id like 'SAME%' order by tag_id`),
      ).toEqual([
        { tagId: 'SAME1', goodId: mine.id },
        { tagId: 'SAME2', goodId: theirs.id },
      ])

      const gateway = async (shopId: string) =>
        (
          await tenants.must(
            request(wu, 'POST', '/api/shop/epaGateway/submit', {
              body: { name: '主网关', clientId: `SAME${newId()}`, shopId },
            }),
          )
        ).id as string

      const [, far] = [await gateway(one), await gateway(two)]
      const [tag] = await inTenant<{ id: string }>(sql`select id::text from price_tag where tag_id = 'SAME2'`)
      const checked = await imported(wu, TAGS, await sheetOf([[tag!.id, '主网关']], ['编号', '网关']))
      expect(checked).toMatchObject({ state: 'checked', result: { changed: 1, wrong: 0 } })
      await apply(wu, checked.id)
      expect(await inTenant(sql`select gateway_id::text as id from price_tag where tag_id = 'SAME2'`)).toEqual([
        { id: far },
      ])
    },
  )

  it(
    'finds one row meant twice however far apart its lines are, and nothing ' + 'changed where only the words differ',
    async () => {
      const { id: row } = await tenants.good(tenants.north, tenants.north.shops[0]!, { upc: 'FAR1', name: '远' })
      const filler = Array.from({ length: 600 }, (): SheetCell[] => ['7', 'x'])
      const checked = await imported(
        wu,
        GOODS,
        await sheetOf([[row, '改一'], ...filler, [row, '改二']], ['编号', '商品名称']),
      )
      expect((await lines(wu, checked.id, 'changed')).map(({ line }) => line)).toEqual([2])
      expect(
        (
          await request(wu, 'GET', `/api/kit/tasks/${checked.id}/rows`, {
            query: { size: 1, current: 601, state: 'wrong' },
          })
        ).data.records[0].problems,
      ).toEqual([{ key: '', sentence: '与第 2 行是同一条数据' }])
      for (const yes of ['Yes', 'TRUE', '是'])
        expect((await imported(wu, GOODS, await sheetOf([[row, yes]], ['编号', '上架']))).result).toMatchObject({
          same: 1,
          changed: 0,
          wrong: 0,
        })
    },
  )

  it(
    'leaves no trace of a line that was refused half written, and says of what ' + 'it wrote that an import wrote it',
    async () => {
      const { id: kept } = await tenants.good(tenants.north, tenants.north.shops[0]!, { upc: 'TRACE1', name: '一' })
      const { id: refused } = await tenants.good(tenants.north, tenants.north.shops[0]!, { upc: 'TRACE2', name: '二' })
      const { id } = await imported(
        wu,
        GOODS,
        await sheetOf(
          [
            ['一改', '北街1号店', 'TRACE1'],
            ['二改', '北街1号店', 'TRACE2'],
          ],
          HEAD.slice(0, 3),
        ),
      )
      const { hooks } = tenants.services.registry.served.get('goodInfo')!
      const { afterSave } = hooks
      hooks.afterSave = async (row, was, call) => {
        await afterSave?.(row, was, call)
        if ((row as { id: string }).id === refused) throw new Refused('busy')
      }
      expect((await apply(wu, id)).result).toMatchObject({ written: 1, failed: 1 })
      hooks.afterSave = afterSave
      const changesOf = async (row: string) =>
        (await tenants.must(request(wu, 'GET', '/api/kit/history/goodInfo', { query: { id: row } }))).records as any[]
      expect(await changesOf(refused)).toEqual([])
      expect((await changesOf(kept)).map(({ via, now }) => [via, now.name])).toEqual([['商品导入', '一改']])
    },
  )

  it('goes past no guard of the save that a form would meet', async () => {
    const keeper = await tenants.person(tenants.north, 'guarded')
    const { access } = tenants.services
    tenants.services.access = { ...access, guardedPaths: async () => [{ id: '1', path: '/goodInfo/submit' }] }
    const checked = await imported(keeper, GOODS, await sheetOf([['绕过', '北街1号店', 'GUARD1', 5]], HEAD.slice(0, 4)))
    tenants.services.access = access
    expect((await lines(keeper, checked.id)).map(({ state, problems }) => [state, problems[0]?.sentence])).toEqual([
      ['wrong', '没有权限执行此操作'],
    ])
  })

  it('refuses a cell whose formula failed, and a number whose last digits a sheet has lost', async () => {
    const checked = await imported(
      wu,
      GOODS,
      await sheetOf(
        [
          ['#N/A', '北街1号店', 'CELL1', 5],
          ['#REF!', '北街1号店', 'CELL2', 5],
          ['短', '北街1号店', 6901028075831, 5],
          ['长', '北街1号店', 1234567890123456, 5],
        ],
        HEAD.slice(0, 4),
      ),
    )
    expect(
      (await lines(wu, checked.id)).map(({ line, state, problems }) => [line, state, problems[0]?.sentence]),
    ).toEqual([
      [2, 'wrong', '商品名称的公式没有结果：#N/A'],
      [3, 'wrong', '商品名称的公式没有结果：#REF!'],
      [5, 'wrong', '条码超过15位，作为数字会丢失末位，请设为文本格式后重填'],
      [4, 'new', undefined],
    ])
  })

  it('refuses a cell longer than a spreadsheet allows by its row and column, and keeps none of it', async () => {
    const long = { text: '长'.repeat(40_000) }
    const bytes = await sheetOf([['长', '北街1号店', 'LONG1', 5]], HEAD.slice(0, 4))
    const entries = [...readZipEntries(bytes).values()].map(async (found) => {
      const pieces: Buffer[] = []
      for await (const piece of unpackZipEntry(found, { left: 1e8 })) pieces.push(piece)
      return createZipOutputEntry(found.name, Buffer.concat(pieces).toString().replace('LONG1', long.text))
    })
    const parts: Buffer[] = []
    for await (const part of streamZip(await Promise.all(entries))) parts.push(part)
    const task = await imported(wu, GOODS, Buffer.concat(parts), 'en')
    expect(task).toMatchObject({ state: 'failed' })
    expect(await lines(wu, task.id)).toEqual([])
    expect((await request(wu, 'GET', `/api/kit/tasks/${task.id}`, { lang: 'en' })).data.problem).toBe(
      'Row 2, column C has more than 32767 characters. Shorten it and import again.',
    )
    expect((await request(wu, 'GET', `/api/kit/tasks/${task.id}`)).data.problem).toBe(
      '第 2 行 C 列的内容超过 32767 个字符，请缩短后再导入',
    )
  })

  it('shows the beginning of a long text in its lines, and never the whole of it', async () => {
    const brief = '介'.repeat(30_000)
    const head = ['商品名称 *', '门店 *', '条码 *', '售价 *', '备注']
    const { id } = await imported(wu, GOODS, await sheetOf([['长', '北街1号店', 'LONG2', 5, brief]], head))
    const [line] = await lines(wu, id)
    expect(line).toMatchObject({ state: 'wrong' })
    expect(line.changes.find(({ label }: any) => label === '备注').new).toBe(`${brief.slice(0, 499)}…`)
    expect(JSON.stringify(line).length).toBeLessThan(2000)
  })

  it('refuses what is no workbook, and a workbook without a known column says so', async () => {
    expect((await imported(wu, GOODS, Buffer.from('hello'))).data.reason).toBe('sheet_other_format')
    expect((await imported(wu, GOODS, Buffer.alloc(0))).data.reason).toBe('upload_empty')
    expect(await imported(wu, GOODS, await writeSingleSheetWorkbook('x', ['一', '二'], [['1', '2']]))).toMatchObject({
      state: 'failed',
      problem: '工作表“x”第 1 行没有可导入的列，这一行是：一、二。请使用下载的模板',
      again: false,
    })
  })

  it('refuses a heading that stands over two columns by its name and both columns', async () => {
    const bytes = await sheetOf([['甲', '北街1号店', 'TWICE1', 5, '乙']], [...HEAD.slice(0, 4), HEAD[0]!])
    expect(await imported(wu, GOODS, bytes)).toMatchObject({
      state: 'failed',
      problem: '工作表“x”的 A 列和 E 列都是“商品名称”，请只保留一列',
    })
  })

  it('cleans what a form cleans: invisible and full-width signs, and a day lasts to its end', async () => {
    const banner = '/api/shop/bannerConf'
    const bytes = await writeSingleSheetWorkbook(
      'x',
      ['标题', '图片', '开始时间', '结束时间', '排序'],
      [['\u200b开业\ufeff', '/x.png', '2027/12/1', '2027/12/31', '１２']],
    )
    const checked = await imported(wu, banner, bytes)
    expect(await lines(wu, checked.id)).toMatchObject([{ state: 'new', problems: [] }])
    await apply(wu, checked.id)
    const ends = await inTenant(sql`select title, sort, start_time::text as start, end_time::text as "end"
      from banner_conf where title = '开业'`)
    expect(ends).toEqual([{ title: '开业', sort: 12, start: '2027-12-01 00:00:00+08', end: '2027-12-31 23:59:59+08' }])
    // Importing its own export changes nothing.
    const again = await imported(
      wu,
      banner,
      await exported(wu, banner, { title: '开业' }, 'title,picture,position,startTime,endTime,sort,link'),
    )
    expect([again.problem, again.result]).toMatchObject(['', { changed: 0, new: 0, wrong: 0, same: 1 }])
    const sent = await request(wu, 'POST', `${banner}/submit`, {
      body: { title: '\u2060返场', picture: '/x.png', startTime: '2028-01-01', endTime: '2028/1/31', sort: '３' },
    })
    const row = await tenants.must(request(wu, 'GET', `${banner}/detail`, { query: { id: sent.data.id } }))
    expect(row).toMatchObject({
      title: '返场',
      startTime: '2028-01-01 00:00:00',
      endTime: '2028-01-31 23:59:59',
      sort: 3,
    })
  })

  it('goes on where it stood when its process stops in the middle, and writes no row twice', async () => {
    const rows = Array.from({ length: 120 }, (_none, n): SheetCell[] => [`停${n}`, '北街1号店', `STOP${n}`, 5])
    const { id } = await imported(wu, GOODS, await sheetOf(rows, HEAD.slice(0, 4)))
    await tenants.must(request(wu, 'POST', `/api/kit/tasks/${id}/apply`))
    // The first batch is written, then the second one's connection is cut.
    let batches = 0
    const { unit } = tenants.services
    tenants.services.unit = (bound, inside, actor) =>
      unit(
        bound,
        async (db) => {
          const result = await inside(db)
          if (actor && ++batches === 2) throw new Error('cut')
          return result
        },
        actor,
      )
    await work()
    tenants.services.unit = unit
    expect(
      (await inTenant<{ n: number }>(sql`select count(*)::int as n from good_info where upc like 'STOP%'`))[0]!.n,
    ).toBe(50)
    await tenants.services.systemPool.query(
      "update job set run_at = now() where queue = 'kit.import' and state = 'asked'",
    )
    await work()
    expect(await task(wu, id)).toMatchObject({ state: 'done', result: { written: 120, failed: 0 } })
    expect(
      (await inTenant<{ n: number }>(sql`select count(*)::int as n from good_info where upc like 'STOP%'`))[0]!.n,
    ).toBe(120)
  })
})

describe('the template', () => {
  it('asks in the reader’s language, marks what is required, and offers the words of dictionaries', async () => {
    const { default: excel } = await import('exceljs')
    for (const [lang, first, yes] of [
      ['zh', '商品名称 *', '是'],
      ['en', 'Product name *', 'Yes'],
    ] as const) {
      const response = await tenants.server.http.inject({
        method: 'GET',
        url: `${GOODS}/import-template`,
        headers: { 'blade-auth': `bearer ${wu.token}`, 'accept-language': lang },
      })
      const workbook = new excel.Workbook()
      await workbook.xlsx.load(response.rawPayload as never)
      const [sheet, notes, choices] = workbook.worksheets
      const head = (sheet!.getRow(1).values as string[]).slice(1)
      expect(head[0]).toBe(first)
      expect(head).not.toContain('库存')
      const place = head.findIndex((heading) => /^(上架|Listed)/.test(heading)) + 1
      const rule = sheet!.getCell(2, place).dataValidation
      expect(rule).toMatchObject({ type: 'list' })
      const [, column, from, to] = /choices!\$(\w+)\$(\d+):\$\w+\$(\d+)/.exec(rule.formulae[0] as string)!
      expect(choices!.state).toBe('hidden')
      expect(
        Array.from(
          { length: Number(to) - Number(from) + 1 },
          (_none, at) => choices!.getCell(`${column}${Number(from) + at}`).value,
        ),
      ).toContain(yes)
      expect(notes!.rowCount).toBe(head.length + 1)
    }
  })
})
