import { sql, type Db } from '#kit/server/database/db.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import type { PatchOf, NewRowOf } from '#kit/resource/index.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { advertising } from './advertising.resource.ts'
import { bannerConf } from './banner-conf.resource.ts'
import { campaignEndQueue } from './campaign.server.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import { discountTicket } from './discount-ticket.resource.ts'
import { marketingInfo } from './marketing-info.resource.ts'
import { updateShopResultsStatus, createCampaignShopResults } from './shop-results.ts'
import { issueCoupons } from './coupons.ts'

const DAY_MS = 86_400_000

/** Writes campaigns, tickets, banners and ads. Sales of the demo registers use them later. */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  const day = (offset: number, time = '00:00:00') =>
    `${formatShanghaiTime(new Date(stage.now.getTime() + offset * DAY_MS)).slice(0, 10)} ${time}`
  const types = new Map(
    (
      await db.query<{ id: string; name: string }>(
        sql`select id, name from good_type where tenant_id = ${db.tenantId} and is_deleted = 0 order by id`,
      )
    ).map((row) => [row.name, row.id]),
  )
  const typeIds = (...names: string[]) => names.flatMap((name) => types.get(name) ?? [])
  const firstShops = stage.shops.slice(0, 2).map((shop) => shop.shopId)
  const campaigns = await seedCampaigns(db, stage, day, typeIds, firstShops)
  await seedTickets(db, day, typeIds)
  await seedScreens(db, day, firstShops)
  await seedArticles(db, day, campaigns)
}

/** A row of the demo data without the columns all rows of its kind share. */
type DemoRow<R, K extends string> = PatchOf<R> & Omit<NewRowOf<R>, K>
type Day = (offset: number, time?: string) => string
type TypeIds = (...names: string[]) => string[]

/** A campaign of the demo data: days relative to today, categories by name. */
type Campaign = DemoRow<typeof discountConf, keyof typeof CAMPAIGN_START | 'startTime' | 'endTime'> & {
  from: number
  until: number
  untilTime?: string
  stopped?: [day: number, time: string]
  goodTypes?: string[]
  inFirstShops?: boolean
}

const CAMPAIGN_START = {
  membersOnly: false,
  stackable: false,
  withVip: true,
  withTicket: true,
  priority: 10,
  perUser: 0,
  usedAmount: 0,
  reservedAmount: 0,
  usedCount: 0,
}

const CAMPAIGNS: readonly Campaign[] = [
  {
    name: '满 30 减 5',
    type: 'fullReduction',
    rules: {
      tiers: [
        { over: '30.00', off: '5.00' },
        { over: '60.00', off: '12.00' },
      ],
      repeat: false,
    },
    status: CAMPAIGN_STATE.published,
    from: -9,
    until: 21,
    budget: 200_000,
    priority: 20,
    remark: '每周客单价 30 元以上的提升活动',
  },
  {
    name: '饮料第二件半价',
    type: 'nthPiece',
    rules: { n: 2, rate: '50.00', mixed: true },
    goodTypes: ['饮料'],
    status: CAMPAIGN_STATE.published,
    from: -6,
    until: 8,
    perUser: 3,
    stackable: true,
    remark: '每人限 3 次',
  },
  {
    name: '零食任选 3 件 15 元',
    type: 'bundle',
    rules: { pieces: 3, price: '15.00', items: [] },
    goodTypes: ['零食'],
    inFirstShops: true,
    status: CAMPAIGN_STATE.published,
    from: -4,
    until: 10,
    withTicket: false,
  },
  {
    name: '短保面包便当 7 折',
    type: 'percentage',
    rules: { rate: '70.00', cap: '' },
    goodTypes: ['便当饭团', '面包糕点'],
    status: CAMPAIGN_STATE.draft,
    from: 2,
    until: 32,
    remark: '处理临期短保，先试算毛利',
  },
  {
    name: '会员日酸奶 3.9 元',
    type: 'fixedPrice',
    rules: { price: '3.90', maxPieces: 4 },
    goodTypes: ['酸奶'],
    membersOnly: true,
    status: CAMPAIGN_STATE.draft,
    from: 5,
    until: 6,
    untilTime: '23:59:59',
    budget: 50_000,
  },
  {
    name: '开学季满 20 减 3',
    type: 'fullReduction',
    rules: { tiers: [{ over: '20.00', off: '3.00' }], repeat: true },
    status: CAMPAIGN_STATE.published,
    from: -20,
    until: -10,
    budget: 100_000,
    priority: 15,
  },
  {
    name: '啤酒 8 折',
    type: 'percentage',
    rules: { rate: '80.00', cap: '' },
    goodTypes: ['啤酒'],
    inFirstShops: true,
    status: CAMPAIGN_STATE.stopped,
    from: -14,
    until: 3,
    stopped: [-13, '10:20:00'],
    stopReason: '进价上调，折后低于成本',
  },
]

async function seedCampaigns(
  db: Db,
  stage: StorySeedContext,
  day: Day,
  typeIds: TypeIds,
  firstShops: string[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { from, until, untilTime, stopped, goodTypes, inFirstShops, ...draft } of CAMPAIGNS) {
    const isPublic = draft.status !== CAMPAIGN_STATE.draft
    const startTime = day(from)
    const row = await db.insert(discountConf, {
      ...CAMPAIGN_START,
      ...draft,
      startTime,
      endTime: day(until, untilTime),
      ...(stopped ? { stopTime: day(...stopped) } : {}),
      ...(goodTypes ? { goodTypeIds: typeIds(...goodTypes) } : {}),
      ...(inFirstShops ? { shopIds: firstShops } : {}),
      upcs: [],
      ...(isPublic
        ? {
            publishTime: formatShanghaiTime(new Date(parseShanghaiTime(startTime).getTime() - DAY_MS / 2)),
            publishUser: stage.shops[0]!.bossUserId,
          }
        : {}),
    })
    ids.set(row.name, row.id)
    if (!isPublic) continue
    await createCampaignShopResults(db, row)
    if (row.status === CAMPAIGN_STATE.stopped) await updateShopResultsStatus(db, row.id, CAMPAIGN_STATE.stopped)
    else await db.enqueue(campaignEndQueue, { id: row.id }, { key: row.id, runAt: parseShanghaiTime(row.endTime) })
  }
  return ids
}

const TICKET_START = {
  threshold: 0,
  total: 0,
  perUser: 1,
  received: 0,
  used: 0,
  enabled: true,
  stackable: false,
  upcs: [],
}
type Giving = {
  draft: DemoRow<typeof discountTicket, keyof typeof TICKET_START>
  to: string[]
  source: 'office' | 'level'
  at: string
}

async function seedTickets(db: Db, day: Day, typeIds: TypeIds): Promise<void> {
  const customers = (
    await db.query<{ id: string }>(
      sql`select id from wx_user where tenant_id = ${db.tenantId} and merged_into is null order by openid, id`,
    )
  ).map((row) => row.id)
  const members = (
    await db.query<{ id: string }>(
      sql`select id from wx_user where tenant_id = ${db.tenantId} and merged_into is null and vip_level > 0
        order by openid, id`,
    )
  ).map((row) => row.id)
  for (const { draft, to, source, at } of givings(day, typeIds, customers, members)) {
    const kind = await db.insert(discountTicket, { ...TICKET_START, ...draft })
    if (to.length) await issueCoupons(db, kind, to, { source, at })
  }
  await db.run(
    sql`update customer_ticket set create_time = start_time, update_time = start_time where tenant_id = ${db.tenantId}`,
  )
}

/** Kinds of tickets, and the customers they are issued to. */
const givings = (day: Day, typeIds: TypeIds, customers: string[], members: string[]): Giving[] => [
  {
    draft: {
      name: '新客立减 3 元',
      code: 'NEW3',
      type: 'amount',
      amount: 300,
      threshold: 1500,
      validDays: 15,
      total: 2000,
    },
    to: customers.slice(0, Math.ceil(customers.length / 3)),
    source: 'office',
    at: day(-6, '10:00:00'),
  },
  {
    draft: { name: '会员 88 折券', code: 'VIP88', type: 'rate', rate: 88, cap: 1000, threshold: 2000, validDays: 30 },
    to: members,
    source: 'level',
    at: day(-3, '09:30:00'),
  },
  {
    draft: {
      name: '咖啡 2 元券',
      code: 'COFFEE2',
      type: 'amount',
      amount: 200,
      goodTypeIds: typeIds('咖啡'),
      validFrom: day(-2),
      validTo: day(28),
      total: 500,
      stackable: true,
    },
    to: customers.slice(10, 40),
    source: 'office',
    at: day(-2, '08:00:00'),
  },
  {
    draft: {
      name: '中秋满 50 减 8',
      code: 'MOON8',
      type: 'amount',
      amount: 800,
      threshold: 5000,
      validFrom: day(-40),
      validTo: day(-25),
      total: 300,
      enabled: false,
    },
    to: [],
    source: 'office',
    at: day(-40),
  },
]

async function seedScreens(db: Db, day: Day, firstShops: string[]): Promise<void> {
  for (const banner of banners(day)) await db.insert(bannerConf, banner)
  for (const advert of adverts(day, firstShops)) await db.insert(advertising, advert)
}

const banners = (day: Day): NewRowOf<typeof bannerConf>[] => [
  {
    title: '满 30 减 5 进行中',
    position: 'home',
    picture: '/story/banner-save.svg',
    link: '/pages/goods/index',
    startTime: day(-9),
    endTime: day(21),
    sort: 1,
    enabled: true,
  },
  {
    title: '办会员，天天会员价',
    position: 'home',
    picture: '/story/banner-member.svg',
    link: '/pages/member/join',
    sort: 2,
    enabled: true,
  },
  {
    title: '夏日冰饮节',
    position: 'goods',
    picture: '/story/banner-drinks.svg',
    startTime: day(-60),
    endTime: day(-30),
    sort: 1,
    enabled: true,
  },
  {
    title: '周年庆预告',
    position: 'home',
    picture: '/story/banner-save.svg',
    startTime: day(12),
    endTime: day(20),
    sort: 3,
    enabled: true,
  },
]

const adverts = (day: Day, firstShops: string[]): NewRowOf<typeof advertising>[] => [
  {
    name: '收银屏：满 30 减 5',
    screen: 'register',
    type: 'picture',
    material: '/story/banner-save.svg',
    seconds: 10,
    startTime: day(-9),
    endTime: day(21),
    sort: 1,
    enabled: true,
  },
  {
    name: '收银屏：扫码入会',
    screen: 'register',
    type: 'picture',
    material: '/story/banner-member.svg',
    seconds: 8,
    sort: 2,
    enabled: true,
  },
  {
    name: '门口屏：早餐时段',
    screen: 'door',
    type: 'picture',
    material: '/story/banner-drinks.svg',
    seconds: 15,
    dayStart: '06:30',
    dayEnd: '10:00',
    shopIds: firstShops,
    sort: 1,
    enabled: true,
  },
  {
    name: '门口屏：夜间无人值守提示',
    screen: 'door',
    type: 'picture',
    material: '/story/banner-member.svg',
    seconds: 12,
    dayStart: '22:00',
    dayEnd: '07:00',
    sort: 2,
    enabled: true,
  },
  {
    name: '小程序开屏：饮料第二件半价',
    screen: 'app',
    type: 'picture',
    material: '/story/banner-drinks.svg',
    seconds: 5,
    startTime: day(-6),
    endTime: day(8),
    sort: 1,
    enabled: true,
  },
]

async function seedArticles(db: Db, day: Day, campaigns: ReadonlyMap<string, string>): Promise<void> {
  const articles: DemoRow<typeof marketingInfo, 'enabled'>[] = [
    {
      title: '这个月，满 30 减 5、满 60 减 12',
      cover: '/story/banner-save.svg',
      channel: 'mini',
      discountConfId: campaigns.get('满 30 减 5'),
      startTime: day(-9),
      endTime: day(21),
      readCount: 1286,
      body:
        '<h3>怎么算</h3><p>一单商品满 30 元减 5 元，满 60 元减 12 元，结账时自动减，不用领券。' +
        '</p><ul><li>会员价之后再满减</li><li>可以再用一张优惠券</li></ul><p>活动总额有限，用完即止。</p>',
    },
    {
      title: '饮料第二件半价，每人 3 次',
      cover: '/story/banner-drinks.svg',
      channel: 'moments',
      discountConfId: campaigns.get('饮料第二件半价'),
      startTime: day(-6),
      endTime: day(8),
      readCount: 412,
      body: '<p>全部饮料任选两件，便宜的那件半价。登录小程序后每人可享 3 次。</p><p><strong>适合转发到业主群。</strong></p>',
    },
    {
      title: '深夜一个人也能放心逛',
      cover: '/story/banner-member.svg',
      channel: 'official',
      startTime: day(-30),
      readCount: 2031,
      body: '<p>22 点以后扫码进店，自助结账。店内有 24 小时客服，按铃即应。</p>',
    },
  ]
  for (const article of articles) await db.insert(marketingInfo, { enabled: true, ...article })
}
