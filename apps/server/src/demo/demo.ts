import { importAccessDemo } from '#domains/platform/access/api.ts'
import { importNoticesDemo } from '#domains/messaging/notices/api.ts'
import { importAiDemo } from '#domains/insight/ai/api.ts'
import { importCodeGeneratorDemo } from '#domains/platform/code-generator/api.ts'
import { importRunningRegistersDemo, importRegistersDemo } from '#domains/sales/point-of-sale/api.ts'
import { importIncidentsDemo } from '#domains/shops/incidents/api.ts'
import { importEleDemo } from '#domains/sales/ele/api.ts'
import { importStockDemo, importShelvesDemo } from '#domains/catalogue/inventory/api.ts'
import { createUser } from '#domains/platform/identity/api.ts'
import { importMarketingDemo } from '#domains/sales/marketing/api.ts'
import { importMeituanDemo } from '#domains/sales/meituan/api.ts'
import { importMembersDemo } from '#domains/sales/customers/api.ts'
import { importCheckoutDemo } from '#domains/money/checkout/api.ts'
import { importLogsDemo } from '#domains/platform/logs/api.ts'
import { importMerchantsDemo } from '#domains/money/merchant-accounts/api.ts'
import { importVisitsDemo } from '#domains/shops/visits/api.ts'
import { checkLedgers, importDeliveriesDemo, importOrdersDemo } from '#domains/sales/orders/api.ts'
import { importCustomFieldsDemo } from '#domains/platform/custom-fields/api.ts'
import { importPrintersDemo } from '#domains/devices/printers/api.ts'
import { importReportsDemo } from '#domains/insight/reports/api.ts'
import { importSmsDemo } from '#domains/messaging/sms/api.ts'
import { importShopEventsDemo } from '#domains/shops/shop-events/api.ts'
import { importShopsDemo, type StoryShopStaff, type StorySeedContext } from '#domains/shops/shops/api.ts'
import { importStatisticsDemo } from '#domains/insight/statistics/api.ts'
import { importSuppliersDemo } from '#domains/catalogue/purchasing/api.ts'
import { createTenant, importSystemDemo } from '#domains/platform/system/api.ts'
import { importReconciliationDemo } from '#domains/money/reconciliation/api.ts'
import { importDeliveryPlatformsDemo } from '#domains/sales/delivery-platforms/api.ts'
import { importVideoDemo } from '#domains/devices/video/api.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { analyzeWrittenTables } from '#kit/server/database/analyze.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { withoutIndexes } from '#kit/server/database/without-indexes.ts'
import { createRandom } from '#kit/server/base/random.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { Resource } from '#kit/resource/index.ts'
import { demoUsers, demoTenants } from './cast.ts'
import { reorderLedgersByTime } from './ledger-order.ts'

const SEED = 20_260_101
const DAYS = 90
const DAY_MS = 86_400_000
const CUSTOMERS: Record<string, number> = { 100001: 150, 100002: 80 }

/** Permissions of shop bosses and clerks, by menu code. A code that ends in * includes everything below it. */
const GRANTS = {
  boss: [
    'desk',
    'work*',
    'recycleBin',
    'shop*',
    'goods*',
    'order*',
    'member*',
    'marketing*',
    'device*',
    'supplier*',
    'merchant*',
    'ele*',
    'meituan*',
    'ai',
    'aiTask*',
    'aiFinding*',
    'guard*',
    'statistics*',
  ],
  clerk: [
    'work*',
    'shop',
    'basicShopInfo',
    'wxUser',
    'event',
    'event_view',
    'event_acknowledge',
    'event_resolve',
    'customerVisitLog',
    'customerVisitLog_view',
    'doorControlLog',
    'unmannedLog',
    'workInfo',
    'workInfo_view',
    'workInfo_edit',
    'workInfo_start',
    'workInfo_finish',
    'goods',
    'goodInfo',
    'goodInfo_view',
    'goodInfo_stocktake',
    'goodInfo_loss',
    'goodType',
    'storageBatch',
    'storageBatch_add',
    'storageLog',
    'returnLog*',
    'stockTransfer*',
    'stocktake',
    'stocktake_add',
    'stocktake_view',
    'stocktake_count',
    'stocktakeLine',
    'priceTag*',
    'priceTagLog',
    'goodPriceLog',
    'order',
    'shoppingOrder',
    'shoppingOrder_view',
    'shoppingOrder_edit',
    'shoppingOrderDetail',
    'refunds',
    'refunds_view',
    'refunds_add',
    'shoppingOrder_handOver',
    'shoppingOrder_printReceipt',
    'goodInfo_printLabels',
    'printJob',
    'printJob_view',
    'printJob_reprint',
    'deliveryInfo',
    'deliveryInfo_view',
    'deliveryInfo_accept',
    'deliveryInfo_pickUp',
    'deliveryInfo_deliver',
    'deliveryInfo_fail',
    'deliveryInfo_again',
    'deliveryInfo_contact',
    'marketing',
    'discountConf',
    'discountConf_view',
    'discountTicket',
    'discountTicket_view',
    'customerTicket',
    'customerTicket_view',
    'device',
    'cashRegister',
    'cashRegister_view',
    'wxUser_view',
    'member',
    'vipInfo',
    'vipInfo_view',
    'vipPrice',
    'vipDay',
    'rechargeConf',
    'rechargeLog',
    'rechargeLog_view',
    'rechargeLog_recharge',
    'annualFeeConf',
    'annualFeeLog',
    'annualFeeLog_buy',
    'balanceLog',
    'integralLog',
    'blackList',
    'blackList_view',
  ],
}
/** Permissions that bosses do not get although `GRANTS` includes them: the tenant's administrator alone has them. */
const NOT_FOR_BOSSES = [
  'businessAnalysis_rebuild',
  'basicShopInfo_add',
  'bannerConf_add',
  'bannerConf_edit',
  'bannerConf_delete',
  'basicShopInfo_delete',
  'basicShopInfo_close',
  'barcodes_delete',
  'vipLevel_add',
  'vipLevel_edit',
  'vipLevel_delete',
  'annualFeeConf_add',
  'annualFeeConf_edit',
  'annualFeeConf_delete',
  'rechargeConf_add',
  'rechargeConf_edit',
  'rechargeConf_delete',
  'wxUserMerge_merge',
]

/** Pages that bosses do not get, with all their buttons. */
const NOT_FOR_BOSSES_PAGES = '^(joinUs|printAccount)(_|$)'

/** Refunds left open for today, by tenant: `status` 0 to be decided, 4 and 2 under way or refused by the channel. */
const LEFT: Record<string, { code: string; status: number; hoursAgo: number }[]> = {
  100001: [
    { code: 'S001', status: 0, hoursAgo: 2 },
    { code: 'S002', status: 0, hoursAgo: 7 },
    { code: 'S004', status: 0, hoursAgo: 1 },
    { code: 'S003', status: 4, hoursAgo: 20 },
    { code: 'S001', status: 2, hoursAgo: 30 },
  ],
  100002: [
    { code: 'N01', status: 0, hoursAgo: 3 },
    { code: 'N02', status: 4, hoursAgo: 26 },
  ],
}

/** Parts of the demo data that are seeded after the shops' trade history, in this order. */
const LATER = [
  importMembersDemo,
  importMarketingDemo,
  importShelvesDemo,
  importDeliveriesDemo,
  importRunningRegistersDemo,
  importPrintersDemo,
  importShopEventsDemo,
  importVisitsDemo,
  importSuppliersDemo,
  importMerchantsDemo,
  importCheckoutDemo,
  importDeliveryPlatformsDemo,
  importEleDemo,
  importMeituanDemo,
  importReconciliationDemo,
  importIncidentsDemo,
  importAiDemo,
  importVideoDemo,
  importCustomFieldsDemo,
  importLogsDemo,
  importStatisticsDemo,
]

async function addRole(
  db: Db,
  services: Services,
  roleName: string,
  roleAlias: 'boss' | 'clerk',
  sort: number,
): Promise<string> {
  const role = (await db.insert(services.registry.resource('role') as Resource, {
    parentId: '0',
    roleName,
    roleAlias,
    ownShops: true,
    sort,
  })) as unknown as { id: string }
  const codes = GRANTS[roleAlias]
  const whole = codes.filter((code) => code.endsWith('*')).map((code) => code.slice(0, -1))
  await db.run(sql`
    with recursive down as (
      select id from menu where code = any(${whole}) and is_deleted = 0
      union select m.id from menu m join down on m.parent_id = down.id where m.is_deleted = 0
    )
    insert into role_menu (tenant_id, role_id, menu_id)
    select ${db.tenantId}, ${role.id}, m.id from menu m where m.is_deleted = 0 and (m.id in (select id from down)
    or m.code = any(${codes})) and not m.code = any(${NOT_FOR_BOSSES})
    and not m.code ~ ${NOT_FOR_BOSSES_PAGES}
    on conflict do nothing`)
  return role.id
}

async function addPeople(db: Db, services: Services): Promise<Map<string, string>> {
  const admin = await db.one<{ id: string }>(
    sql`select id from sys_role where tenant_id = ${db.tenantId} and role_alias = 'admin' and is_deleted = 0`,
  )
  const roles = {
    admin: admin!.id,
    boss: await addRole(db, services, '店主', 'boss', 3),
    clerk: await addRole(db, services, '店员', 'clerk', 4),
  }
  const dept = await db.one<{ id: string }>(
    sql`select id from dept where tenant_id = ${db.tenantId} and is_deleted = 0 order by id limit 1`,
  )
  const ids = new Map<string, string>()
  for (const { account, name, role, phone } of demoUsers.filter((one) => one.tenantId === db.tenantId)) {
    ids.set(
      account,
      await createUser(db, { account, name, password: account, roleIds: [roles[role]], deptIds: [dept!.id], phone }),
    )
  }
  return ids
}

function peopleOfShop(tenantId: string, users: ReadonlyMap<string, string>, code: string): StoryShopStaff {
  const here = demoUsers.filter((one) => one.tenantId === tenantId && one.shops.includes(code))
  return {
    bossUserId: users.get(here.find((one) => one.role === 'boss')!.account)!,
    staff: here.map((one) => ({ userId: users.get(one.account)!, position: one.role === 'boss' ? 'boss' : 'clerk' })),
  }
}

/** A tenant whose history was written, and the context for the seeds that follow. */
type Begun = { tenantId: string; counts: string; stage: Omit<StorySeedContext, 'random'> }

/** Seeds a tenant with its users and shops and their sales day by day. */
async function seedHistory(db: Db, services: Services, days: number): Promise<Begun> {
  const [systemModule, deskModule, shopsModule, goodsModule, ordersModule, devicesModule] = await Promise.all([
    importSystemDemo(),
    importNoticesDemo(),
    importShopsDemo(),
    importStockDemo(),
    importOrdersDemo(),
    importRegistersDemo(),
  ])

  const now = services.now()
  const random = createRandom(SEED + Number(db.tenantId))
  const users = await addPeople(db, services)
  const dept = await db.one<{ id: string }>(
    sql`select id from dept where tenant_id = ${db.tenantId} and is_deleted = 0 order by id limit 1`,
  )
  await systemModule.seedBusinessDictionaries(db)
  await deskModule.seedNoticesDemo(db, now)

  const shopIds = await shopsModule.seedShops(db, now, dept!.id, (code) => peopleOfShop(db.tenantId, users, code))
  const registers = await devicesModule.seedRegisters(db, now, shopIds)
  const typeIds = await goodsModule.seedGoodTypes(db)
  const since = now.getTime() - (days + 1) * DAY_MS
  const customers = shopsModule.createDemoCustomers(random, db.tenantId, CUSTOMERS[db.tenantId]!, since, now.getTime())
  const shops = shopsModule.demoShops[db.tenantId]!.map((shop) => ({
    shopId: shopIds.get(shop.code)!,
    code: shop.code,
    pull: shop.pull,
    registers: registers.get(shop.code)!,
    bossUserId: peopleOfShop(db.tenantId, users, shop.code).bossUserId,
    silentSince: shop.silentHours ? now.getTime() - shop.silentHours * 3_600_000 : Number.POSITIVE_INFINITY,
    shelves: goodsModule.createShelves(random, shopIds.get(shop.code)!, typeIds, 27 * shop.pull * 2.2, now.getTime()),
  }))

  const history = ordersModule.createHistory(random, shops, customers, now.getTime(), days)
  history.run()
  history.leaveWork(LEFT[db.tenantId]!)
  history.leaveUnpaid()
  for (const shop of shops) await shop.shelves.write(db, since)
  await history.write(db)
  await shopsModule.insertDemoCustomers(db, customers, history.accounts, now)

  const { orders, refunds } = history.counts()

  return {
    tenantId: db.tenantId,
    counts: `${shops.length} shops, ${customers.length} customers, ${orders} orders, ${refunds} refunds`,
    stage: { services, now, days, users, shops },
  }
}

async function seedLater(db: Db, stage: Begun['stage']): Promise<void> {
  for (const [n, part] of LATER.entries()) {
    const { seed } = await part()
    // New statistics and plans for each part: plans made for smaller tables would be kept until the transaction ends.
    await analyzeWrittenTables(db)
    await db.run(sql`discard plans`)
    await seed(db, { ...stage, random: createRandom(SEED + Number(db.tenantId) * 100 + n) })
  }
  await reorderLedgersByTime(db)
}

/** Seeds the pages of the system itself, for the platform and each tenant. */
async function seedSystem(all: Db, services: Services): Promise<void> {
  const [
    { seedTenantPackages: seedPackages },
    { seedTopMenus, seedDataAndApiScopes: seedScopes },
    { seedFilesAndSmsDemo: seedResources },
  ] = await Promise.all([importSystemDemo(), importAccessDemo(), importSmsDemo()])
  await seedPackages(all)
  await seedScopes(all)
  for (const tenantId of [MANAGEMENT_TENANT, ...demoTenants.map((one) => one.tenantId)]) {
    await all.asTenant(tenantId, async (own) => {
      await seedTopMenus(own)
      await seedResources(own, services, services.now())
    })
  }
}

/**
 * Seeds the demo data "one city, eight shops" in one transaction. Throws, and so leaves nothing, when a ledger does not
 * add up.
 */
export async function seedAllDemoData(
  services: Services,
  progress: (line: string) => void,
  { days = DAYS }: { days?: number } = {},
): Promise<void> {
  const started = Date.now()
  progress('Seeding the demo data: one city, eight shops (once, some fifteen seconds)…')
  await services.unit({ crossTenantReason: 'the demo data makes its tenants' }, async (all) => {
    const { seedBarcodes, stockHistoryTables: stocked } = await importStockDemo()
    const { orderHistoryTables: traded, orderHistoryIndexColumns: foundBy } = await importOrdersDemo()
    const { seedReportFiles: seedReports } = await importReportsDemo()
    const { seedCodeGenerator: seedDevelop } = await importCodeGeneratorDemo()
    await all.asTenant(MANAGEMENT_TENANT, seedBarcodes)
    await seedReports(all)
    await seedDevelop(all, services)
    const begun = await withoutIndexes(all, { tables: [...stocked, ...traded], kept: foundBy }, async () => {
      const tenants: Begun[] = []
      for (const { tenantId, ...tenant } of demoTenants) {
        await createTenant(all, services, { ...tenant, accountNumber: -1 }, { tenantId, password: 'admin' })
        tenants.push(await all.asTenant(tenantId, (db) => seedHistory(db, services, days)))
      }
      return tenants
    })
    for (const { tenantId, counts, stage } of begun) {
      await all.asTenant(tenantId, (db) => seedLater(db, stage))
      progress(`  ${tenantId}: ${counts}`)
    }
    await seedSystem(all, services)
    await analyzeWrittenTables(all)
    const differences = await checkLedgers(all)
    if (differences.length) throw new Error(`the demo data does not add up: ${JSON.stringify(differences.slice(0, 3))}`)
  })
  progress(`The demo data is complete (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}
