import { unsealed } from './keys.ts'
import {
  refuse,
  type Applyment,
  type WechatSimRequest,
  type Routes,
  type SettlementChange,
  type World,
} from './world.ts'

type Form = Record<string, any>

const DAY_MS = 86_400_000
const CHANGES_A_DAY = 5

const GROUPS = ['contact_info', 'subject_info', 'business_info', 'settlement_info', 'bank_account_info']
const PEOPLE = [
  ['contact_info', 'contact_name'],
  ['contact_info', 'contact_id_number'],
  ['contact_info', 'mobile_phone'],
  ['contact_info', 'contact_email'],
  ['subject_info', 'identity_info', 'id_card_info', 'id_card_name'],
  ['subject_info', 'identity_info', 'id_card_info', 'id_card_number'],
  ['subject_info', 'identity_info', 'id_card_info', 'id_card_address'],
  ['bank_account_info', 'account_name'],
  ['bank_account_info', 'account_number'],
]
const RULES: Record<string, RegExp> = {
  mobile_phone: /^1\d{10}$/,
  contact_id_number: /^\d{17}[\dX]$/,
  id_card_number: /^\d{17}[\dX]$/,
  account_number: /^\d{6,32}$/,
}
const MEDIA = /(_copy|_back|_national|_letter|_pic|_pics|qualifications)$/
const STATES = ['AUDITING', 'TO_BE_CONFIRMED', 'TO_BE_SIGNED', 'SIGNING', 'FINISHED'] as const

const valueAt = (form: Form, path: readonly string[]) =>
  path.reduce<unknown>((at, key) => (at as Form | undefined)?.[key], form)

/** Returns every leaf of a form with its path. */
function leaves(value: unknown, path: string[] = []): [string[], unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const entries = Object.entries(value)
  if (!entries.length) return [[path, '']]
  return entries.flatMap(([key, one]) => leaves(one, [...path, key]))
}

const refuseForm = (message: string): never => refuse(400, 'PARAM_ERROR', message, '268435461')

/** Decrypts the personal fields of a form; refuses those not encrypted with WeChat Pay's key. */
function openForm({ publicKey, certificate }: World, form: Form): Record<string, string> {
  const open: Record<string, string> = {}
  for (const path of PEOPLE) {
    const sealed = valueAt(form, path)
    if (sealed === undefined) continue
    const plain = unsealed(sealed, publicKey.privateKey) ?? unsealed(sealed, certificate.privateKey)
    const name = path.at(-1)!
    if (plain === undefined) return refuseForm(`${path.join('.')} 未使用微信支付公钥加密`)
    if (RULES[name] && !RULES[name].test(plain)) refuseForm(`${path.join('.')} 格式错误`)
    open[name] = plain
  }
  return open
}

function requireForm(world: World, form: Form): void {
  if (leaves(form).some(([, value]) => value === '' || value === null))
    refuse(500, 'SYSTEM_ERROR', '系统繁忙，请稍后重试')
  const code = String(form.business_code ?? '')
  if (!/^\w{1,124}$/.test(code)) refuseForm('business_code 格式错误')
  const missing = GROUPS.find((group) => form[group] === undefined)
  if (missing) refuseForm(`缺少 ${missing}`)
  requireMedia(world, form)
  const open = openForm(world, form)
  for (const name of ['contact_name', 'mobile_phone', 'contact_email', 'account_name', 'account_number'])
    if (!open[name]) refuseForm(`缺少 ${name}`)
  requireAccount(form, open)
}

/** Refuses a form with a picture that was not uploaded before. */
function requireMedia(world: World, form: Form): void {
  for (const [path, value] of leaves(form)) {
    const name = path.findLast((key) => !/^\d+$/.test(key))!
    if (MEDIA.test(name) && !world.media.has(String(value))) refuseForm(`${path.join('.')} 证书图片内容无效`)
  }
}

/** Refuses an account that does not belong to the applicant: the owner of a small business or the licensed company. */
function requireAccount(form: Form, open: Record<string, string>): void {
  const { subject_type: kind, business_license_info: licence } = form.subject_info as Form
  if (['SUBJECT_TYPE_INDIVIDUAL', 'SUBJECT_TYPE_ENTERPRISE'].includes(kind) && !licence)
    refuseForm('缺少 subject_info.business_license_info')
  const account = form.bank_account_info as Form
  if (account.bank_account_type === 'BANK_ACCOUNT_TYPE_PERSONAL' && kind !== 'SUBJECT_TYPE_INDIVIDUAL')
    refuseForm('仅个体户可使用经营者个人银行卡')
  if (account.bank_account_type === 'BANK_ACCOUNT_TYPE_CORPORATE' && open.account_name !== licence?.merchant_name)
    refuseForm('bank_account_info.account_name 与营业执照名称不一致')
}

function submit(world: World, { path, body: form }: WechatSimRequest) {
  if (!path.endsWith('/')) return refuse(404, 'RESOURCE_NOT_EXISTS', '请求的资源不存在')
  requireForm(world, form)
  const code = form.business_code as string
  const known = world.applyments.get(code)
  if (known && known.state !== 'REJECTED' && known.state !== 'EDITTING')
    return refuse(400, 'PROCESSING', '该业务申请编号已有申请单在处理')
  const id = known?.id ?? world.newNo()
  const applyment: Applyment = { code, id, form, state: 'AUDITING', since: world.now(), message: '', details: [] }
  world.applyments.set(code, applyment)
  return { applyment_id: id }
}

/** Rejects an application, as its short name asks for. */
function refuseApplyment(applyment: Applyment): void {
  applyment.state = 'REJECTED'
  applyment.message = '资料有误，请按驳回原因修改'
  applyment.details = [
    {
      field: 'subject_info.business_license_info.license_number',
      field_name: '营业执照注册号',
      reject_reason: '注册号与营业执照照片不一致',
    },
    {
      field: 'business_info.merchant_shortname',
      field_name: '商户简称',
      reject_reason: '商户简称不符合规范',
    },
  ]
}

/** Moves applications to their next state when it is due. */
export function moveApplyments(world: World): void {
  const { pace } = world
  const stays: Record<string, number> = {
    AUDITING: pace.audit,
    TO_BE_CONFIRMED: pace.sign,
    TO_BE_SIGNED: pace.sign,
    SIGNING: pace.open,
  }
  for (const one of world.applyments.values())
    while (stays[one.state] !== undefined && world.now() >= one.since + stays[one.state]!) {
      const shortname = String(one.form.business_info.merchant_shortname)
      one.since += stays[one.state]!
      if (one.state === 'AUDITING' && (world.isStrict || shortname.includes('驳回'))) refuseApplyment(one)
      else {
        const next = STATES.indexOf(one.state as 'AUDITING') + 1
        const isConfirmed = STATES[next] === 'TO_BE_CONFIRMED' && !shortname.includes('验证')
        one.state = STATES[isConfirmed ? next + 1 : next]!
      }
      if (one.state === 'FINISHED') one.subMchid = `16${one.id.slice(-8)}`
    }
}

function shown(world: World, found: Applyment | undefined) {
  if (!found) return refuse(404, 'RESOURCE_NOT_EXISTS', '申请单不存在')
  const isToSign = found.state === 'TO_BE_SIGNED' || found.state === 'TO_BE_CONFIRMED'
  return {
    business_code: found.code,
    applyment_id: found.id,
    ...(found.subMchid ? { sub_mchid: found.subMchid } : {}),
    ...(isToSign ? { sign_url: `${world.url}/public/apply4ec_sign/s?applymentId=${found.id}&sign=${found.code}` } : {}),
    applyment_state: `APPLYMENT_STATE_${found.state}`,
    applyment_state_msg: found.message || '申请单处理中',
    ...(found.details.length ? { audit_detail: found.details } : {}),
  }
}

const merchantOf = ({ applyments }: World, subMchid: string) =>
  [...applyments.values()].find((one) => one.subMchid === subMchid) ??
  refuse(403, 'NO_AUTH', '服务商与特约商户没有受理关系', '268443701')

function settlement(world: World, { params: [subMchid] }: WechatSimRequest) {
  const { form } = merchantOf(world, subMchid!)
  const change = shownChange(world, subMchid!)
  const { bank_account_type: kind, account_bank, bank_name } = form.bank_account_info as Form
  return {
    account_type: kind === 'BANK_ACCOUNT_TYPE_PERSONAL' ? 'ACCOUNT_TYPE_PRIVATE' : 'ACCOUNT_TYPE_BUSINESS',
    account_bank,
    ...(bank_name ? { bank_name } : {}),
    account_number: `62*************${openForm(world, form).account_number!.slice(-4)}`,
    ...change,
  }
}

/** Decides a change of the settlement account when it is due: refused when the account name contains 驳回. */
function decideWhenDue(world: World, change: SettlementChange): SettlementChange {
  if (change.result || world.now() < change.since + world.pace.audit) return change
  change.result = world.isStrict || change.accountName.includes('驳回') ? 'FAIL' : 'SUCCESS'
  if (change.result === 'SUCCESS') {
    const { account_type: kind, account_number, account_bank, bank_name } = change.body
    Object.assign(merchantOf(world, change.subMchid).form.bank_account_info, {
      account_number,
      account_bank,
      ...(bank_name && { bank_name }),
      bank_account_type: kind === 'ACCOUNT_TYPE_PRIVATE' ? 'BANK_ACCOUNT_TYPE_PERSONAL' : 'BANK_ACCOUNT_TYPE_CORPORATE',
    })
  }
  return change
}

const WHY_NOT = '开户名称与商户主体不一致'
/** Returns the verification fields of an account's last change. */
function shownChange(world: World, subMchid: string): object {
  const last = [...world.settlements.values()].findLast((one) => one.subMchid === subMchid)
  if (!last) return {}
  const { result } = decideWhenDue(world, last)
  if (!result) return { verify_result: 'VERIFYING' }
  return result === 'SUCCESS'
    ? { verify_result: 'VERIFY_SUCCESS' }
    : { verify_result: 'VERIFY_FAIL', verify_fail_reason: WHY_NOT }
}

function changeOf(world: World, { params: [subMchid, no] }: WechatSimRequest) {
  const change = world.settlements.get(no!)
  if (change?.subMchid !== subMchid) return refuse(404, 'RESOURCE_NOT_EXISTS', '申请单不存在')
  const { result } = decideWhenDue(world, change!)
  return {
    account_name: '**',
    account_type: change!.body.account_type,
    account_bank: change!.body.account_bank,
    verify_result: result ? `AUDIT_${result}` : 'AUDITING',
    ...(result === 'FAIL' && { verify_fail_reason: WHY_NOT }),
  }
}

function changeSettlement(world: World, { params: [subMchid], body }: WechatSimRequest) {
  const { form } = merchantOf(world, subMchid!)
  const open = (sealed: unknown) =>
    unsealed(sealed, world.publicKey.privateKey) ?? unsealed(sealed, world.certificate.privateKey)
  const [number, accountName] = [open(body.account_number), open(body.account_name)]
  if (number === undefined || accountName === undefined)
    return refuse(400, 'PARAM_ERROR', 'account_number 或 account_name 未使用微信支付公钥加密', '268435461')
  const isPersonal = body.account_type === 'ACCOUNT_TYPE_PRIVATE'
  if (isPersonal && (form.subject_info as Form).subject_type !== 'SUBJECT_TYPE_INDIVIDUAL')
    return refuse(400, 'PARAM_ERROR', '仅个体户可使用经营者个人银行卡', '268435461')
  const own = [...world.settlements.values()].filter((one) => one.subMchid === subMchid)
  if (own.some((one) => !decideWhenDue(world, one).result)) return refuse(400, 'INVALID_REQUEST', '有修改申请正在审核')
  if (own.filter(({ since }) => world.now() - since < DAY_MS).length >= CHANGES_A_DAY)
    return refuse(429, 'FREQUENCY_LIMITED', '一天最多修改 5 次')
  const application_no = world.newNo()
  world.settlements.set(application_no, { subMchid: subMchid!, body, accountName, since: world.now() })
  return { application_no }
}

export const applymentRoutes: Routes = [
  ['POST', /^\/v3\/applyment4sub\/applyment\/?$/, submit],
  [
    'GET',
    /^\/v3\/applyment4sub\/applyment\/business_code\/(\w+)$/,
    (world, { params: [code] }) => shown(world, world.applyments.get(code!)),
  ],
  ['GET', /^\/v3\/apply4sub\/sub_merchants\/(\d+)\/settlement$/, settlement],
  ['POST', /^\/v3\/apply4sub\/sub_merchants\/(\d+)\/modify-settlement$/, changeSettlement],
  ['GET', /^\/v3\/apply4sub\/sub_merchants\/(\d+)\/application\/(\d+)$/, changeOf],
  [
    'GET',
    /^\/v3\/apply4subject\/applyment\/merchants\/(\d+)\/state$/,
    (world, { params: [subMchid] }) => {
      merchantOf(world, subMchid!)
      return { authorize_state: 'AUTHORIZE_STATE_AUTHORIZED' }
    },
  ],
]
