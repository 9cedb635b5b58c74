import { formatYuan } from '#kit/fields/money/cents.ts'
import { maskFunctions } from '#kit/fields/base/mask-functions.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import { isRowError } from '#kit/server/database/each-alone.ts'
import { refusalResponse } from '#kit/server/request/envelope.ts'
import { parseInput } from '#kit/server/request/parse-input.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineSystemText, translateSystemText } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { f } from '#kit/resource/index.ts'
import {
  findOrCreatePaymentAttempt,
  cancelByRegister,
  requireLastRegisterPayment,
  paymentStatusOf,
  sendCreatedAttempt,
  type PayOutcome,
} from '#domains/money/checkout/api.ts'
import {
  parseQuoteLines,
  pricedBasketToWire,
  QUOTE_MINUTES,
  createQuote,
  findUsableCoupons,
  QUOTE_LINES_MAX,
} from '#domains/sales/marketing/api.ts'
import {
  findShopConf,
  isOnline,
  loadTerminalSettings,
  recordReportedSettings,
  recordShopSeen,
  OFFLINE_AFTER_SECONDS,
} from '#domains/shops/shops/api.ts'
import { cashRegister } from './cash-register.resource.ts'
import { cashRegisterOfCaller } from './credentials.ts'
import { screenStates } from './dictionaries.ts'
import { findGoodsChangedSince } from './goods-delta.ts'
import {
  SALE_LATE_DAYS_MAX,
  LINES_MAX,
  unpaidSaleFields,
  createUnpaidSale,
  quoteHolderOfRegister,
  saleFields,
  saleJsonSchema,
  recordSale,
  type Sale,
  type SaleAnswer,
} from './sale.ts'
import { terminalAnswerSchemas } from './terminal-answers.ts'
import { homeTopic } from '#domains/shops/shops/index.ts'

export const SALES_PER_UPLOAD_MAX = 500
const terminal = { terminal: 'registers sign in with credentials of their own (Authorization: Basic sn:secret)' }

const heartbeatInput = {
  version: f.text({ label: { zh: '程序版本', en: 'Version' }, max: 40 }),
  time: f.datetime({ label: { zh: '收银机时间', en: 'Register clock' }, required: true }),
  unsent: f.number({ label: { zh: '待补传', en: 'Pending uploads' }, min: 0, max: 10_000_000 }),
  screenState: f.text({
    label: { zh: '屏幕', en: 'Screen' },
    max: 1000,
    help: {
      zh: `${screenStates.join('、')}；其他的词忽略`,
      en: `${screenStates.join(', ')}; other words are passed over`,
    },
  }),
  settingsVersion: f.number({
    label: { zh: '设置版本', en: 'Settings version' },
    min: 0,
    max: 2_000_000_000,
    help: { zh: '正在使用的门店设置的 version', en: 'The version of the store settings in use' },
  }),
}
type Heartbeat = {
  version: string | null
  time: string | null
  unsent: number | null
  screenState: string | null
  settingsVersion: number | null
}

/**
 * Records a register's heartbeat. Returns the server's time, the seconds its clock is off (positive: slow), and the
 * version of the shop's settings.
 */
async function handleHeartbeat(
  call: Call<Heartbeat>,
): Promise<{ serverTime: string; clockSkew: number; settingsVersion: number }> {
  const { registerId, shopId } = cashRegisterOfCaller(call.caller)
  const now = call.services.now()
  const { version, time, unsent, settingsVersion } = call.input
  // A newer register program may send states this server does not know.
  const screenState = screenStates.find((one) => one === call.input.screenState) ?? null
  const clockSkew = Math.round((now.getTime() - parseShanghaiTime(time!).getTime()) / 1000)
  const was = await call.db.one<{ lastHeartbeat: string | null }>(
    sql`select last_heartbeat from cash_register where id = ${registerId}
      and tenant_id = ${call.db.tenantId} for update`,
  )
  await call.db.run(sql`update cash_register set last_heartbeat = ${now.toISOString()}, clock_skew = ${clockSkew},
      app_version = coalesce(${version}, app_version), unsent = coalesce(${unsent}::int, unsent),
    screen_state = coalesce(${screenState}, screen_state) where id = ${registerId} and tenant_id = ${call.db.tenantId}`)
  await recordShopSeen(call.db, shopId, call.services)
  if (settingsVersion !== null) await recordReportedSettings(call.db, shopId, settingsVersion, now)
  const wanted = await findShopConf(call.db, shopId)
  if (!isOnline(was?.lastHeartbeat, now)) {
    publishRowsChanged(call, cashRegister, [{ id: registerId, shopId }])
    call.db.publish(homeTopic, {}, { limits: { shop: shopId } })
  }
  return { serverTime: formatShanghaiTime(now), clockSkew, settingsVersion: wanted?.wantedVersion ?? 0 }
}

async function hello(call: Call<Heartbeat>): Promise<Record<string, unknown>> {
  const { registerId, shopId } = cashRegisterOfCaller(call.caller)
  const clock = await handleHeartbeat(call)
  const shop = await call.db.one(
    sql`select id, shop_name, shop_code, status from basic_shop_info where id = ${shopId}
      and tenant_id = ${call.db.tenantId}`,
  )
  return {
    ...clock,
    register: { id: registerId, sn: call.caller.account, name: call.caller.name },
    shop,
    limits: {
      salesMax: SALES_PER_UPLOAD_MAX,
      linesMax: LINES_MAX,
      lateDays: SALE_LATE_DAYS_MAX,
      heartbeatSeconds: OFFLINE_AFTER_SECONDS / 3,
    },
  }
}

async function findCustomer(
  call: Call<{ phone: string | null; openid: string | null }>,
): Promise<Record<string, unknown>> {
  const { phone, openid } = call.input
  if (!phone && !openid) throw new Refused('missing_parameter', { name: 'phone' })
  const now = formatShanghaiTime(call.services.now())
  const [rows] = await readBatch(call.services.pool, { tenantId: call.caller.tenantId }, [
    sql`
    with recursive chain as (
      (select id, merged_into from wx_user where tenant_id = ${call.caller.tenantId} and ${
        phone
          ? sql`phone =
        ${phone}`
          : sql`openid = ${openid}`
      } order by merged_into is not null, id limit 1)
      union select w.id, w.merged_into from chain c join wx_user w on w.id = c.merged_into
      and w.tenant_id = ${call.caller.tenantId}
    )
    select id, nickname, phone, coalesce(balance, 0) as balance, coalesce(integral, 0) as integral,
    coalesce(vip_level, 0) as vip_level, coalesce(vip_end_time > ${now}::timestamptz, false) as is_vip
    from wx_user where tenant_id = ${call.caller.tenantId} and id = (select id from chain where merged_into is null)`,
  ])
  const [row] = rows as {
    id: string
    nickname: string | null
    phone: string | null
    balance: number
    integral: number
    vipLevel: number
    isVip: boolean
  }[]
  if (!row) throw new Refused('not_found', { label: { zh: '顾客', en: 'Customer' } })
  return {
    ...row,
    nickname: row.nickname ?? '',
    phone: maskFunctions.phone(row.phone ?? ''),
    balance: formatYuan(row.balance),
    tickets: await findUsableCoupons(call, row.id, cashRegisterOfCaller(call.caller).shopId),
  }
}

const quoteFields = {
  saleNo: saleFields.saleNo,
  customerId: saleFields.customerId,
  lines: f.json({
    label: saleFields.lines.label,
    required: true,
    schema: {
      type: 'array',
      maxItems: QUOTE_LINES_MAX,
      items: {
        type: 'object',
        required: ['upc', 'quantity'],
        properties: { upc: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
      },
    },
    help: { zh: '[{upc, quantity}]', en: '[{upc, quantity}]' },
  }),
  tickets: f.tags({
    label: { zh: '优惠券', en: 'Coupons' },
    maxCount: 10,
    help: {
      zh: '券号，逗号分隔；或 best 自动选最划算的一张',
      en: 'Coupon numbers separated by commas, or best to use the one that saves most',
    },
  }),
  points: f.number({
    label: { zh: '使用积分', en: 'Redeem points' },
    min: 0,
    max: 100_000_000,
    help: { zh: '最多使用的积分', en: 'Maximum points to redeem' },
  }),
}
type QuoteInput = {
  saleNo: string | null
  customerId: string | null
  lines: unknown
  tickets: string[] | null
  points: number | null
}

/**
 * Prices a basket and guarantees the price for some minutes. Repeating the request under the same number changes
 * nothing while the basket is the same.
 */
async function quote(call: Call<QuoteInput>): Promise<Record<string, unknown>> {
  const { registerId, shopId } = cashRegisterOfCaller(call.caller)
  const { saleNo, customerId, lines, tickets, points } = call.input
  const sold = await call.db.one(
    sql`select 1 from register_sale where tenant_id = ${call.db.tenantId} and register_id = ${registerId}
      and sale_no = ${saleNo}`,
  )
  if (sold) throw new Refused('quote_used', { saleNo })
  const { id, priced, validUntil } = await createQuote(call.db, {
    shopId,
    wxUserId: customerId,
    lines: parseQuoteLines(lines),
    tickets: tickets?.includes('best') ? 'best' : (tickets ?? []),
    points: points ?? 0,
    holder: quoteHolderOfRegister(registerId),
    key: saleNo!,
    now: call.services.now(),
  })
  return { quoteId: id, saleNo, validUntil, validMinutes: QUOTE_MINUTES, ...pricedBasketToWire(priced) }
}

const takeOne = (call: Call, sale: Sale): Promise<SaleAnswer> =>
  call.services.unit(
    { tenantId: call.caller.tenantId, genericPlans: true },
    (db) => recordSale(db, cashRegisterOfCaller(call.caller), sale, call.services.now()),
    actorOfCaller(call.caller),
  )

/** The digits of a payment code: of WeChat they begin with 10 to 15. */
const authCode = f.text({
  label: { zh: '付款码', en: 'Payment code' },
  required: true,
  max: 18,
  pattern: '^1[0-5]\\d{16}$',
  patternWords: {
    zh: '微信付款码是 10 到 15 开头的 18 位数字',
    en: 'A WeChat payment code has 18 digits and starts with 10 to 15',
  },
  sample: '134567890123456789',
})

type PayInput = Omit<Sale, 'saleTime' | 'payType' | 'balanceAmount' | 'transactionNo'> & { authCode: string }

/**
 * Creates the order of a sale and requests its payment by the customer's payment code. Returns the state known so far;
 * `sent` means requested but not confirmed. The order is completed even if the register does not ask again. If the
 * payment cannot be requested, no order remains.
 */
async function pay(call: Call<PayInput>): Promise<PayOutcome> {
  const { services, caller, lang } = call
  const { authCode: code, ...sale } = call.input
  const begun = await services.unit(
    { tenantId: caller.tenantId, genericPlans: true },
    async (db) => {
      const orderId = await createUnpaidSale(db, cashRegisterOfCaller(caller), sale)
      return findOrCreatePaymentAttempt(db, services, { orderId, way: 'codepay', code })
    },
    actorOfCaller(caller),
  )
  return paymentStatusOf(services, await sendCreatedAttempt(services, begun, code), lang)
}

const ofRegister = ({ caller, input }: Call<{ saleNo: string }>) => ({
  tenantId: caller.tenantId,
  registerId: cashRegisterOfCaller(caller).registerId,
  saleNo: input.saleNo,
})

type Result = {
  saleNo: string
  result: 'recorded' | 'repeated' | 'refused' | 'failed'
  reason?: string
  msg?: string
} & Partial<SaleAnswer>

const TRY_AGAIN = defineSystemText({
  zh: '服务器没能记下这一笔，请稍后再补传这一笔',
  en: 'The server could not record this sale. Upload this one again later.',
})

/**
 * Records a batch of sales, each in its own transaction and with its own result, so that one refused or failed does not
 * stop the others. If the database fails, the batch ends; what was recorded stays.
 */
async function takeMany(call: Call<{ sales: unknown }>): Promise<Record<'results', Result[]> & Record<Sum, number>> {
  const { sales } = call.input
  if (!Array.isArray(sales)) throw new Refused('bad_parameter', { name: 'sales' })
  if (sales.length > SALES_PER_UPLOAD_MAX) throw new Refused('sales_too_many', { max: SALES_PER_UPLOAD_MAX })
  const results: Result[] = []
  for (const given of sales as unknown[]) {
    const rawNo = (given as Record<string, unknown> | null)?.saleNo
    const saleNo = typeof rawNo === 'string' || typeof rawNo === 'number' ? String(rawNo) : ''
    try {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Refused('bad_body')
      const answer = await takeOne(call, parseInput(saleFields, given as Record<string, unknown>) as Sale)
      results.push({ ...answer, result: answer.repeated ? 'repeated' : 'recorded' })
    } catch (error) {
      if (error instanceof Refused) {
        const { body } = refusalResponse(error, call.lang)
        results.push({ saleNo, result: 'refused', reason: error.code, msg: body.msg })
      } else if (isRowError(error)) {
        call.services.log.error({ err: error, saleNo }, 'A sale of a batch could not be recorded')
        results.push({ saleNo, result: 'failed', msg: translateSystemText(TRY_AGAIN, call.lang) })
      } else throw error
    }
  }
  const count = (result: Result['result']) => results.filter((one) => one.result === result).length
  return {
    results,
    recorded: count('recorded'),
    repeated: count('repeated'),
    refused: count('refused'),
    failed: count('failed'),
  }
}
type Sum = Result['result']

export const terminalRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/terminal/hello',
    answers: terminalAnswerSchemas.hello,
    title: { zh: '收银机登录', en: 'Register sign-in' },
    can: terminal,
    input: heartbeatInput,
    log: false,
    handle: hello,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terminal/heartbeat',
    answers: terminalAnswerSchemas.heartbeat,
    title: { zh: '收银机心跳', en: 'Register heartbeat' },
    can: terminal,
    input: heartbeatInput,
    log: false,
    handle: handleHeartbeat,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/terminal/settings',
    answers: terminalAnswerSchemas.settings,
    title: { zh: '门店设置', en: 'Store settings' },
    can: terminal,
    handle: async ({ caller, db }) => (await loadTerminalSettings(db, cashRegisterOfCaller(caller).shopId)) ?? {},
  }),
  defineRoute({
    method: 'GET',
    path: '/api/terminal/goods',
    answers: terminalAnswerSchemas.goods,
    title: { zh: '商品增量同步', en: 'Incremental product sync' },
    can: terminal,
    tx: false,
    input: {
      cursor: f.text({
        label: { zh: '同步位置', en: 'Cursor' },
        max: 200,
        help: { zh: '上次回答的 cursor，首次不填', en: 'The cursor of the last answer. Leave blank the first time.' },
      }),
      size: f.number({ label: { zh: '条数', en: 'Page size' }, min: 1, max: 1000 }),
    },
    handle: findGoodsChangedSince,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/terminal/customer',
    answers: terminalAnswerSchemas.customer,
    title: { zh: '查找顾客', en: 'Find customer' },
    can: terminal,
    tx: false,
    perMinute: 120,
    input: {
      phone: f.phone({ label: { zh: '手机号', en: 'Mobile number' } }),
      openid: f.text({ label: { zh: '微信 openid', en: 'WeChat openid' }, max: 64 }),
    },
    handle: findCustomer,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terminal/quote',
    answers: terminalAnswerSchemas.quote,
    title: { zh: '购物车报价', en: 'Quote cart' },
    can: terminal,
    input: quoteFields,
    log: false,
    handle: quote,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terminal/sale',
    answers: terminalAnswerSchemas.sale,
    title: { zh: '上报一笔销售', en: 'Report sale' },
    can: terminal,
    input: saleFields,
    log: false,
    genericPlans: true,
    handle: (call) => recordSale(call.db, cashRegisterOfCaller(call.caller), call.input as Sale, call.services.now()),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terminal/pay',
    answers: terminalAnswerSchemas.pay,
    title: { zh: '付款码收款', en: 'Collect by payment code' },
    can: terminal,
    tx: false,
    log: false,
    input: { ...unpaidSaleFields, authCode },
    handle: (call) => pay(call as Call<PayInput>),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/terminal/pay',
    answers: terminalAnswerSchemas.pay,
    title: { zh: '查询收款结果', en: 'Check payment result' },
    can: terminal,
    tx: false,
    perMinute: 120,
    input: { saleNo: saleFields.saleNo },
    handle: async (call: Call<{ saleNo: string }>) =>
      paymentStatusOf(call.services, await requireLastRegisterPayment(call.services, ofRegister(call)), call.lang),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terminal/pay/cancel',
    answers: terminalAnswerSchemas.pay,
    title: { zh: '取消收款', en: 'Cancel payment' },
    can: terminal,
    tx: false,
    log: false,
    input: { saleNo: saleFields.saleNo },
    handle: async (call: Call<{ saleNo: string }>) =>
      paymentStatusOf(call.services, await cancelByRegister(call.services, ofRegister(call)), call.lang),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terminal/sales',
    answers: terminalAnswerSchemas.sales,
    title: { zh: '补传销售', en: 'Upload offline sales' },
    can: terminal,
    tx: false,
    log: false,
    bodyMaxBytes: 8_388_608,
    input: {
      sales: f.json({
        label: { zh: '销售', en: 'Sales' },
        required: true,
        max: 8_000_000,
        schema: { type: 'array', maxItems: SALES_PER_UPLOAD_MAX, items: saleJsonSchema },
        help: { zh: '最多500笔，各笔同 /api/terminal/sale', en: 'Up to 500 sales, each as for /api/terminal/sale' },
      }),
    },
    handle: takeMany,
  }),
]
