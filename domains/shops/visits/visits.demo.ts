import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { regionsOfDistrict, type StorySeedContext } from '#domains/shops/shops/api.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import {
  joinUs,
  joinUsFollow,
  LEAD_STATE,
  WORK_ORDER_STATE,
  workDevice,
  workInfo,
} from '#domains/shops/work-orders/index.ts'
import { determineVisitResult } from './visit-result.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const VISIT_DAYS = 7

const text = (time: number) => formatShanghaiTime(new Date(time))

/** Seeds visits, door commands, work orders and leads. */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  await seedVisits(db, stage)
  await seedWork(db, stage)
  if (db.tenantId === '100001') await seedLeads(db, stage)
}

type Order = {
  id: string
  shopId: string
  wxUserId: string | null
  paid: number
  time: number
  lines: { goodId: string; quantity: number }[]
}

async function ordersOf(db: Db, since: number): Promise<Order[]> {
  const rows = await db.query<Order>(sql`
    select o.id, o.shop_id, o.wx_user_id, o.pay_amount as paid, extract(epoch from o.pay_time) * 1000 as time,
      (select json_agg(json_build_object('goodId', d.good_id::text, 'quantity', d.quantity) order by d.sort)
      from shopping_order_detail d where d.tenant_id = o.tenant_id and d.order_id = o.id) as lines
    from shopping_order o where o.tenant_id = ${db.tenantId} and o.status between 1 and 4 and o.type = 'store'
    and o.pay_time > ${text(since)}::timestamptz order by o.pay_time, o.order_no`)
  return rows.map((row) => ({ ...row, lines: row.lines ?? [] }))
}

/** Rows that cameras, doors and registers would have written in the last days. */
type Seen = {
  db: Db
  stage: StorySeedContext
  visits: unknown[][]
  records: unknown[][]
  doors: unknown[][]
  /** Orders with the visits they were made in. */
  tied: [order: string, visit: string][]
  unpaid: { shopId: string; visitId: string; time: number }[]
}

async function seedVisits(db: Db, stage: StorySeedContext): Promise<void> {
  const orders = await ordersOf(db, stage.now.getTime() - VISIT_DAYS * DAY_MS)
  const seen: Seen = { db, stage, visits: [], records: [], doors: [], tied: [], unpaid: [] }
  for (const order of orders) buyAndLook(seen, order)
  leaveUnpaid(seen, orders)
  for (const shop of stage.shops) commandDoors(seen, shop)
  await bulkInsert(db, 'customer_visit_log', VISIT_COLUMNS, seen.visits)
  await bulkInsert(db, 'visit_record', RECORD_COLUMNS, seen.records)
  await bulkInsert(db, 'door_control_log', DOOR_COLUMNS, seen.doors)
  await db.run(sql`
    update shopping_order o set visit_id = t.visit_id from unnest(${seen.tied.map(([order]) => order)}::bigint[],
    ${seen.tied.map(([, id]) => id)}::bigint[]) t(order_id, visit_id)
    where o.tenant_id = ${db.tenantId} and o.id = t.order_id`)
  await warnOfLast(seen)
}

/** Creates the visit of an order; now and then also a later visit without purchase. */
function buyAndLook(seen: Seen, order: Order): void {
  const { random } = seen.stage
  const now = seen.stage.now.getTime()
  const enter = order.time - random.int(90, 600) * 1000
  const leave = order.time + random.int(15, 70) * 1000
  visit(seen, { ...order, enter, leave: leave < now ? leave : null, order, taken: order.lines })
  if (!random.chance(0.15)) return
  const came = order.time + random.int(5, 40) * MINUTE_MS
  if (came + 10 * MINUTE_MS >= now) return
  visit(seen, {
    shopId: order.shopId,
    wxUserId: random.chance(0.5) ? order.wxUserId : null,
    enter: came,
    leave: came + random.int(1, 8) * MINUTE_MS,
    taken: [],
  })
}

function leaveUnpaid(seen: Seen, orders: readonly Order[]): void {
  for (const hoursAgo of [3, 31, 77]) {
    const near = orders.findLast((order) => order.time < seen.stage.now.getTime() - hoursAgo * HOUR_MS)
    if (near)
      visit(seen, {
        shopId: near.shopId,
        wxUserId: null,
        enter: near.time + 12 * MINUTE_MS,
        leave: near.time + 16 * MINUTE_MS,
        taken: near.lines.slice(0, 1),
      })
  }
}

type Visit = {
  shopId: string
  wxUserId: string | null
  enter: number
  leave: number | null
  order?: Order
  taken: { goodId: string; quantity: number }[]
}

function visit(seen: Seen, one: Visit): void {
  const { shopId, wxUserId, enter, leave, order } = one
  const id = newId()
  const moments = momentsOf(one, seen.stage.now.getTime())
  for (const [kind, time, device, more] of moments.toSorted((a, b) => a[1] - b[1]))
    seen.records.push([
      newId(),
      id,
      kind,
      text(time),
      device,
      more.goodId ?? null,
      more.quantity ?? 1,
      more.orderId ?? null,
    ])
  const result = leave
    ? determineVisitResult(
        moments.map(([kind, , , more]) => ({ kind, goodId: more.goodId ?? null, quantity: more.quantity ?? 1 })),
        order?.lines ?? [],
      )
    : null
  seen.visits.push([
    id,
    shopId,
    wxUserId,
    text(enter),
    leave && text(leave),
    'scan',
    order ? [order.id] : [],
    order?.paid ?? 0,
    result,
    0,
    text(enter),
    text(leave ?? enter),
  ])
  openDoor(seen, one, id)
  if (order) seen.tied.push([order.id, id])
  if (result === 'unpaid') seen.unpaid.push({ shopId, visitId: id, time: leave! })
}

type Moment = [
  kind: string,
  time: number,
  device: string,
  more: { goodId?: string; quantity?: number; orderId?: string },
]

const momentsOf = ({ enter, leave, order, taken }: Visit, now: number): Moment[] => [
  ['scanned', enter - 9_000, '门口扫码器', {}],
  ['opened', enter - 6_000, '前门', {}],
  ['entered', enter, '进门摄像头', {}],
  ...taken.map(({ goodId, quantity }, at): Moment => [
    'picked',
    enter + ((at + 1) * ((leave ?? now) - enter)) / (taken.length + 3),
    '货架摄像头',
    { goodId, quantity },
  ]),
  ...(order ? ([['paid', order.time, '收银机', { orderId: order.id }]] satisfies Moment[]) : []),
  ...(leave ? ([['left', leave, '出门摄像头', {}]] satisfies Moment[]) : []),
]

function openDoor({ db, stage, doors }: Seen, { shopId, wxUserId, enter }: Visit, visitId: string): void {
  doors.push([
    newId(),
    shopId,
    `GW-${db.tenantId}-${stage.shops.find((shop) => shop.shopId === shopId)!.code}`,
    '1',
    'open',
    'customer',
    null,
    wxUserId,
    'done',
    null,
    stage.random.int(180, 900),
    visitId,
    `D${visitId}`,
    0,
    text(enter - 6_000),
    text(enter - 6_000),
  ])
}

/** Creates door commands from the office, and one refused entry. */
function commandDoors(
  { db, stage, doors }: Seen,
  { shopId, code, bossUserId }: StorySeedContext['shops'][number],
): void {
  const { random, now } = stage
  const command = (
    hoursAgo: number,
    action: string,
    source: string,
    userId: string | null,
    result: string,
    reason: string | null,
    costMs: number,
  ) => {
    const id = newId()
    const time = text(now.getTime() - hoursAgo * HOUR_MS)
    doors.push([
      id,
      shopId,
      `GW-${db.tenantId}-${code}`,
      '1',
      action,
      source,
      userId,
      null,
      result,
      reason,
      costMs,
      null,
      `D${id}`,
      0,
      time,
      time,
    ])
  }
  command(26, 'hold', 'office', bossUserId, 'done', null, 420)
  command(25.5, 'release', 'office', bossUserId, 'done', null, 390)
  command(9, 'open', 'customer', null, 'refused', '未绑定手机号', 35)
  if (random.chance(0.5)) command(14, 'open', 'office', bossUserId, 'unknown', '网关未确认，请查看门状态', 8000)
}

/** Raises the event about the latest unpaid visit. */
async function warnOfLast({ db, unpaid }: Seen): Promise<void> {
  const last = unpaid.toSorted((a, b) => b.time - a.time)[0]
  if (!last) return
  const time = text(last.time).slice(11, 16)
  await raiseEvent(db, {
    shopId: last.shopId,
    type: 'unpaidLeave',
    subject: `visit/${last.visitId}`,
    at: new Date(last.time),
    content: { zh: `${time} 有顾客未付款离店`, en: `A customer left without paying at ${time}` },
  })
}

const VISIT_COLUMNS = {
  id: 'bigint',
  shop_id: 'bigint',
  wx_user_id: 'bigint',
  enter_time: 'timestamptz',
  leave_time: 'timestamptz',
  entry_mode: 'text',
  order_ids: 'bigint[]',
  paid_amount: 'bigint',
  result: 'text',
  ...auditColumnTypes,
}
const RECORD_COLUMNS = {
  id: 'bigint',
  visit_id: 'bigint',
  kind: 'text',
  time: 'timestamptz',
  device_name: 'text',
  good_id: 'bigint',
  quantity: 'integer',
  order_id: 'bigint',
}
const DOOR_COLUMNS = {
  id: 'bigint',
  shop_id: 'bigint',
  client_id: 'text',
  door_no: 'text',
  action: 'text',
  source: 'text',
  user_id: 'bigint',
  wx_user_id: 'bigint',
  result: 'text',
  reason: 'text',
  cost_ms: 'integer',
  visit_id: 'bigint',
  command_id: 'text',
  ...auditColumnTypes,
}

type Work = {
  code: string
  type: string
  title: string
  content: string
  status: number
  daysAgo: number
  worker?: string
  planDays?: number
  result?: string
  devices?: [string, string, string, string][]
}

const WORKS: Record<string, Work[]> = {
  100001: [
    {
      code: 'S005',
      type: 'install',
      title: '钱江新城店加装货架摄像头',
      content: '冷柜区与零食区各 1 台，走明线',
      status: WORK_ORDER_STATE.running,
      daysAgo: 2,
      worker: 'xu',
      planDays: 0,
      devices: [
        ['camera', 'CAM-HZ-2201', '冷柜区', 'install'],
        ['camera', 'CAM-HZ-2202', '零食区', 'install'],
      ],
    },
    {
      code: 'S002',
      type: 'repair',
      title: '文三路店前门闭门器异响',
      content: '关门后回弹，夜间有门未关告警',
      status: WORK_ORDER_STATE.waiting,
      daysAgo: 0,
      devices: [['door', 'DOOR-S002-1', '前门', 'repair']],
    },
    {
      code: 'S004',
      type: 'repair',
      title: '武林广场店 1 号冷柜温度偏高',
      content: '连续三天高于 8℃，检查门封条',
      status: WORK_ORDER_STATE.assigned,
      daysAgo: 1,
      worker: 'xu',
      planDays: 1,
    },
    {
      code: 'S001',
      type: 'inspect',
      title: '西溪湿地店季度巡检',
      content: '门禁、摄像头、价签、消防通道',
      status: WORK_ORDER_STATE.assigned,
      daysAgo: 6,
      worker: 'zhou',
      planDays: -2,
    },
    {
      code: 'S003',
      type: 'survey',
      title: '滨江龙湖店外摆区勘测',
      content: '量电源与网络点位',
      status: WORK_ORDER_STATE.waiting,
      daysAgo: 3,
    },
    {
      code: 'S001',
      type: 'install',
      title: '西溪湿地店更换收银机',
      content: '旧机触屏失灵',
      status: WORK_ORDER_STATE.done,
      daysAgo: 21,
      worker: 'zhou',
      planDays: -19,
      result: '新机已上线，旧机带回',
      devices: [['register', 'REG-OLD-S001', '收银台', 'remove']],
    },
    {
      code: 'S004',
      type: 'repair',
      title: '武林广场店小票机卡纸',
      content: '',
      status: WORK_ORDER_STATE.done,
      daysAgo: 34,
      worker: 'xu',
      planDays: -33,
      result: '清理切刀，试打正常',
    },
    {
      code: 'S005',
      type: 'remove',
      title: '钱江新城店拆除旧音箱',
      content: '',
      status: WORK_ORDER_STATE.cancelled,
      daysAgo: 40,
      result: '与安装工单合并',
    },
  ],
  100002: [
    {
      code: 'N03',
      type: 'repair',
      title: '萧山市心路店网关离线',
      content: '现场查路由器与电源',
      status: WORK_ORDER_STATE.assigned,
      daysAgo: 0,
      worker: 'he',
      planDays: 0,
      devices: [['gateway', 'GW-100002-N03', '弱电箱', 'inspect']],
    },
    {
      code: 'N01',
      type: 'inspect',
      title: '下沙大学城店月度巡检',
      content: '开学季前检查',
      status: WORK_ORDER_STATE.done,
      daysAgo: 15,
      worker: 'he',
      planDays: -14,
      result: '价签 12 个换电池，其余正常',
    },
    {
      code: 'N02',
      type: 'survey',
      title: '未来科技城店加装门禁勘测',
      content: '后门改双向刷码',
      status: WORK_ORDER_STATE.waiting,
      daysAgo: 1,
    },
  ],
}

async function seedWork(db: Db, { shops, users, now }: StorySeedContext): Promise<void> {
  for (const [at, work] of WORKS[db.tenantId]!.entries()) {
    const shop = shops.find(({ code }) => code === work.code)!
    const created = now.getTime() - work.daysAgo * DAY_MS - 3 * HOUR_MS
    const plan =
      work.planDays === undefined
        ? null
        : text(Math.floor((now.getTime() + work.planDays * DAY_MS) / HOUR_MS) * HOUR_MS)
    const isOver = work.status >= WORK_ORDER_STATE.done
    const row = await db.insert(workInfo, {
      workNo: `W${text(created).slice(2, 10).replaceAll('-', '')}${String(at + 1).padStart(4, '0')}`,
      shopId: shop.shopId,
      type: work.type,
      title: work.title,
      content: work.content || null,
      status: work.status,
      contact: '店长',
      phone: '13857100001',
      workerUserId: work.worker ? users.get(work.worker)! : null,
      planTime: plan,
      startTime:
        work.status === WORK_ORDER_STATE.running || work.status === WORK_ORDER_STATE.done
          ? text(created + 5 * HOUR_MS)
          : null,
      finishTime: isOver ? text(created + 30 * HOUR_MS) : null,
      resultRemark: work.result ?? null,
      createTime: text(created),
    })
    for (const [deviceType, sn, position, action] of work.devices ?? [])
      await db.insert(workDevice, { workId: row.id, shopId: shop.shopId, deviceType, sn, position, action })
  }
}

type Lead = {
  name: string
  phone: string
  district: string
  area: number | null
  budget: number
  hasShop: boolean
  source: string
  message: string
  status: number
  daysAgo: number
  nextHours?: number
  said?: string[]
}

const LEADS: Lead[] = [
  {
    name: '方芸',
    phone: '13868120011',
    district: '330106',
    area: 45,
    budget: 18_000_000,
    hasShop: true,
    source: 'mini',
    message: '小区门口有转角铺，想做无人便利店',
    status: LEAD_STATE.fresh,
    daysAgo: 0,
  },
  {
    name: '何志远',
    phone: '13957120012',
    district: '330110',
    area: null,
    budget: 25_000_000,
    hasShop: false,
    source: 'web',
    message: '未来科技城园区内，想了解加盟政策',
    status: LEAD_STATE.fresh,
    daysAgo: 1,
  },
  {
    name: '孙海燕',
    phone: '13588120013',
    district: '330108',
    area: 60,
    budget: 22_000_000,
    hasShop: true,
    source: 'friend',
    message: '林老板介绍的',
    status: LEAD_STATE.contact,
    daysAgo: 6,
    nextHours: 2,
    said: ['介绍了加盟模式，对夜间无人很感兴趣', '发了滨江店的经营数据，约看店'],
  },
  {
    name: '蒋伟',
    phone: '13666120014',
    district: '330114',
    area: 80,
    budget: 30_000_000,
    hasShop: true,
    source: 'fair',
    message: '',
    status: LEAD_STATE.contact,
    daysAgo: 12,
    nextHours: -20,
    said: ['展会上留的电话，铺面还有半年租约'],
  },
  {
    name: '罗敏',
    phone: '13738120015',
    district: '330102',
    area: 38,
    budget: 15_000_000,
    hasShop: true,
    source: 'phone',
    message: '原来开奶茶店',
    status: LEAD_STATE.contact,
    daysAgo: 3,
    nextHours: 40,
    said: ['门头只有 3 米，已请工程部看图'],
  },
  {
    name: '赵国强',
    phone: '13905710016',
    district: '330109',
    area: 70,
    budget: 28_000_000,
    hasShop: true,
    source: 'friend',
    message: '',
    status: LEAD_STATE.signed,
    daysAgo: 45,
    said: ['现场看店，位置好', '谈定分成比例', '合同已签，下月进场'],
  },
  {
    name: '邓丽',
    phone: '13588120017',
    district: '330105',
    area: 20,
    budget: 6_000_000,
    hasShop: false,
    source: 'mini',
    message: '想做副业',
    status: LEAD_STATE.rejected,
    daysAgo: 30,
    said: ['预算不足，面积低于 30 平方米'],
  },
]

async function seedLeads(db: Db, { users, now }: StorySeedContext): Promise<void> {
  const userId = users.get('wu')!

  for (const lead of LEADS) {
    const created = now.getTime() - lead.daysAgo * DAY_MS - 5 * HOUR_MS
    const remarks = lead.said ?? []
    const next =
      lead.nextHours === undefined
        ? null
        : text(Math.floor((now.getTime() + lead.nextHours * HOUR_MS) / HOUR_MS) * HOUR_MS)
    const isOver = lead.status >= LEAD_STATE.signed
    const at = (n: number) => text(created + (n + 1) * DAY_MS * 0.8)
    const row = await db.insert(joinUs, {
      name: lead.name,
      phone: lead.phone,
      district: lead.district,
      ...regionsOfDistrict(lead.district),
      shopArea: lead.area,
      budget: lead.budget,
      hasShop: lead.hasShop,
      source: lead.source,
      message: lead.message || null,
      status: lead.status,
      followUser: remarks.length ? userId : null,
      followRemark: remarks.at(-1) ?? null,
      lastFollowTime: remarks.length ? at(remarks.length - 1) : null,
      followCount: remarks.length,
      nextFollowTime: next,
      closeTime: isOver ? at(remarks.length - 1) : null,
      createTime: text(created),
    })
    for (const [n, content] of remarks.entries()) {
      await db.insert(joinUsFollow, {
        joinId: row.id,
        way: n ? 'visit' : 'phone',
        content,
        userId,
        status: isOver && n === remarks.length - 1 ? lead.status : LEAD_STATE.contact,
        nextFollowTime: n === remarks.length - 1 ? next : at(n + 1),
        createTime: at(n),
      })
    }
  }
}
