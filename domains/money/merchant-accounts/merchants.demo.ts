import { generateKeyPair, randomBytes, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { analyzeWrittenTables } from '#kit/server/database/analyze.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { payAccount } from '#domains/money/wechat-pay/index.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { billDetail } from './bill-detail.resource.ts'
import { bill } from './bill.resource.ts'
import { compareBillWithStatement } from './check-bill.ts'
import { APPLY_STATE, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { makeBills, billPeriodOf } from './make-bill.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'
import { shareLog } from './share-log.resource.ts'
import { requireSharable } from './share.ts'
import { recordTerms } from './merchant-terms.ts'
import type { StatementLine } from './statement.ts'

const DAY_MS = 86_400_000
const DAYS_BILLED = 8

type Person = { name: string; no: string; contact: string; phone: string; legal: string }
const cast: Record<string, readonly Person[]> = {
  100001: [
    { name: '杭州小满商贸有限公司', no: 'XM01', contact: '吴敏', phone: '13857100001', legal: '吴敏' },
    { name: '杭州陈记便利店', no: 'XM02', contact: '陈立', phone: '13857100003', legal: '陈立' },
  ],
  100002: [{ name: '杭州夜猫优选科技有限公司', no: 'YM01', contact: '唐悦', phone: '13857200001', legal: '唐悦' }],
}

/**
 * Seeds demo merchants, the bills of the last days and months (one compared with a statement that differs), profit
 * shares and applications.
 */
export async function seed(db: Db, { services, now, shops, users }: StorySeedContext): Promise<void> {
  // Takes a quarter of a second, so it runs beside the rest.
  const keys = promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const people = cast[db.tenantId] ?? []
  const at = (days: number) => formatShanghaiTime(new Date(now.getTime() - days * DAY_MS))
  const merchants = await seedMerchants(db, people, shops)
  await seedShares(db, at(1))
  const made = []
  for (let days = DAYS_BILLED; days >= 1; days--)
    made.push(...(await makeBills(db, billPeriodOf('day', at(days).slice(0, 10)))))
  const thisMonth = billPeriodOf('month', at(0).slice(0, 10)).start
  const lastMonth = billPeriodOf(
    'month',
    formatShanghaiTime(new Date(new Date(`${thisMonth}T04:00:00+08:00`).getTime() - DAY_MS)).slice(0, 10),
  )
  // The next step looks up each order of the month in the bills, which needs current statistics.
  await analyzeWrittenTables(db)
  const checkUser = users.values().next().value
  for (const row of await makeBills(db, lastMonth)) {
    await transition(db, bill, row.id, 'check', { checkUser, checkTime: at(2) })
    await transition(db, bill, row.id, 'pay', {
      payTime: at(1),
      payNo: `ICBC${row.periodStart!.replaceAll('-', '')}`,
    })
  }
  for (const row of made.slice(0, -2 * people.length))
    await transition(db, bill, row.id, 'check', { checkUser, checkTime: at(1) })
  const questioned = made.at(-people.length - 1)
  if (questioned) await seedStatement(db, questioned.id, at(0))
  await seedAccount(db, services, (await keys).privateKey)
  await seedApplications(db, merchants, people, {
    today: at(1),
    dayIn: (days) => at(-days).slice(0, 10),
  })
}

/** Creates the merchants and links their shops. */
async function seedMerchants(db: Db, people: readonly Person[], shops: StorySeedContext['shops']) {
  const merchants: { id: string; subMchid: string | null }[] = []
  for (const [n, one] of people.entries()) {
    const own = shops
      .filter((_shop, place) => (people.length === 1 ? true : place < 3 === (n === 0)))
      .map((shop) => shop.shopId)
    const row = await db.insert(merchantInfo, {
      name: one.name,
      merchantNo: one.no,
      type: n ? 'individual' : 'enterprise',
      status: 1,
      shopIds: own,
      licenceNo: `91330106MA2${n}XM${db.tenantId.slice(-3)}K`,
      legalPerson: one.legal,
      contact: one.contact,
      phone: one.phone,
      bankName: '杭州银行文三支行',
      bankAccountTail: `**** ${4310 + n}`,
      subMchid: `16${db.tenantId}${n}1`,
      feeRate: 0.6,
      shareRatio: 30,
      receivers: [{ type: 'MERCHANT_ID', account: '1900000109', name: '小店云服务' }],
    })
    await db.run(
      sql`update basic_shop_info set merchant_id = ${row.id} where tenant_id = ${db.tenantId}
        and id = any(${own}::bigint[])`,
    )
    await recordTerms(db, new Date(), row.id)
    merchants.push(row)
  }
  return merchants
}

/** Creates a disabled account with random keys; starting the simulator replaces them and enables it. */
async function seedAccount(db: Db, services: StorySeedContext['services'], privateKey: KeyObject): Promise<void> {
  const { seal } = secretCipherOf(services)
  await db.insert(payAccount, {
    name: '小店云服务商',
    spMchid: '1900000001',
    spAppid: 'wx8888888888888888',
    serialNo: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
    secretKey: seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    apiv3Key: seal(randomBytes(16).toString('hex')),
    enabled: false,
  })
}

/** Compares a bill with a made-up statement: one of our lines missing, one amount wrong, one unknown line. */
async function seedStatement(db: Db, billId: string, time: string): Promise<void> {
  const row = (await db.get(bill, billId, 'forUpdate'))!
  const lines = await db.find(billDetail, sql`bill_id = ${billId} and check_result = 'open'`, sql`order by time, id`)
  const statement: StatementLine[] = lines.slice(1).map((line, n) => ({
    kind: line.kind as 'pay' | 'refund',
    time: line.time,
    transactionNo: line.transactionNo ?? '',
    orderNo: line.orderNo ?? '',
    refundNo: line.refundNo ?? '',
    refundThere: '',
    amount: (line.kind === 'pay' ? line.amount! : line.refund!) + (n === 3 ? 100 : 0),
    fee: line.fee!,
  }))
  const known = lines[0]
  if (known)
    statement.push({
      kind: 'pay',
      time: known.time,
      transactionNo: `4200${newId()}`,
      orderNo: `SO${newId()}`,
      refundNo: '',
      refundThere: '',
      amount: 1280,
      fee: 8,
    })
  await compareBillWithStatement(db, row, statement, { now: time })
}

/** Seeds a service fee shared from earlier orders; two shares wait to be sent. */
async function seedShares(db: Db, before: string): Promise<void> {
  const orders = await db.query<{
    id: string
    paid: number
  }>(sql`select o.id, p.amount as paid from shopping_order o join order_payment p on p.tenant_id = o.tenant_id
    and p.order_id = o.id
    where o.tenant_id = ${db.tenantId} and o.status = 2 and p.channel = 'wechat'
    and p.transaction_no is not null and p.amount > 2000 and o.pay_time < ${before}::timestamptz
      and not exists (select 1 from refund_payment r where r.tenant_id = o.tenant_id and r.order_id = o.id
      and r.state <> 'cancelled') order by o.pay_time desc, o.id limit 12`)
  for (const [n, { id, paid }] of orders.entries()) {
    const amount = Math.floor(paid / 20)
    const share = {
      type: 'MERCHANT_ID' as const,
      account: '1900000109',
      name: '小店云服务',
      amount,
      description: '技术服务费',
    }
    const { shopId, merchantId, transactionNo } = await requireSharable(db, id, [share])
    const isDone = n > 1
    await db.withTimestamp(parseShanghaiTime(before), (past) =>
      past.insert(shareLog, {
        outOrderNo: `SH${newId()}`,
        kind: 'share',
        orderId: id,
        shopId,
        merchantId,
        transactionNo,
        receivers: [{ ...share, amount: formatYuan(amount) }],
        amount,
        finishAmount: isDone ? amount : 0,
        description: '技术服务费',
        status: isDone ? PROFIT_SHARE_STATE.finished : PROFIT_SHARE_STATE.waiting,
        finishTime: isDone ? before : null,
      }),
    )
  }
}

/** Seeds a finished application, a rejected one and a draft. */
async function seedApplications(
  db: Db,
  merchants: readonly { id: string; subMchid: string | null }[],
  people: (typeof cast)[string],
  { today, dayIn }: { today: string; dayIn: (days: number) => string },
): Promise<void> {
  const outcomes = [
    { status: APPLY_STATE.finished, stateMsg: '已完成', finishTime: today },
    {
      status: APPLY_STATE.rejected,
      stateMsg: '营业执照照片不清晰',
      auditDetail: [{ field: 'licenseCopy', field_name: '营业执照照片', reject_reason: '照片不清晰，请重新上传' }],
    },
  ]
  for (const [n, merchant] of merchants.entries()) {
    const isDone = n === 0
    await db.insert(payApply, {
      ...applicationOf(merchant.id, people[n]!, n),
      ...outcomes[n],
      sentTime: today,
      // The first licence expires in some weeks, so that the home page shows it.
      licenseBegin: '2020-03-01',
      licenseEnd: isDone ? dayIn(45) : null,
      idCardBegin: '2018-05-06',
      idCardEnd: '2038-05-06',
      ...(isDone && { applymentNo: `20000022${db.tenantId}1`, subMchid: merchant.subMchid }),
    })
  }
  await db.insert(payApply, { ...applicationOf(merchants[0]!.id, people[0]!, 0), status: APPLY_STATE.draft })
}

const applicationOf = (merchantId: string, one: (typeof cast)[string][number], n: number) => ({
  merchantId,
  businessCode: `APPLY_${newId()}`,
  contactType: 'LEGAL',
  contactName: one.contact,
  mobilePhone: one.phone,
  contactEmail: `finance${n}@xiaoman.example`,
  subjectType: n ? 'individual' : 'enterprise',
  licenseName: one.name,
  legalPerson: one.legal,
  idCardName: one.legal,
  merchantShortname: one.name.slice(2, 6),
  servicePhone: one.phone,
  storeName: one.name,
  bankAccountType: n ? 'personal' : 'corporate',
  accountName: n ? one.legal : one.name,
  accountBank: '杭州银行',
  settlementId: n ? '719' : '716',
  qualificationType: '零售批发',
})
