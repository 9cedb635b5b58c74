import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Random } from '#kit/server/base/random.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { pinyinSearchKey } from './basic-shop-info.server.ts'
import { regionsOfDistrict } from './place.ts'
import { replaceShopStaff } from './staff.ts'

export type DemoShop = {
  code: string
  name: string
  district: string
  address: string
  longitude: number
  latitude: number
  phone: string
  area: number
  mode: 1 | 2 | 3
  /** How busy the shop is; 1 is average. */
  pull: number
  /** Hours since the shop was last heard from; 0 if it is online. */
  silentHours?: number
}

/** The demo shops, all in Hangzhou: five of 小满便利 and three of 夜猫优选. */
export const demoShops: Record<string, readonly DemoShop[]> = {
  100001: [
    {
      code: 'S001',
      name: '西溪湿地店',
      district: '330106',
      address: '文二西路808号',
      longitude: 120.063,
      latitude: 30.281,
      phone: '0571-85120001',
      area: 68,
      mode: 1,
      pull: 1.5,
    },
    {
      code: 'S002',
      name: '文三路店',
      district: '330106',
      address: '文三路398号',
      longitude: 120.124,
      latitude: 30.277,
      phone: '0571-85120002',
      area: 45,
      mode: 1,
      pull: 1.2,
    },
    {
      code: 'S003',
      name: '滨江龙湖店',
      district: '330108',
      address: '江汉路1515号',
      longitude: 120.212,
      latitude: 30.208,
      phone: '0571-85120003',
      area: 80,
      mode: 2,
      pull: 1.1,
    },
    {
      code: 'S004',
      name: '武林广场店',
      district: '330105',
      address: '环城北路188号',
      longitude: 120.163,
      latitude: 30.275,
      phone: '0571-85120004',
      area: 52,
      mode: 1,
      pull: 1.3,
    },
    {
      code: 'S005',
      name: '钱江新城店',
      district: '330102',
      address: '富春路290号',
      longitude: 120.215,
      latitude: 30.246,
      phone: '0571-85120005',
      area: 60,
      mode: 1,
      pull: 0.8,
    },
  ],
  100002: [
    {
      code: 'N01',
      name: '下沙大学城店',
      district: '330114',
      address: '学源街258号',
      longitude: 120.348,
      latitude: 30.311,
      phone: '0571-86230001',
      area: 55,
      mode: 1,
      pull: 1.2,
    },
    {
      code: 'N02',
      name: '未来科技城店',
      district: '330110',
      address: '海创园良睦路1399号',
      longitude: 120.003,
      latitude: 30.282,
      phone: '0571-86230002',
      area: 48,
      mode: 1,
      pull: 0.9,
    },
    {
      code: 'N03',
      name: '萧山市心路店',
      district: '330109',
      address: '市心中路268号',
      longitude: 120.264,
      latitude: 30.183,
      phone: '0571-86230003',
      area: 42,
      mode: 2,
      pull: 0.6,
      silentHours: 3,
    },
  ],
}

export type DemoShopStaff = { bossUserId: string; staff: { userId: string; position: 'boss' | 'clerk' }[] }

/** Creates the shops of a tenant with boss and clerks; returns their ids by code. */
export async function seedShops(
  db: Db,
  now: Date,
  deptId: string,
  peopleOf: (code: string) => DemoShopStaff,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [at, shop] of demoShops[db.tenantId]!.entries()) {
    const { bossUserId, staff } = peopleOf(shop.code)
    const seen = new Date(now.getTime() - (shop.silentHours ?? 0) * 3_600_000)
    const row = await db.insert(basicShopInfo, {
      shopName: shop.name,
      shopCode: shop.code,
      status: 1,
      mode: shop.mode,
      clientId: `GW-${db.tenantId}-${shop.code}`,
      bossUserId,
      deptId,
      searchKey: pinyinSearchKey(shop.name),
      ...regionsOfDistrict(shop.district),
      district: shop.district,
      address: shop.address,
      longitude: shop.longitude,
      latitude: shop.latitude,
      phone: shop.phone,
      area: shop.area,
      openDate: `202${4 + (at % 2)}-0${3 + at}-18`,
      unmannedStart: shop.mode === 2 ? '22:00' : null,
      unmannedEnd: shop.mode === 2 ? '07:00' : null,
      lastSeenTime: formatShanghaiTime(seen),
    })
    await replaceShopStaff(db, row.id, staff)
    ids.set(shop.code, row.id)
  }
  return ids
}

const NETWORKS = ['38', '39', '58', '86', '77', '55']
const SURNAMES = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹'
const GIVEN = [
  '伟',
  '芳',
  '娜',
  '敏',
  '静',
  '强',
  '磊',
  '洋',
  '艳',
  '勇',
  '杰',
  '娟',
  '涛',
  '明',
  '超',
  '小明',
  '思远',
  '雨桐',
  '子涵',
  '佳怡',
  '浩然',
  '欣妍',
  '一诺',
  '梓轩',
  '晓东',
  '文博',
  '海燕',
  '丽华',
  '志强',
  '春梅',
]
const NICKS = ['爱吃糖的', '早起的', '加班的', '小区', '西湖', '爱喝茶的', '夜猫子', '']

export type DemoCustomer = {
  id: string
  nickname: string
  phone: string
  openid: string
  gender: number
  isVip: boolean
  time: number
  balance: number
  integral: number
  totalSpent: number
  orderCount: number
  lastVisit: number
  shops: Map<string, { orders: number; last: number }>
}

/** Creates demo customers with Chinese names; their accounts start empty and are filled by the history. */
export function createDemoCustomers(
  random: Random,
  tenantId: string,
  count: number,
  since: number,
  now: number,
): DemoCustomer[] {
  const phones = new Set<string>()
  return Array.from({ length: count }, (_unused, at) => {
    let phone = ''
    while (!phone || phones.has(phone))
      phone = `1${random.pick(NETWORKS)}${String(random.int(0, 99_999_999)).padStart(8, '0')}`
    phones.add(phone)
    const name = `${random.pick([...SURNAMES])}${random.pick(GIVEN)}`
    return {
      id: newId(),
      nickname: random.chance(0.3) ? `${random.pick(NICKS)}${name}` : name,
      phone,
      openid: `demo-${tenantId}-${String(at + 1).padStart(4, '0')}`,
      gender: random.int(0, 2),
      isVip: random.chance(0.25),
      // Most exist from the beginning, a quarter arrive during the history.
      time:
        since +
        random.int(0, 20) * 3_600_000 +
        (at % 4 === 3 ? Math.round((Math.max(0, now - since - 86_400_000) * ((at * 37) % 100)) / 100) : 0),
      balance: 0,
      integral: 0,
      totalSpent: 0,
      orderCount: 0,
      lastVisit: 0,
      shops: new Map(),
    }
  })
}

export type DemoAccountChange = {
  customerId: string
  shopId: string | null
  type: string
  change: number
  before: number
  after: number
  refType: string
  refId: string
  time: number
}

/** Inserts the customers with their accounts as the history left them. */
export async function insertDemoCustomers(
  db: Db,
  customers: readonly DemoCustomer[],
  logs: { balance: readonly DemoAccountChange[]; integral: readonly DemoAccountChange[] },
  now: Date,
): Promise<void> {
  const vipUntil = formatShanghaiTime(new Date(now.getTime() + 200 * 86_400_000))
  const customerRows = customers.map((one) => customerRow(one, vipUntil))
  await bulkInsert(db, 'wx_user', CUSTOMER_COLUMNS, customerRows)
  await bulkInsert(
    db,
    'wx_user_shop',
    { shop_id: 'bigint', wx_user_id: 'bigint', order_count: 'integer', last_time: 'timestamptz' },
    customers.flatMap((one) =>
      [...one.shops].map(([shopId, { orders, last }]) => [shopId, one.id, orders, text(last)]),
    ),
  )
  await bulkInsert(db, 'balance_log', accountColumns('bigint'), logs.balance.map(accountRow))
  await bulkInsert(db, 'integral_log', accountColumns('integer'), logs.integral.map(accountRow))
}

const text = (time: number) => (time ? formatShanghaiTime(new Date(time)) : null)

const CUSTOMER_COLUMNS = {
  id: 'bigint',
  nickname: 'text',
  phone: 'text',
  openid: 'text',
  gender: 'integer',
  balance: 'bigint',
  integral: 'integer',
  vip_level: 'integer',
  vip_end_time: 'timestamptz',
  total_spent: 'bigint',
  order_count: 'integer',
  last_visit_time: 'timestamptz',
  ...auditColumnTypes,
}

const customerRow = (one: DemoCustomer, vipUntil: string) => [
  one.id,
  one.nickname,
  one.phone,
  one.openid,
  one.gender,
  one.balance,
  one.integral,
  one.isVip ? 1 : 0,
  one.isVip ? vipUntil : null,
  one.totalSpent,
  one.orderCount,
  text(one.lastVisit),
  0,
  text(one.time),
  text(one.lastVisit || one.time),
]

const accountColumns = (amount: string) => ({
  id: 'bigint',
  shop_id: 'bigint',
  wx_user_id: 'bigint',
  type: 'text',
  change: amount,
  before: amount,
  after: amount,
  ref_type: 'text',
  ref_id: 'bigint',
  ...auditColumnTypes,
})

const accountRow = (row: DemoAccountChange) => [
  newId(),
  row.shopId,
  row.customerId,
  row.type,
  row.change,
  row.before,
  row.after,
  row.refType,
  row.refId,
  0,
  text(row.time),
  text(row.time),
]
