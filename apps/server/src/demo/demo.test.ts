import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raw, sql } from '#kit/server/database/db.ts'
import { meetsCondition } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { findOrphans } from '#kit/server/resource/orphans.ts'
import { authoriseCall } from '#kit/server/request/pipeline.ts'
import { figuresOf } from '#tests/support/figures.ts'
import { basic, testServer, type TestServer } from '#tests/support/server.ts'
import { demoUsers } from './cast.ts'
import { seedAllDemoData } from './demo.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await seedAllDemoData(server.services, () => {}, { days: 10 })
}, 120_000)
afterAll(() => server.close())

type Menu = { code: string; path: string; children?: Menu[] }
const pathsIn = (menu: Menu): string[] => [menu.path, ...(menu.children ?? []).flatMap(pathsIn)]

const across = <R>(statement: ReturnType<typeof sql>) =>
  server.services.unit({ crossTenantReason: 'test' }, (db) => db.query<R & object>(statement))

describe('the demo data', () => {
  it('adds up to the cent and the piece', async () => {
    expect(await server.services.unit({ crossTenantReason: 'test' }, (db) => figuresOf(db))).toEqual([])
  })

  it('knows recharges and fees paid by WeChat under a transaction number, each its own', async () => {
    const paid = sql`select fee_no as no, tenant_id, pay_type, transaction_no from annual_fee_log
      union all select recharge_no, tenant_id, pay_type, transaction_no from recharge_log`
    expect(
      await across(sql`select min(no) as no, transaction_no, count(*)::int as count from (${paid}) p
        where pay_type = 'wechat' group by tenant_id, transaction_no
        having count(*) > 1 or coalesce(transaction_no, '') = ''`),
    ).toEqual([])
  })

  it('names nothing that is not there or not its own', async () => {
    expect(await findOrphans(server.services, { isWhole: true })).toEqual([])
  })

  it('every line of a ledger carries the time of the operation, not of the telling', async () => {
    const late = await across(sql`
      select 'stock' as ledger, l.ref_type, l.create_time, d.at from storage_log l join (
        select id, coalesce(pay_time, create_time) as at, 'order' as kind from shopping_order union all
        select id, create_time, 'return' from return_log
        union all select id, create_time, 'stocktake' from stocktake
      ) d on d.id = l.ref_id and d.kind = l.ref_type where abs(extract(epoch from l.create_time - d.at)) > 3600
      union all select 'stock', 'transfer', l.create_time, t.send_time from storage_log l
      join stock_transfer t on t.id = l.ref_id and l.ref_type = 'transfer' where least(abs(extract(epoch
      from l.create_time - t.send_time)), abs(extract(epoch from l.create_time - coalesce(t.receive_time,
      t.send_time)))) > 1
      union all select 'points', l.ref_type, l.create_time, o.pay_time from integral_log l
      join shopping_order o on o.id = l.ref_id and l.ref_type = 'order' where abs(extract(epoch
      from l.create_time - o.pay_time)) > 3600
      union all select 'balance', l.ref_type, l.create_time, o.pay_time from balance_log l
      join shopping_order o on o.id = l.ref_id and l.ref_type = 'order' where abs(extract(epoch
      from l.create_time - o.pay_time)) > 3600`)
    expect(late).toEqual([])
  })

  it('every line of a ledger begins where the one before it in time ended, and none ends below zero', async () => {
    for (const [table, condition, order] of [
      ['storage_log', 'good_id', 'seq'],
      ['balance_log', 'wx_user_id', 'id'],
      ['integral_log', 'wx_user_id', 'id'],
    ] as const) {
      const lines = raw(`(select *, lag(after, 1, 0) over (partition by tenant_id, ${condition}
        order by create_time, ${order}) as ended from ${table}) l`)
      const wrong = sql`select l.*, ended from ${lines} where before <> ended or after < 0`
      expect(await across(wrong), table).toEqual([])
    }
  })

  it('everybody of the cast can sign in and sees the shops the cast says', async () => {
    for (const { tenantId, account, role, shops } of demoUsers) {
      const person = await server.as(account, { tenantId })
      const { data } = await server.call<{ shopCode: string }[]>(person, 'GET', '/api/shop/basicShopInfo/query')
      const expected =
        role === 'admin'
          ? tenantId === '100001'
            ? ['S001', 'S002', 'S003', 'S004', 'S005']
            : ['N01', 'N02', 'N03']
          : shops
      expect(
        data.map((shop) => shop.shopCode),
        account,
      ).toEqual(expected)
    }
  })

  it(
    'leaves work for today: a refund to decide, goods running low, goods about to ' +
      'expire, a register that is silent',
    async () => {
      const lin = await server.as('lin', { tenantId: '100001' })
      const { data } = await server.call(lin, 'GET', '/api/shop/home/today')
      const waits = (home: { needs: { key: string; count: number }[] }) =>
        Object.fromEntries(home.needs.map(({ key, count }) => [key, count]))
      expect(waits(data)).toMatchObject({
        refundsWaiting: 3,
        expiring: expect.any(Number),
        lowStock: expect.any(Number),
      })
      const wu = await server.as('wu', { tenantId: '100001' })
      const whole = await server.call(wu, 'GET', '/api/shop/home/today')
      expect(waits(whole.data).offlineRegisters).toBe(1)
      expect(whole.data.shops).toHaveLength(5)
    },
  )

  it('what is named by a time is named as times are written', async () => {
    const wu = await server.as('wu', { tenantId: '100001' })
    const { data } = await server.call(wu, 'GET', '/api/shop/shoppingOrder/web/boss/list', {
      query: { visitId_notnull: 1, size: 5 },
    })
    expect(data.records.length).toBeGreaterThan(0)
    for (const { visitTime } of data.records) expect(visitTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  it('every number of the home page opens exactly the rows it counts, for everybody', async () => {
    for (const { account, tenantId } of demoUsers) {
      const person = await server.as(account, { tenantId })
      const { data } = await server.call(person, 'GET', '/api/shop/home/today')
      for (const { key, resource, query, count } of [...data.needs, ...data.shops.flatMap((shop: any) => shop.needs)]) {
        const { path, list } = server.services.registry.resource(resource)
        const listed = await server.call(person, 'GET', `${path}/${list.path}`, { query: { ...query, size: 1 } })
        expect([account, key, listed.data.total]).toEqual([account, key, count])
      }
    }
  })

  it('prints every kind of document: each says what its row says, and lines come to what the row has', async () => {
    const wu = await server.as('wu', { tenantId: '100001' })
    for (const { resource } of server.services.registry.served.values())
      for (const [kind, { lines, enabled }] of Object.entries(resource.documents)) {
        const { path, list } = resource
        const { data } = await server.call(wu, 'GET', `${path}/${list.path}`, { query: { size: 100 } })
        const rows = data.records.filter((row: any) => meetsCondition(row, enabled)).slice(0, 8)
        expect([kind, rows.length > 0]).toEqual([kind, true])
        const query = { kind, ids: rows.map((row: any) => row.id).join(',') }
        const printed = await server.call(wu, 'GET', '/api/prints/sheets', { query })
        expect([kind, printed.status]).toEqual([kind, 200])
        const { layout, sheets } = printed.data
        for (const [at, sheet] of sheets.entries()) {
          const wire = (await server.call(wu, 'GET', `${path}/detail`, { query: { id: rows[at].id } })).data
          const shown = (key: string) => (wire[key] === -1 || wire[key] === undefined ? '' : String(wire[key]))
          for (const [n, { key }] of layout.totals.entries())
            expect([kind, sheet.number, key, sheet.totals[n]]).toEqual([kind, sheet.number, key, shown(key)])
          for (const [column, key] of Object.entries(lines?.sums ?? {})) {
            const sum = sheet.sums[layout.columns.findIndex((one: { key: string }) => one.key === column)]
            if (!key || !sum || shown(key) === '') continue
            expect([kind, sheet.number, column, Number(sum)]).toEqual([kind, sheet.number, column, Number(shown(key))])
          }
        }
      }
  })

  it('has orders in most states and refunds in most states', async () => {
    const rows = await across<{ kind: string; status: number }>(
      sql`select 'order' as kind, status, count(*)::int from shopping_order group by status union all
        select 'refund', status, count(*)::int from refunds group by status`,
    )
    const states = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.status)
    expect(states('order')).toEqual(expect.arrayContaining([0, 2, 3, 4, 9]))
    expect(states('refund')).toEqual(expect.arrayContaining([0, 2, 3, 4]))
  })

  it('has an appeal that waits and one decided, and phrases whose sound the first speech engine makes', async () => {
    const rows = await across<{ tenantId: string; appeals: number[]; sounds: string[] }>(sql`select t.tenant_id,
      (select array_agg(status order by status) from black_appeal a where a.tenant_id = t.tenant_id) as appeals,
      (select array_agg(distinct coalesce(c.state, '')) from guard_phrase p join audio_conf c
        on c.tenant_id = p.tenant_id and c.id = p.audio_id where p.tenant_id = t.tenant_id) as sounds
      from tenant t where t.tenant_id in ('100001', '100002') order by 1`)
    expect(rows).toEqual(['100001', '100002'].map((tenantId) => ({ tenantId, appeals: [0, 1], sounds: ['NONE'] })))
  })

  it('leaves no page of the system empty, for the platform and for each tenant', async () => {
    const { registry } = server.services
    // Tables filled only by errors, leaving tenants or the outside world; a sign-in is logged in its own tenant.
    const lived = ['logError', 'requestLog', 'logApi', 'logUsual', 'tenantRemoval', 'remoteLine', 'speechEngine']
    lived.push('screenshotOpening', 'vendorEvent')
    for (const [account, tenantId] of [
      ['admin', '000000'],
      ['wu', '100001'],
      ['tang', '100002'],
    ] as const) {
      const person = await server.as(account, { tenantId })
      const menus = (await server.call(person, 'GET', '/api/blade-system/menu/routes')).data as Menu[]
      const held = new Set(
        menus
          .filter(({ code }) => ['system', 'authority', 'resource', 'monitor', 'base', 'report', 'desk'].includes(code))
          .flatMap(pathsIn),
      )
      const empty: string[] = []
      for (const { resource } of registry.served.values()) {
        if (!resource.menu || !held.has(resource.menu.path) || lived.includes(resource.name)) continue
        const { data, status } = await server.call(person, 'GET', `${resource.path}/${resource.list.path}`, {
          query: { size: 1 },
        })
        expect([resource.name, status]).toEqual([resource.name, 200])
        if (!(data.total ?? data.length)) empty.push(resource.name)
      }
      expect([account, empty]).toEqual([account, []])
    }
  })

  it(
    'has scopes ready that take nothing away from the cast, top menus that lead everybody somewhere, ' +
      'attachments that open, and no account that is switched on',
    async () => {
      const guards = await server.services.access.guardedPaths()
      expect(guards.length).toBeGreaterThan(0)
      for (const { tenantId, account } of demoUsers) {
        const person = await server.as(account, { tenantId })
        const caller = (await server.services.access.callerOf(person.token))!
        expect([account, caller.dataScopes]).toEqual([account, []])
        const shut: string[] = []
        for (const { can, path } of server.routes) {
          if (typeof can === 'object' && !Array.isArray(can)) continue
          const allowed = [can].flat().some((code) => hasPermission(caller, code as string))
          if (allowed) await authoriseCall(caller, can, path, server.services).catch(() => shut.push(path))
        }
        expect([account, shut]).toEqual([account, []])
        const tops = (await server.call(person, 'GET', '/api/blade-system/menu/top-menu')).data as { id: string }[]
        expect([account, tops.length]).toEqual([account, 2])
        for (const { id } of tops) {
          const menus = (
            await server.call(person, 'GET', '/api/blade-system/menu/routes', { query: { topMenuId: id } })
          ).data as Menu[]
          expect([account, menus.flatMap(pathsIn).length > 1]).toEqual([account, true])
        }
      }
      const admin = await server.as('admin')
      const files = (await server.call(admin, 'GET', '/api/blade-resource/attach/list')).data.records as {
        link: string
        originalName: string
      }[]
      for (const { link } of files) expect((await server.call(admin, 'GET', link)).status).toBe(200)
      expect(
        await across(
          sql`select 1 from oss where status <> 1 union all select 1 from sms where status <> 1 union all select 1
          from tenant where package_id is not null`,
        ),
      ).toEqual([])
    },
  )

  it('lets its people in at one touch, as the browser asks for it, and nobody else', async () => {
    const { data } = await server.call(undefined, 'GET', '/api/story/people')
    expect(data.map(({ account }: { account: string }) => account)).toEqual([
      'admin',
      ...demoUsers.map(({ account }) => account),
    ])
    expect(JSON.stringify(data)).not.toMatch(/password/i)
    expect((await server.call(undefined, 'GET', '/api/story/people', { lang: 'en' })).data[2].who).toBe(
      'boss of three shops',
    )
    const enter = (
      tenantId: string,
      account: string,
      headers: Record<string, string> = { authorization: basic('saber', 'saber_secret') },
    ) => server.call(undefined, 'POST', '/api/story/enter', { body: { tenantId, account }, headers })
    expect(await enter('100001', 'lin')).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), account: 'lin', client_id: 'saber' },
    })
    expect(await enter('100001', 'admin')).toMatchObject({ status: 404 })
    expect(await enter('000000', 'lin')).toMatchObject({ status: 404 })
    expect(await enter('100001', 'lin', {})).toMatchObject({ status: 401 })
    // Once the password was changed, the one-click sign-in fails.
    await server.services.unit({ tenantId: '100001' }, (db) =>
      db.run(sql`update sys_user set password = 'x' where tenant_id = '100001' and account = 'xu'`),
    )
    expect(await enter('100001', 'xu')).toMatchObject({ status: 400, data: { reason: 'login_wrong' } })
  })

  it('opens that door never on a server without demo data', async () => {
    const config = server.services.config as { story: 'demo' | 'empty' }
    config.story = 'empty'
    try {
      expect((await server.call(undefined, 'GET', '/api/story/people')).data).toEqual([])
      for (const { tenantId, account } of [{ tenantId: '000000', account: 'admin' }, ...demoUsers]) {
        const answer = await server.call(undefined, 'POST', '/api/story/enter', {
          body: { tenantId, account },
          headers: { authorization: basic('saber', 'saber_secret') },
        })
        expect([account, answer.status, answer.body.access_token]).toEqual([account, 404, undefined])
      }
    } finally {
      config.story = 'demo'
    }
  })
})
