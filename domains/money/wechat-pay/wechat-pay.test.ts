import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testWechat } from '#tests/support/wechat.ts'
import { redact } from './wechat-pay.client.ts'
import type { WechatPay } from './wechat-pay.ts'

let ground: Awaited<ReturnType<typeof testWechat>>
let pay: WechatPay
const SUB = '1900000109'

beforeAll(async () => {
  ground = await testWechat()
  pay = await ground.pay()
})
beforeEach(() => {
  ground.wechat.faults.length = 0
  ground.wechat.callbacks.mood = 'never'
})
afterAll(() => ground.close())

let made = 0
const payment = (total: number, isSharing = true) =>
  ground.wechat.know({
    transactionId: `420000000000000${++made}`,
    outTradeNo: `ORDER${made}`,
    subMchid: SUB,
    total,
    isSharing,
  })
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
const picture = () => pay.upload({ name: 'a.jpg', type: 'image/jpeg', bytes: jpeg })

async function form(code: string, shortname: string) {
  const media = await picture()
  const day = { period_begin: '2020-01-01', period_end: '长期' }
  return {
    business_code: code,
    contact_info: {
      contact_type: 'LEGAL',
      contact_name: redact('张三'),
      contact_id_number: redact('330106199001011234'),
      mobile_phone: redact('13800000001'),
      contact_email: redact('a@example.com'),
    },
    subject_info: {
      subject_type: 'SUBJECT_TYPE_INDIVIDUAL',
      business_license_info: {
        license_copy: media,
        license_number: '91330106MA2ABCDE1F',
        merchant_name: '北街小店',
        ...day,
        legal_person: '张三',
      },
    },
    business_info: { merchant_shortname: shortname, service_phone: '0571-88880000', sales_info: {} },
    settlement_info: { settlement_id: '719', qualification_type: '零售' },
    bank_account_info: {
      bank_account_type: 'BANK_ACCOUNT_TYPE_CORPORATE',
      account_name: redact('北街小店'),
      account_bank: '招商银行',
      bank_address_code: '330100',
      account_number: redact('6222021202009012'),
    },
  }
}

describe('asking WeChat Pay', () => {
  test('a request with a wrong clock or another key is refused as 401, undone and not to be repeated', async () => {
    const now = ground.tenants.services.now
    ground.tenants.services.now = () => new Date(now().getTime() + 301_000)
    await expect(pay.provinces()).rejects.toMatchObject({ code: 'SIGN_ERROR', isUndone: true, isRetryable: false })
    ground.tenants.services.now = now
    const { merchant } = ground.wechat.world
    const { publicKey } = merchant
    merchant.publicKey = ground.wechat.world.publicKey.publicKey
    await expect(pay.provinces()).rejects.toMatchObject({ code: 'SIGN_ERROR', httpStatus: 401 })
    merchant.publicKey = publicKey
    expect(await pay.provinces()).toMatchObject({ data: [{ province_name: '北京市' }, { province_name: '浙江省' }] })
  })

  test('an answer that is not signed by it is not believed: nobody knows what was done', async () => {
    ground.wechat.faults.push({ kind: 'wrong sign', times: 1 })
    await expect(pay.banks('personal')).rejects.toMatchObject({ code: 'unverified', isUndone: false })
  })

  test.each([
    ['silent', { code: 'no_answer', isUndone: false, isRetryable: true }],
    ['deaf after doing', { code: 'no_answer', isUndone: false }],
    ['down', { code: 'http_502', isUndone: false, isRetryable: true }],
    [
      { status: 500, code: 'SYSTEM_ERROR' },
      { code: 'SYSTEM_ERROR', isUndone: false, isRetryable: true },
    ],
    [
      { status: 429, code: 'FREQUENCY_LIMITED' },
      { isUndone: true, isRetryable: true },
    ],
    [
      { status: 403, code: 'NO_AUTH' },
      { code: 'NO_AUTH', isUndone: true, isRetryable: false },
    ],
  ] as const)('when it is %j it is said what that means', async (kind, meaning) => {
    ground.wechat.faults.push({ kind, times: 1 })
    await expect(pay.maxRatio(SUB)).rejects.toMatchObject(meaning)
  })

  test('the log has the request without names, numbers or signatures', async () => {
    await pay.addReceiver(SUB, {
      type: 'MERCHANT_ID',
      account: '1900000201',
      name: redact('绝密公司'),
      relation_type: 'PARTNER',
    })
    const list = () =>
      ground.tenants.call(ground.tenants.north.admin, 'GET', '/api/shop/requestLog/list', {
        query: { system: 'wechat' },
      })
    await expect.poll(async () => JSON.stringify((await list()).body)).toContain('receivers/add')
    const { rows } = await ground.tenants.services.systemPool.query(
      `select request, response, url from request_log where system = 'wechat'`,
    )
    const text = JSON.stringify(rows)
    expect(text).toContain('1900000201')
    for (const secret of ['绝密公司', 'WECHATPAY2', ground.wechat.account.apiv3Key, 'PRIVATE KEY'])
      expect(text).not.toContain(secret)
  })
})

describe('an application', () => {
  const stateOf = async (code: string) => (await pay.applied(code)).applyment_state

  test('goes its way by the clock, and its number keeps every digit', async () => {
    const { applyment_id } = await pay.apply(await form('A_1', '北街小店'))
    expect(applyment_id).toMatch(/^\d{18}$/)
    expect(await stateOf('A_1')).toBe('APPLYMENT_STATE_AUDITING')
    ground.advance(61)
    expect(await pay.applied('A_1')).toMatchObject({
      applyment_state: 'APPLYMENT_STATE_TO_BE_SIGNED',
      sign_url: expect.stringContaining('applymentId='),
      applyment_id,
    })
    ground.advance(61)
    expect(await stateOf('A_1')).toBe('APPLYMENT_STATE_SIGNING')
    ground.advance(31)
    const { sub_mchid } = await pay.applied('A_1')
    expect(sub_mchid).toMatch(/^\d{10}$/)
    expect(await pay.settlement(sub_mchid!)).toMatchObject({ account_number: '62*************9012' })
    expect(await pay.consent(sub_mchid!)).toMatchObject({ authorize_state: 'AUTHORIZE_STATE_AUTHORIZED' })
    await expect(pay.apply(await form('A_1', '北街小店'))).rejects.toMatchObject({ isUndone: true })
  })

  test('that is refused says why at which field, and the same number may be sent again', async () => {
    await pay.apply(await form('A_2', '驳回小店'))
    ground.advance(61)
    expect(await pay.applied('A_2')).toMatchObject({
      applyment_state: 'APPLYMENT_STATE_REJECTED',
      audit_detail: [{ field: 'subject_info.business_license_info.license_number' }, {}],
    })
    await pay.apply(await form('A_2', '北街小店'))
    expect(await stateOf('A_2')).toBe('APPLYMENT_STATE_AUDITING')
  })

  test('with people in plain words, unknown pictures or a missing group is refused', async () => {
    const right = await form('A_3', '北街小店')
    const account = { ...right.bank_account_info, account_number: '6222021202009012' }
    await expect(pay.apply({ ...right, bank_account_info: account })).rejects.toMatchObject({ code: 'PARAM_ERROR' })
    const qualified = { ...right.settlement_info, qualifications: ['MEDIA_OF_NOBODY'] }
    await expect(pay.apply({ ...right, settlement_info: qualified })).rejects.toMatchObject({ code: 'PARAM_ERROR' })
    const { contact_info: _, ...less } = right
    await expect(pay.apply(less)).rejects.toMatchObject({ code: 'PARAM_ERROR' })
    await expect(pay.applied('A_3')).rejects.toMatchObject({ code: 'RESOURCE_NOT_EXISTS', httpStatus: 404 })
  })

  test('a picture is known by what it shows: uploaded twice it is one', async () => {
    expect(await picture()).toBe(await picture())
  })
})

describe('payments', () => {
  const order = (no: string, more = {}) => ({
    sub_mchid: SUB,
    description: '购物',
    out_trade_no: no,
    amount: {
      total: 1e3,
      currency: 'CNY' as const,
    },
    ...more,
  })

  test('by a code on a screen wait until the customer pays, and are closed when nobody does', async () => {
    expect(await pay.pay('native', order('NATIVE01'))).toMatchObject({ code_url: expect.stringMatching(/^weixin:/) })
    expect(await pay.paid(SUB, 'NATIVE01')).toMatchObject({ trade_state: 'NOTPAY' })
    ground.wechat.pay('NATIVE01')
    const paid = await pay.paid(SUB, 'NATIVE01')
    expect(paid).toMatchObject({ trade_state: 'SUCCESS', amount: { total: 1000 } })
    expect(await pay.transaction(SUB, paid.transaction_id!)).toMatchObject({ out_trade_no: 'NATIVE01' })
    await expect(pay.close(SUB, 'NATIVE01')).rejects.toMatchObject({ isUndone: true })
    const { prepay_id } = await pay.pay('jsapi', order('JSAPI001', { payer: { sp_openid: 'o1' } }))
    expect(pay.invoke('wx1', String(prepay_id)).package).toBe(`prepay_id=${String(prepay_id)}`)
    expect(await pay.close(SUB, 'JSAPI001')).toEqual({})
    expect(await pay.paid(SUB, 'JSAPI001')).toMatchObject({ trade_state: 'CLOSED' })
  })

  test("by a customer's code are paid, wait for the password, or are reversed", async () => {
    const by = (no: string, auth_code: string) => pay.payByCode(order(no, { payer: { auth_code } }))
    expect(await by('CODE0001', '134567890123456789')).toMatchObject({ trade_state: 'SUCCESS' })
    expect(await by('CODE0002', '134567890123451111')).toMatchObject({ trade_state: 'USERPAYING' })
    await expect(by('CODE0003', '134567890123450000')).rejects.toMatchObject({ code: 'NOT_ENOUGH' })
    await expect(by('CODE0004', '12')).rejects.toMatchObject({ code: 'PARAM_ERROR' })
    ground.wechat.pay('CODE0002')
    expect(await pay.paid(SUB, 'CODE0002')).toMatchObject({ trade_state: 'SUCCESS' })
    await pay.reverse(SUB, 'CODE0001')
    expect(await pay.paid(SUB, 'CODE0001')).toMatchObject({ trade_state: 'REVOKED' })
  })
})

describe('a refund', () => {
  const ask = (transaction_id: string, out_refund_no: string, refund: number, total: number) =>
    pay.refund({ sub_mchid: SUB, transaction_id, out_refund_no, amount: { refund, total, currency: 'CNY' } })

  test('is one under its number, however often it is asked, and none with other content', async () => {
    const { transactionId } = payment(1000)
    const first = await ask(transactionId, 'R1', 400, 1000)
    expect(first).toMatchObject({ status: 'PROCESSING' })
    expect((await ask(transactionId, 'R1', 400, 1000)).refund_id).toBe(first.refund_id)
    await expect(ask(transactionId, 'R1', 500, 1000)).rejects.toMatchObject({
      httpStatus: 400,
      code: 'INVALID_REQUEST',
      isUndone: false,
      isRetryable: false,
    })
    await expect(ask(transactionId, 'R2', 601, 1000)).rejects.toMatchObject({ isUndone: true })
    ground.advance(31)
    expect(await pay.refunded(SUB, 'R1')).toMatchObject({ status: 'SUCCESS' })
  })

  test('that cannot reach the card is abnormal until it goes to another one', async () => {
    const { transactionId } = payment(1000)
    const { refund_id } = await ask(transactionId, 'R3', 1000, 1000)
    ground.wechat.endRefundAs('R3', 'ABNORMAL')
    ground.advance(31)
    expect(await pay.refunded(SUB, 'R3')).toMatchObject({ status: 'ABNORMAL' })
    await pay.refundAbnormal(refund_id, {
      sub_mchid: SUB,
      out_refund_no: 'R3',
      type: 'USER_BANK_CARD',
      bank_type: 'CMB_DEBIT',
      bank_account: redact('6222021202009012'),
      real_name: redact('李四'),
    })
    ground.advance(31)
    expect(await pay.refunded(SUB, 'R3')).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('a share', () => {
  const RECEIVER = '1900000300'
  const share = (transaction_id: string, out_order_no: string, amount: number, account = RECEIVER) =>
    pay.share({
      sub_mchid: SUB,
      transaction_id,
      out_order_no,
      unfreeze_unsplit: false,
      receivers: [{ type: 'MERCHANT_ID', account, name: redact('分账方'), amount, description: '分账' }],
    })
  const add = (account: string) =>
    pay.addReceiver(SUB, {
      type: 'MERCHANT_ID',
      account,
      name: redact('分账方'),
      relation_type: 'SERVICE_PROVIDER',
    })

  test('goes to who was added before, within the ratio, a minute after the payment, once by its number', async () => {
    const { transactionId } = payment(10_000)
    await expect(share(transactionId, 'S1', 100)).rejects.toThrow('分账接收方关系不存在')
    await add(RECEIVER)
    await expect(share(transactionId, 'S1', 100)).rejects.toThrow('订单处理中')
    ground.advance(61)
    expect(await pay.maxRatio(SUB)).toBe(3000)
    await expect(share(transactionId, 'S1', 3001)).rejects.toThrow('分账金额超出最大分账比例')
    expect(await share(transactionId, 'S1', 2000)).toMatchObject({ state: 'PROCESSING' })
    expect(await share(transactionId, 'S1', 2000)).toMatchObject({ receivers: [{ result: 'PENDING' }] })
    await expect(share(transactionId, 'S1', 1000)).rejects.toThrow('分账接收方与原请求不一致')
    await expect(share(transactionId, 'S2', 1001)).rejects.toThrow('分账金额超出最大分账比例')
    ground.advance(21)
    const { state, receivers } = await pay.shared(SUB, 'S1', transactionId)
    expect([state, receivers?.[0]?.result]).toEqual(['FINISHED', 'SUCCESS'])
    expect(await pay.unsplit(transactionId)).toBe(10_000 - 60 - 2000)
  })

  test('whose receiver is in trouble is closed, and its money stays frozen until it is unfrozen, once', async () => {
    await add('1900000301')
    ground.wechat.world.troubled.set('1900000301', 'NO_RELATION')
    const { transactionId } = payment(10_000)
    ground.advance(61)
    await share(transactionId, 'S3', 1000, '1900000301')
    ground.advance(21)
    expect((await pay.shared(SUB, 'S3', transactionId)).receivers?.[0]).toMatchObject({
      result: 'CLOSED',
      fail_reason: 'NO_RELATION',
    })
    expect(await pay.unsplit(transactionId)).toBe(9940)
    const unfreeze = (out_order_no: string) =>
      pay.unfreeze({ sub_mchid: SUB, transaction_id: transactionId, out_order_no, description: '解冻' })
    await unfreeze('S3')
    ground.advance(21)
    expect(await pay.unsplit(transactionId)).toBe(9940)
    await unfreeze('UF3')
    ground.advance(21)
    expect(await pay.shared(SUB, 'UF3', transactionId)).toMatchObject({ state: 'FINISHED' })
    expect(await pay.unsplit(transactionId)).toBe(0)
    await expect(unfreeze('UF4')).rejects.toThrow('订单已完结分账')
    await expect(share(transactionId, 'S4', 100)).rejects.toThrow('订单已完结分账')
  })

  test('comes back from its receiver, as far as that has it', async () => {
    await add('1900000302')
    const { transactionId } = payment(10_000)
    ground.advance(61)
    await share(transactionId, 'S5', 1000, '1900000302')
    ground.advance(21)
    const back = (out_return_no: string, amount: number) =>
      pay.returnShare({
        sub_mchid: SUB,
        out_order_no: 'S5',
        out_return_no,
        return_mchid: '1900000302',
        amount,
        description: '退款',
      })
    await expect(back('B0', 1001)).rejects.toMatchObject({ isUndone: true })
    await back('B1', 600)
    ground.advance(21)
    expect(await pay.returned(SUB, 'B1', 'S5')).toMatchObject({ result: 'SUCCESS' })
    ground.wechat.world.balances.set('1900000302', 0)
    await back('B2', 400)
    ground.advance(21)
    expect(await pay.returned(SUB, 'B2', 'S5')).toMatchObject({ result: 'FAILED', fail_reason: 'BALANCE_NOT_ENOUGH' })
  })
})

test('a number that was used is refused with other content, whatever it was used for, and moves nothing', async () => {
  const [account, { transactionId }] = ['1900000309', payment(10_000)]
  const receiver = { type: 'MERCHANT_ID' as const, account, name: redact('分账方') }
  await pay.addReceiver(SUB, { ...receiver, relation_type: 'PARTNER' })
  ground.advance(61)
  const of = { sub_mchid: SUB, transaction_id: transactionId }
  const amountOf = (refund: number) => ({ refund, total: 10_000, currency: 'CNY' as const })
  const asks = {
    payment: (total: number) =>
      pay.pay('native', {
        sub_mchid: SUB,
        description: '购物',
        out_trade_no: 'REUSED001',
        amount: { total, currency: 'CNY' },
      }),
    share: (amount: number) =>
      pay.share({
        ...of,
        out_order_no: 'REUSED2',
        unfreeze_unsplit: false,
        receivers: [{ ...receiver, amount, description: '分账' }],
      }),
    return: (amount: number) =>
      pay.returnShare({
        sub_mchid: SUB,
        out_order_no: 'REUSED2',
        out_return_no: 'REUSED3',
        return_mchid: account,
        amount,
        description: '退款',
      }),
    refund: (amount: number) => pay.refund({ ...of, out_refund_no: 'REUSED4', amount: amountOf(amount) }),
  }
  const { world } = ground.wechat
  for (const [kind, ask] of Object.entries(asks)) {
    await ask(300)
    ground.advance(31)
    const before = [world.payments.size, world.shares.size, world.returns.size, world.refunds.size]
    await ask(300)
    await expect(ask(200), kind).rejects.toMatchObject({ httpStatus: 400, isUndone: false, isRetryable: false })
    expect([world.payments.size, world.shares.size, world.returns.size, world.refunds.size]).toEqual(before)
  }
})

test('bills come the day after, packed, with a hash that holds, and say what was paid and refunded', async () => {
  const day = new Date(ground.tenants.services.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  const { transactionId } = payment(1234, false)
  await expect(pay.tradeBill(day)).rejects.toMatchObject({ isUndone: true })
  ground.toNoonTomorrow()
  const bill = await pay.tradeBill(day, SUB)
  const lines = bill.trim().split('\r\n')
  expect(lines[0]).toMatch(/^交易时间,/)
  expect(lines.some((line) => line.includes(`\`${transactionId},`) && line.includes('`12.34'))).toBe(true)
  expect(lines.at(-1)!.split(',')[0]).toBe(`\`${lines.length - 3}`)
  const [file] = await pay.subFundFiles(day, SUB)
  let flows = ''
  for await (const piece of file!.text()) flows += piece
  expect(flows).toContain('记账时间')
  expect(flows).toContain(transactionId)
  expect(await pay.shareBill(day, SUB)).toContain('分账方')
  await expect(pay.tradeBill('2020-01-01')).rejects.toMatchObject({ code: 'NO_STATEMENT_EXIST' })
})
