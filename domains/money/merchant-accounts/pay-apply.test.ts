import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeFile } from '#domains/platform/files/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { paintedPicture } from '#tests/support/pictures.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { submitApplyJob, checkApplyStatusJob, enqueueApplyStatusChecksJob } from './apply.job.ts'
import { syncMerchantReceiversJob } from './merchant-receivers.job.ts'
import { payApply } from './pay-apply.resource.ts'
import { settlementChange } from './settlement-change.resource.ts'
import { applySettlementChangeJob } from './settlement.job.ts'

let ground: Awaited<ReturnType<typeof testWechat>>
let pictures: string[]
beforeAll(async () => {
  ground = await testWechat()
  const { services, north } = ground.tenants
  const keep = (seed: number) =>
    storeFile(services, { tenantId: north.tenantId, bytes: paintedPicture({ seed }), name: `${seed}.png` })
  pictures = (await Promise.all([1, 2, 3, 4, 5].map(keep))).map(({ link }) => link)
})
beforeEach(() => void (ground.wechat.faults.length = 0))
afterAll(() => ground.close())

const contextOf = () => ({
  tenantId: ground.tenants.north.tenantId,
  services: ground.tenants.services,
  signal: AbortSignal.timeout(9000),
  jobId: '1',
  attempt: 1,
})
const call = (method: 'GET' | 'POST', path: string, query: object, body?: object) =>
  ground.tenants.call(ground.tenants.north.admin, method, path, { query: query as Record<string, unknown>, body })
const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
const rowOf = async (id: string) => (await inTenant((db) => db.get(payApply, id)))!

let made = 0
const merchant = async (draft = {}) => {
  const body = { name: `商户${++made}`, merchantNo: `M${made}`, type: 'individual', status: 1, shopIds: '', ...draft }
  const { id } = await ground.tenants.must(call('POST', '/api/merchant/merchantInfo/submit', {}, body))
  return id as string
}
const whole = (merchantId: string, shortname: string, more = {}) => ({
  merchantId,
  contactType: 'LEGAL',
  contactName: '张三',
  mobilePhone: '13857103621',
  contactEmail: 'zhangsan@beijie.cn',
  subjectType: 'individual',
  licenseCopy: pictures[0],
  licenseNumber: '92330106MA2ABCDE1D',
  licenseName: '北街小店',
  legalPerson: '张三',
  licenseBegin: '2020-01-01',
  idCardCopy: pictures[1],
  idCardNational: pictures[2],
  idCardName: '张三',
  idCardNumber: '33010619900101123X',
  idCardBegin: '2015-01-01',
  idCardEnd: '2035-01-01',
  merchantShortname: shortname,
  servicePhone: '13800000001',
  storeName: '北街小店',
  storeRegion: '330106',
  storeAddress: '文三路 1 号',
  storeEntrance: [pictures[3]],
  storeIndoor: [pictures[4]],
  settlementId: '719',
  qualificationType: '零售',
  bankAccountType: 'corporate',
  accountName: '北街小店',
  accountBank: '招商银行',
  bankName: '招商银行杭州分行',
  bankRegion: '330106',
  accountNumber: '6222021202009012',
  ...more,
})
const draft = async (shortname: string, more = {}) => {
  const body = whole(await merchant(), shortname, more)
  return (await ground.tenants.must(call('POST', '/api/pay/payApply/submit', {}, body))).id as string
}
const apply = (id: string) => call('POST', '/api/pay/payApply/apply', { id })
const runSubmitJob = (id: string) => submitApplyJob.run({ id }, contextOf())
const checkStatus = async (id: string) => {
  await checkApplyStatusJob.run({ id }, contextOf())
  return rowOf(id)
}
const sentTimes = (code: string) =>
  ground.wechat.calls.filter(({ path, body }) => path.endsWith('/applyment/') && body.business_code === code).length

describe('an application', () => {
  test('that lacks something is refused at each field it lacks, and nobody is asked', async () => {
    const id = await draft('北街小店', { licenseName: '', storeIndoor: [] })
    const refused = await apply(id)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.data.fields).sort()).toEqual(['licenseName', 'storeIndoor'])
    expect(await rowOf(id)).toMatchObject({ status: 'draft' })
  })

  test('goes from draft to a number the merchant and its shops have', async () => {
    const id = await draft('北街小店')
    expect((await apply(id)).data).toMatchObject({ status: 'submitting' })
    expect((await apply(id)).status).toBe(400)
    await runSubmitJob(id)
    expect(await rowOf(id)).toMatchObject({ status: 'auditing', applymentNo: expect.stringMatching(/^\d{18}$/) })
    ground.advance(61)
    const toSign = await checkStatus(id)
    expect(toSign).toMatchObject({ status: 'toSign', signUrl: expect.stringContaining('sign=') })
    expect((await call('POST', '/api/pay/payApply/applystatus', { id })).data).toMatchObject({ status: 'toSign' })
    ground.advance(61)
    expect(await checkStatus(id)).toMatchObject({ status: 'signing', signUrl: null })
    ground.advance(31)
    const { subMchid, merchantId } = await checkStatus(id)
    expect(subMchid).toMatch(/^\d{10}$/)
    const shopId = ground.tenants.north.shops[0]!
    const bound = await call('POST', '/api/pay/payApply/bindShop', {}, { subMchid, shopIds: [shopId] })
    expect(bound.status).toBe(200)
    const info = await call('GET', '/api/pay/payApply/bindInfo', { subMchid })
    expect(info.data).toMatchObject({
      subMchid,
      shops: [{ id: shopId }],
      settlement: { account_number: '62*************9012' },
      maxRatio: 3000,
    })
    expect((await call('GET', '/api/merchant/merchantInfo/detail', { id: merchantId })).data).toMatchObject({
      subMchid,
    })
    ground.wechat.faults.push({ kind: 'down' })
    expect((await call('GET', '/api/pay/payApply/bindInfo', { subMchid })).data).toMatchObject({ settlement: null })
  })

  test('handed in anew while an older answer was on its way is not undone by it', async () => {
    const id = await draft('驳回小店')
    await apply(id)
    await runSubmitJob(id)
    ground.advance(61)
    const { services } = ground.tenants
    let works = 0
    const slow: typeof services.unit = async (...ask) => {
      if (++works === 2) {
        const { merchantId } = await checkStatus(id)
        const changed = { ...whole(merchantId, '北街小店'), id }
        await ground.tenants.must(call('POST', '/api/pay/payApply/submit', {}, changed))
        await ground.tenants.must(apply(id))
      }
      return services.unit(...ask)
    }
    const late = Object.create(services, { unit: { value: slow } }) as typeof services
    await checkApplyStatusJob.run({ id }, { ...contextOf(), services: late })
    expect(await rowOf(id)).toMatchObject({ status: 'submitting', auditDetail: expect.anything() })
    await runSubmitJob(id)
    expect(await rowOf(id)).toMatchObject({ status: 'auditing' })
  })

  test('that is refused says why at the field of ours it means, and goes again under its number', async () => {
    const id = await draft('驳回小店')
    await apply(id)
    await runSubmitJob(id)
    ground.advance(61)
    const refused = await checkStatus(id)
    expect(refused).toMatchObject({
      status: 'rejected',
      auditDetail: [{ field: 'licenseNumber' }, { field: 'merchantShortname' }],
    })
    const changed = { id, merchantShortname: '北街小店' }
    await ground.tenants.must(
      call('POST', '/api/pay/payApply/submit', {}, { ...whole(refused.merchantId, ''), ...changed }),
    )
    await apply(id)
    await runSubmitJob(id)
    expect(await rowOf(id)).toMatchObject({ status: 'auditing', businessCode: refused.businessCode, auditDetail: null })
    expect(sentTimes(refused.businessCode!)).toBe(2)
  })

  test('whose answer was lost is asked about and not handed in twice', async () => {
    const id = await draft('北街小店')
    await apply(id)
    const { businessCode } = await rowOf(id)
    ground.wechat.faults.push({ kind: 'deaf after doing', path: /applyment\/$/, times: 1 })
    await expect(runSubmitJob(id)).rejects.toMatchObject({ isUndone: false })
    expect(await rowOf(id)).toMatchObject({ status: 'submitting' })
    await runSubmitJob(id)
    expect(await rowOf(id)).toMatchObject({ status: 'auditing' })
    expect(sentTimes(businessCode!)).toBe(1)
  })

  test('that did not arrive is handed in again, once', async () => {
    const id = await draft('北街小店')
    await apply(id)
    const { businessCode } = await rowOf(id)
    ground.wechat.faults.push({ kind: 'silent', path: /applyment\/$/, times: 1 })
    await expect(runSubmitJob(id)).rejects.toThrow()
    await runSubmitJob(id)
    expect(await rowOf(id)).toMatchObject({ status: 'auditing' })
    expect(sentTimes(businessCode!)).toBe(1)
  })

  test('the platform will not take says why, at its field, and may be changed', async () => {
    const id = await draft('北街小店')
    await apply(id)
    // What the check before sending lets through, the platform may still refuse.
    await ground.tenants.services.systemPool.query("update pay_apply set account_name = '北街 小店' where id = $1", [
      id,
    ])
    await runSubmitJob(id)
    expect(await rowOf(id)).toMatchObject({
      status: 'submitFailed',
      stateMsg: expect.stringContaining('PARAM_ERROR'),
      auditDetail: [{ field: 'accountName' }],
      sentValues: { accountName: '北街小店', mobilePhone: '13857103621' },
    })
    expect(JSON.stringify((await rowOf(id)).sentValues)).not.toContain('6222021202009012')
    expect((await call('POST', '/api/pay/payApply/submit', {}, { id, accountName: '北街小店' })).status).toBe(200)
  })

  test('under way is asked about by the clock, and who cannot be bound yet is refused', async () => {
    const id = await draft('验证小店')
    await apply(id)
    await runSubmitJob(id)
    ground.advance(61)
    await enqueueApplyStatusChecksJob.run({}, contextOf())
    await ground.tenants.server.jobs.runDue()
    expect((await rowOf(id)).status).toBe('toVerify')
    const bound = await call('POST', '/api/pay/payApply/bindShop', {}, { subMchid: '1234567890', shopId: '1' })
    expect(bound.status).toBe(400)
  })

  test('is of no use to another tenant', async () => {
    const id = await draft('北街小店')
    const { admin } = ground.tenants.south
    for (const path of ['apply', 'applystatus'])
      expect((await ground.tenants.call(admin, 'POST', `/api/pay/payApply/${path}`, { query: { id } })).status).toBe(
        404,
      )
  })
})

test('receivers are registered, again without harm, and a refusal stays beside them', async () => {
  const receivers = [
    { type: 'MERCHANT_ID', account: '1900000401', name: '云服务' },
    { type: 'PERSONAL_OPENID', account: 'oPersonOne', name: '' },
  ]
  const id = await merchant({ subMchid: '1900000777', receivers })
  const without = await merchant()
  const register = (one: string) => call('POST', '/api/merchant/merchantInfo/addReceivers', { id: one })
  expect((await register(without)).data).toMatchObject({ reason: 'merchant_without_number' })
  expect((await register(id)).status).toBe(200)
  await syncMerchantReceiversJob.run({ id }, contextOf())
  ground.wechat.faults.push({ kind: { status: 403, code: 'NO_AUTH' }, path: /receivers/, times: 1 })
  await syncMerchantReceiversJob.run({ id }, contextOf())
  expect([...ground.wechat.world.receivers]).toEqual(['1900000777/1900000401', '1900000777/oPersonOne'])
  const { data } = await call('GET', '/api/merchant/merchantInfo/detail', { id })
  expect(data.receiverStates).toMatchObject([{ state: 'refused' }, { account: 'oPersonOne', state: 'added' }])
  const rest = { id, receivers: receivers.slice(1) }
  expect((await call('POST', '/api/merchant/merchantInfo/submit', {}, rest)).status).toBe(200)
  expect((await register(id)).status).toBe(200)
  await syncMerchantReceiversJob.run({ id }, contextOf())
  expect([...ground.wechat.world.receivers]).toEqual(['1900000777/oPersonOne'])
  const now = await call('GET', '/api/merchant/merchantInfo/detail', { id })
  expect(now.data.receiverStates).toMatchObject([{ account: 'oPersonOne', state: 'added' }])
})

describe('the banks of an application', () => {
  test('are listed as WeChat Pay has them, asked for once, and a small one goes by the name it has there', async () => {
    const before = ground.wechat.calls.length
    const query = { bankAccountType: 'corporate', keyword: '杭州' }
    const banks = await ground.tenants.must(call('GET', '/api/pay/payApply/banks', query))
    expect(banks).toEqual([{ alias: '杭州银行', aliasCode: '1000009537', bank: '其他银行', needsBranch: true }])
    await ground.tenants.must(call('GET', '/api/pay/payApply/banks', { bankAccountType: 'corporate' }))
    expect(ground.wechat.calls.length - before).toBe(1)
    const branch = { aliasCode: '1000009537', bankRegion: '330106', keyword: '文三' }
    expect(await ground.tenants.must(call('GET', '/api/pay/payApply/branches', branch))).toEqual([
      { name: '杭州银行杭州文三支行', branchNo: '313331000014' },
    ])
    expect((await call('GET', '/api/pay/payApply/branches', { aliasCode: '1000009537' })).data.fields).toHaveProperty(
      'bankRegion',
    )
    const id = await draft('杭州小店', { accountBank: '杭州银行', bankName: '杭州银行杭州文三支行' })
    await apply(id)
    await runSubmitJob(id)
    const sent = ground.wechat.calls.findLast(({ path }) => path.endsWith('/applyment/'))!
    expect(sent.body.bank_account_info).toMatchObject({ account_bank: '其他银行', bank_name: '杭州银行杭州文三支行' })
  })

  test('are none, and nothing is refused, without an account at WeChat Pay, which is not asked', async () => {
    const { call: ask, south } = ground.tenants
    const before = ground.wechat.calls.length
    const banks = await ask(south.admin, 'GET', '/api/pay/payApply/banks', { query: { bankAccountType: 'corporate' } })
    expect(banks).toMatchObject({ status: 200, data: [] })
    const query = { aliasCode: '1000009537', bankRegion: '330106' }
    const branches = await ask(south.admin, 'GET', '/api/pay/payApply/branches', { query })
    expect(branches).toMatchObject({ status: 200, data: [] })
    expect(ground.wechat.calls.length).toBe(before)
  })
})

describe('another account for the money of a merchant', () => {
  let merchantId: string
  let subMchid: string
  let second: Awaited<ReturnType<typeof ground.tenants.person>>
  beforeAll(async () => {
    const id = await draft('换卡小店')
    await apply(id)
    await runSubmitJob(id)
    for (const seconds of [61, 61, 31]) {
      ground.advance(seconds)
      await checkStatus(id)
    }
    ;({ merchantId, subMchid } = (await rowOf(id)) as { merchantId: string; subMchid: string })
    const codes = ['settlementChange', 'settlementChange_ask', 'settlementChange_agree', 'settlementChange_decline']
    second = await ground.tenants.person(ground.tenants.north, 'accountant', codes)
  })
  const account = {
    bankAccountType: 'corporate',
    accountName: '北街小店',
    accountBank: '招商银行',
    bankRegion: '330106',
  }
  const submit = (more = {}) =>
    call(
      'POST',
      '/api/merchant/settlementChange/submit',
      {},
      {
        merchantId,
        ...account,
        bankName: '招商银行杭州分行',
        accountNumber: '6222021202007777',
        ...more,
      },
    )
  const act = (who: typeof second, action: string, id: string) =>
    ground.tenants.call(who, 'POST', `/api/merchant/settlementChange/${action}`, { query: { id } })
  const go = (id: string) => applySettlementChangeJob.run({ id }, contextOf())
  const changeOf = async (id: string) => (await inTenant((db) => db.get(settlementChange, id)))!
  const handedIn = () => ground.wechat.calls.filter(({ path }) => path.endsWith('/modify-settlement')).length

  test('is asked for by one, agreed to by another, handed in once, and done when WeChat Pay says so', async () => {
    const { admin } = ground.tenants.north
    const { id } = await ground.tenants.must(submit())
    expect((await act(second, 'agree', id)).status).toBe(400)
    await ground.tenants.must(act(admin, 'ask', id))
    expect((await act(admin, 'agree', id)).data.reason).toBe('money_other_person')
    const other = (await ground.tenants.must(submit())).id as string
    expect((await act(admin, 'ask', other)).data.reason).toBe('settlement_under_way')
    expect(handedIn()).toBe(0)
    const both = await Promise.all([act(second, 'agree', id), act(second, 'agree', id)])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    await Promise.all([go(id), go(id)])
    await go(id)
    expect(await changeOf(id)).toMatchObject({ status: 'auditing', applicationNo: expect.stringMatching(/^\d+$/) })
    expect(handedIn()).toBe(1)
    ground.advance(61)
    await go(id)
    expect(await changeOf(id)).toMatchObject({ status: 'done' })
    // WeChat Pay tells the account of a merchant that some shop is bound to.
    const shopIds = [ground.tenants.north.shops[1]!]
    await ground.tenants.must(call('POST', '/api/pay/payApply/bindShop', {}, { subMchid, shopIds }))
    const info = await call('GET', '/api/pay/payApply/bindInfo', { subMchid })
    expect(info.data.settlement).toMatchObject({ account_number: expect.stringMatching(/7777$/) })
    const shown = await call('GET', '/api/merchant/settlementChange/detail', { id })
    expect(JSON.stringify(shown.body)).not.toContain('6222021202007777')
    expect(shown.data).toMatchObject({ accountTail: '**** 7777' })
  })

  test('whose answer was lost is asked about by the account, and one that is refused says why', async () => {
    const { admin } = ground.tenants.north
    const before = handedIn()
    const lost = (await ground.tenants.must(submit({ accountNumber: '6222021202008888' }))).id as string
    await ground.tenants.must(act(admin, 'ask', lost))
    await ground.tenants.must(act(second, 'agree', lost))
    ground.wechat.faults.push({ kind: 'deaf after doing', path: /modify-settlement/, times: 1 })
    await go(lost)
    expect(await changeOf(lost)).toMatchObject({ status: 'sent', applicationNo: null })
    await go(lost)
    expect(await changeOf(lost)).toMatchObject({ status: 'auditing' })
    ground.advance(61)
    await go(lost)
    expect(await changeOf(lost)).toMatchObject({ status: 'done' })
    expect(handedIn() - before).toBe(1)
    const refused = (await ground.tenants.must(submit({ accountName: '驳回小店' }))).id as string
    await ground.tenants.must(act(admin, 'ask', refused))
    await ground.tenants.must(act(second, 'agree', refused))
    await go(refused)
    ground.advance(61)
    await go(refused)
    expect(await changeOf(refused)).toMatchObject({ status: 'failed', failReason: '开户名称与商户主体不一致' })
    const never = (await ground.tenants.must(submit())).id as string
    await ground.tenants.must(act(admin, 'ask', never))
    await ground.tenants.must(act(second, 'decline', never))
    await go(never)
    expect(await changeOf(never)).toMatchObject({ status: 'declined' })
  })
})
