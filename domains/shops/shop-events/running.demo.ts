import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { eventLevels, type EventType } from './event.resource.ts'
import { noticeSubscribe } from './notice-subscribe.resource.ts'
import { wechatTemplate } from './wechat-template.resource.ts'
import { importWechatMessagesDemo } from '#domains/messaging/wechat-messages/api.ts'
import { shopConf, wxShoper } from '#domains/shops/shops/index.ts'
import { importShopsDemo, insertDefaultShopConf, type StorySeedContext } from '#domains/shops/shops/api.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Happening = { type: EventType; subject: string; zh: string; en: string; remark?: string }

/** Typical events of unattended shops. */
const HAPPENINGS: readonly Happening[] = [
  {
    type: 'doorLeftOpen',
    subject: 'door/1',
    zh: '前门超过 3 分钟未关好',
    en: 'The front door has been open for more than 3 minutes',
    remark: '电话联系附近店员，已关好',
  },
  {
    type: 'temperature',
    subject: 'fridge/1',
    zh: '1 号冷柜 9.2℃，高于 8℃',
    en: 'Fridge 1 is at 9.2 °C, above 8 °C',
    remark: '柜门没关严，已恢复到 4℃',
  },
  {
    type: 'temperature',
    subject: 'freezer/1',
    zh: '冰柜 -11℃，高于 -15℃',
    en: 'The freezer is at -11 °C, above -15 °C',
    remark: '除霜后恢复',
  },
  {
    type: 'tagBatteryLow',
    subject: 'tag/A-07',
    zh: '价签 A-07 电量 2.5V',
    en: 'Price tag A-07 is down to 2.5 V',
    remark: '已换电池',
  },
  {
    type: 'tagBatteryLow',
    subject: 'tag/C-12',
    zh: '价签 C-12 电量 2.4V',
    en: 'Price tag C-12 is down to 2.4 V',
    remark: '已换电池',
  },
  {
    type: 'intrusion',
    subject: 'camera/2',
    zh: '仓库区域有人进入',
    en: 'Somebody went into the storage area',
    remark: '核对录像，是送货员走错',
  },
  {
    type: 'sos',
    subject: 'button/1',
    zh: '店内求助按钮被按下',
    en: 'The help button in the shop was pressed',
    remark: '小朋友误按，已电话确认',
  },
  {
    type: 'offline',
    subject: '',
    zh: '门店失去联系',
    en: 'Nothing heard of the shop',
    remark: '路由器断电，重新上电后恢复',
  },
]

/** Events still open today, by tenant and shop. */
const OPEN: Record<string, { code: string; at: number; hoursAgo: number; count: number; by?: string }[]> = {
  100001: [
    { code: 'S002', at: 0, hoursAgo: 0.4, count: 2 },
    { code: 'S004', at: 1, hoursAgo: 1.5, count: 6, by: 'xu' },
    { code: 'S001', at: 3, hoursAgo: 20, count: 1 },
    { code: 'S005', at: 5, hoursAgo: 0.2, count: 1 },
  ],
  100002: [
    { code: 'N01', at: 1, hoursAgo: 2, count: 3 },
    { code: 'N03', at: 7, hoursAgo: 3, count: 1 },
  ],
}

const PER_SHOP = 9

/** Seeds settings, events, subscriptions and unattended nights of the shops. */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  await seedSettings(db, stage)
  await seedBosses(db, stage)
  await seedWechat(db, stage)
  await seedEvents(db, stage)
  await seedNights(db, stage)
}

async function seedSettings(db: Db, { shops, now }: StorySeedContext): Promise<void> {
  const { demoShops: storyShops } = await importShopsDemo()
  for (const [at, { shopId, code }] of shops.entries()) {
    const demoShop = storyShops[db.tenantId]!.find((one) => one.code === code)!
    const conf = await insertDefaultShopConf(db, shopId)
    const isFresh = !demoShop.silentHours
    await db.update(shopConf, conf.id, {
      unmannedEnabled: demoShop.mode === 2,
      payTypes: ['wechat', 'alipay', 'balance', 'card', 'cash'],
      deliveryEnabled: true,
      doorHoldSeconds: at === 0 ? 8 : 5,
      lightSchedule: [{ from: '06:30', to: demoShop.mode === 3 ? '22:00' : '23:30', days: [1, 2, 3, 4, 5, 6, 7] }],
      alertPhones: [demoShop.code.startsWith('S') ? '13857100001' : '13857200001'],
      wantedVersion: 3,
      reportedVersion: isFresh ? 3 : 2,
      reportedTime: formatShanghaiTime(new Date(now.getTime() - (isFresh ? 2 : 30) * HOUR_MS)),
    })
  }
}

const NICKNAMES: Record<string, [string, string]> = {
  lin: ['晓晓便利', '13857100002'],
  chen: ['陈老板', '13857100003'],
  qiao: ['北风', '13857200002'],
}

async function seedBosses(db: Db, { shops, users, now }: StorySeedContext): Promise<void> {
  for (const [account, [nickname, phone]] of Object.entries(NICKNAMES)) {
    const userId = users.get(account)
    if (!userId) continue
    const own = shops.filter((shop) => shop.bossUserId === userId).map(({ shopId }) => shopId)
    await db.insert(wxShoper, {
      nickname,
      phone,
      openid: `oBoss-${account}-6f1c`,
      role: 'boss',
      userId,
      shopIds: own,
      bindTime: formatShanghaiTime(new Date(now.getTime() - 80 * DAY_MS)),
    })
    const rest = { userId, shopIds: [], quietStart: '22:30', quietEnd: '07:00', enabled: true }
    await db.insert(noticeSubscribe, { ...rest, channels: ['site'], eventTypes: Object.keys(eventLevels) })
    await db.insert(noticeSubscribe, {
      ...rest,
      channels: ['sms'],
      eventTypes: ['offline', 'doorForced', 'intrusion', 'sos'],
    })
    await db.insert(noticeSubscribe, { ...rest, channels: ['wechat'], eventTypes: ['offline', 'intrusion', 'sos'] })
  }
}

/** Sets up WeChat notifications to bosses, with a template of a mini program. */
async function seedWechat(db: Db, { services, now }: StorySeedContext): Promise<void> {
  const { seedWechatApp: seedApp, DEMO_WECHAT_TEMPLATE: DEMO_TEMPLATE } = await importWechatMessagesDemo()
  const boss = await db.one<{ openid: string }>(
    sql`select openid from wx_shoper where tenant_id = ${db.tenantId} and is_deleted = 0 order by id limit 1`,
  )
  const wechatAppId = await seedApp(db, services, { now, openid: boss!.openid })
  await db.insert(wechatTemplate, { notice: 'event', wechatAppId, ...DEMO_TEMPLATE, enabled: true })
}

/** Returns to whom the tenant's mini program may write, and its templates with their fields. */
export async function findWechatRecipients(db: Db): Promise<{ openids: string[]; templates: Map<string, string[]> }> {
  const people = await db.find(wxShoper, sql`true`, sql`order by r.id`)
  const templates = await db.find(wechatTemplate, sql`true`, sql`order by r.id`)
  return {
    openids: people.flatMap(({ openid }) => openid ?? []),
    templates: new Map(
      templates.map((one) => [
        one.templateNo,
        [one.contentField, one.shopField, one.timeField, one.kindField].flatMap((field) => field ?? []),
      ]),
    ),
  }
}

const COLUMNS = {
  id: 'bigint',
  shop_id: 'bigint',
  type: 'text',
  level: 'integer',
  status: 'integer',
  content: 'text',
  content_en: 'text',
  count: 'integer',
  occur_time: 'timestamptz',
  last_time: 'timestamptz',
  subject: 'text',
  handler: 'bigint',
  handle_time: 'timestamptz',
  handle_remark: 'text',
  resolve_time: 'timestamptz',
  open_key: 'text',
  create_user: 'bigint',
  update_user: 'bigint',
  create_time: 'timestamptz',
  update_time: 'timestamptz',
}

type DemoShopEvent = {
  shopId: string
  bossUserId: string
  eventId: string
  content: string
  en: string
  level: number
  type: EventType
  time: number
}

async function seedEvents(db: Db, stage: StorySeedContext): Promise<void> {
  const { shops } = stage
  const events = [...shops.flatMap((shop) => solvedIn(shop, stage)), ...openIn(db.tenantId, stage)]
  const rows = events.map((event) => eventRow(event, stage.now.getTime()))
  await bulkInsert(db, 'shop_event', COLUMNS, rows)
  await seedNotices(
    db,
    events.map(({ id, shop, time, happening: { type, zh, en } }) => ({
      shopId: shop.shopId,
      bossUserId: shop.bossUserId,
      eventId: id,
      content: zh,
      en,
      level: eventLevels[type],
      type,
      time,
    })),
    shops,
  )
}

type Shop = StorySeedContext['shops'][number]
type DemoEvent = {
  id: string
  shop: Shop
  happening: Happening
  time: number
  count: number
  status: number
  handler: string | null
  handled: number | null
  resolved: number | null
}

/** Past events of a shop, all resolved. */
const solvedIn = (shop: Shop, { random, now, days }: StorySeedContext): DemoEvent[] =>
  Array.from({ length: PER_SHOP }, () => {
    const happening = random.pick(HAPPENINGS)
    const time = now.getTime() - Math.floor((1 + random.next() * (days - 2)) * DAY_MS)
    const resolved = time + random.int(5, 240) * 60_000
    const isSelf = happening.type === 'offline' || random.chance(0.2)
    const count = random.weighted([1, 2, 3, 5], [6, 2, 1, 1])
    const handler = isSelf ? null : shop.bossUserId
    const handled = isSelf ? null : resolved - random.int(1, 4) * 60_000
    return { id: newId(), shop, happening, time, count, status: 2, handler, handled, resolved }
  })

const openIn = (tenantId: string, { shops, users, now }: StorySeedContext): DemoEvent[] =>
  OPEN[tenantId]!.map(({ code, at, hoursAgo, count, by }) => {
    const time = now.getTime() - hoursAgo * HOUR_MS
    return {
      id: newId(),
      shop: shops.find((one) => one.code === code)!,
      happening: HAPPENINGS[at]!,
      time,
      count,
      status: by ? 1 : 0,
      handler: by ? users.get(by)! : null,
      handled: by ? time + 10 * 60_000 : null,
      resolved: null,
    }
  })

const text = (time: number | null) => time && formatShanghaiTime(new Date(time))

function eventRow({ id, shop, happening, time, count, ...event }: DemoEvent, now: number): unknown[] {
  const { type, subject, zh, en, remark } = happening
  const last = Math.min(time + (count - 1) * 12 * 60_000, now)
  const isOver = event.status === 2
  return [
    id,
    shop.shopId,
    type,
    eventLevels[type],
    event.status,
    zh,
    en,
    count,
    text(time),
    text(last),
    subject || null,
    event.handler,
    text(event.handled),
    isOver ? (event.handler ? remark : '已自动恢复') : null,
    text(event.resolved),
    isOver ? null : `${type}/${subject}`,
    0,
    event.handler ?? 0,
    text(time),
    text(event.resolved ?? event.handled ?? last),
  ]
}

/** Seeds notifications to the bosses, on the site and by text message; the latter fail, as no SMS account is set up. */
async function seedNotices(db: Db, events: readonly DemoShopEvent[], shops: StorySeedContext['shops']): Promise<void> {
  const { demoShops: storyShops } = await importShopsDemo()
  const names = new Map(
    storyShops[db.tenantId]!.map(({ code, name }) => [shops.find((shop) => shop.code === code)!.shopId, name]),
  )

  const rows = events.flatMap(({ shopId, bossUserId, eventId, content, en, level, type, time }) =>
    (level >= 3 || type === 'offline' ? ['site', 'sms'] : ['site']).map((channel) => {
      const at = formatShanghaiTime(new Date(time))
      const isSite = channel === 'site'
      return [
        newId(),
        bossUserId,
        channel,
        'event',
        `${names.get(shopId)!}：${content}`,
        `${names.get(shopId)!}: ${en}`,
        isSite ? 'sent' : 'undeliverable',
        isSite ? null : '没有启用的短信配置',
        0,
        at,
        isSite ? at : null,
        shopId,
        eventId,
        `event/${eventId}/${bossUserId}/${channel}`,
        0,
        at,
        at,
      ]
    }),
  )

  await bulkInsert(
    db,
    'notice_log',
    {
      id: 'bigint',
      user_id: 'bigint',
      channel: 'text',
      template: 'text',
      content: 'text',
      content_en: 'text',
      result: 'text',
      error: 'text',
      retries: 'integer',
      due_time: 'timestamptz',
      send_time: 'timestamptz',
      shop_id: 'bigint',
      event_id: 'bigint',
      once_key: 'text',
      ...auditColumnTypes,
    },
    rows,
  )
}

/** Seeds the nights of shops that are unattended at night, with their sales. */
async function seedNights(db: Db, { shops, now, days }: StorySeedContext): Promise<void> {
  const { demoShops: storyShops } = await importShopsDemo()
  const at = shops.filter(({ code }) => storyShops[db.tenantId]!.find((one) => one.code === code)!.mode === 2)
  const today = formatShanghaiTime(now).slice(0, 10)
  const midnight = new Date(`${today}T00:00:00+08:00`).getTime()

  const rows = at.flatMap(({ shopId }) =>
    Array.from({ length: days - 1 }, (_unused, n) => {
      const start = midnight - n * DAY_MS - 2 * HOUR_MS
      const end = start + 9 * HOUR_MS
      const isOpen = end > now.getTime()
      return [
        newId(),
        shopId,
        isOpen ? 1 : 2,
        text(start),
        isOpen ? null : text(end),
        'schedule',
        0,
        0,
        isOpen ? 'open' : null,
        0,
        text(start),
        text(isOpen ? start : end),
      ]
    }),
  )

  await bulkInsert(
    db,
    'unmanned_log',
    {
      id: 'bigint',
      shop_id: 'bigint',
      status: 'integer',
      start_time: 'timestamptz',
      end_time: 'timestamptz',
      trigger: 'text',
      orders: 'integer',
      amount: 'bigint',
      open_key: 'text',
      ...auditColumnTypes,
    },
    rows,
  )

  await db.run(sql`
    update unmanned_log u set orders = s.orders, amount = s.amount
    from (
      select n.tenant_id, n.id, count(o.id)::int as orders, coalesce(sum(o.pay_amount), 0)::bigint as amount
      from unmanned_log n
      left join shopping_order o on o.tenant_id = n.tenant_id and o.shop_id = n.shop_id and o.status between 1 and 4
      and o.pay_time >= n.start_time and o.pay_time < n.end_time
      where n.tenant_id = ${db.tenantId} and n.status = 2 group by n.tenant_id, n.id
    ) s where s.tenant_id = u.tenant_id and s.id = u.id`)
}
