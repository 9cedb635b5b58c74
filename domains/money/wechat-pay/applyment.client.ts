import { createHash, randomBytes } from 'node:crypto'
import type { CallWechatPay, Redacted } from './wechat-pay.client.ts'

export type ApplymentState = {
  business_code: string
  applyment_id: string | number
  sub_mchid?: string
  sign_url?: string
  applyment_state: string
  applyment_state_msg?: string
  audit_detail?: { field: string; field_name: string; reject_reason: string }[]
}

type Settlement = {
  account_type: string
  account_bank: string
  bank_name?: string
  account_number: string
  verify_result?: string
  verify_fail_reason?: string
}

type Account = {
  account_type: 'ACCOUNT_TYPE_BUSINESS' | 'ACCOUNT_TYPE_PRIVATE'
  account_bank: string
  bank_address_code: string
  bank_name?: string
  bank_branch_id?: string
  account_number: Redacted
  account_name?: Redacted
}

const PAGE = 200
const part = (name: string) => encodeURIComponent(name)

/** Builds a multipart form of metadata and file; WeChat Pay wants only the metadata signed. */
function uploadOf(file: { name: string; type: string; bytes: Buffer }) {
  const meta = JSON.stringify({
    filename: file.name,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
  })
  const boundary = randomBytes(16).toString('hex')
  const head = (name: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${name}\r\nContent-Type: ${type}\r\n\r\n`
  return {
    meta,
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      Buffer.from(`${head('name="meta"', 'application/json')}${meta}\r\n`),
      Buffer.from(head(`name="file"; filename="${file.name}"`, file.type)),
      file.bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}

/** Calls to become a sub-merchant: uploads, application, settlement account, consent. */
export const createApplymentCalls = (ask: CallWechatPay) => ({
  upload: async (file: { name: string; type: string; bytes: Buffer }, kind: 'image' | 'video' = 'image') => {
    const path = kind === 'image' ? '/v3/merchant/media/upload' : '/v3/merchant/media/video_upload'
    return String((await ask({ method: 'POST', path, upload: uploadOf(file) })).media_id)
  },
  /** The trailing slash of the path is required. */
  apply: (form: object) => ask({ method: 'POST', path: '/v3/applyment4sub/applyment/', body: form }),
  applied: (businessCode: string) =>
    ask({
      method: 'GET',
      path: `/v3/applyment4sub/applyment/business_code/${part(businessCode)}`,
    }) as Promise<ApplymentState>,
  settlement: (subMchid: string) =>
    ask({ method: 'GET', path: `/v3/apply4sub/sub_merchants/${part(subMchid)}/settlement` }) as Promise<Settlement>,
  changeSettlement: (subMchid: string, account: Account) =>
    ask({
      method: 'POST',
      path: `/v3/apply4sub/sub_merchants/${part(subMchid)}/modify-settlement`,
      body: { modify_mode: 'MODIFY_MODE_ASYNC', ...account },
    }),
  settlementChange: (subMchid: string, applicationNo: string) =>
    ask({ method: 'GET', path: `/v3/apply4sub/sub_merchants/${part(subMchid)}/application/${part(applicationNo)}` }),
  consent: (subMchid: string) =>
    ask({ method: 'GET', path: `/v3/apply4subject/applyment/merchants/${part(subMchid)}/state` }),
  askConsent: (form: object) => ask({ method: 'POST', path: '/v3/apply4subject/applyment', body: form }),
  consentAsked: (businessCode: string) =>
    ask({ method: 'GET', path: `/v3/apply4subject/applyment?business_code=${part(businessCode)}` }),
  cancelConsent: (businessCode: string) =>
    ask({ method: 'POST', path: `/v3/apply4subject/applyment/${part(businessCode)}/cancel`, body: {} }),
  provinces: () => ask({ method: 'GET', path: '/v3/capital/capitallhh/areas/provinces' }),
  cities: (province: number) =>
    ask({ method: 'GET', path: `/v3/capital/capitallhh/areas/provinces/${province}/cities` }),
  banks: (kind: 'personal' | 'corporate', offset = 0) =>
    ask({ method: 'GET', path: `/v3/capital/capitallhh/banks/${kind}-banking?offset=${offset}&limit=${PAGE}` }),
  branches: (bankAliasCode: string, cityCode: number, offset = 0) =>
    ask({
      method: 'GET',
      path:
        `/v3/capital/capitallhh/banks/${part(bankAliasCode)}/branches?city_code=${cityCode}` +
        `&offset=${offset}&limit=${PAGE}`,
    }),
})
