import { redact } from '#domains/money/wechat-pay/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { APPLY_PICTURE_FIELDS } from './apply-fields.ts'
import type { payApply } from './pay-apply.resource.ts'

export type PayApplyRow = RowOf<typeof payApply>
type Key = keyof typeof payApply.fields

/** Returns the pictures of an application with their fields. */
export const applyPicturesOf = (row: PayApplyRow): { field: Key; link: string }[] =>
  APPLY_PICTURE_FIELDS.flatMap((field) =>
    [(row[field] as string | string[] | null) ?? []].flat().map((link) => ({ field, link })),
  )

const SUBJECTS: Record<string, string> = {
  enterprise: 'SUBJECT_TYPE_ENTERPRISE',
  individual: 'SUBJECT_TYPE_INDIVIDUAL',
  institution: 'SUBJECT_TYPE_INSTITUTIONS',
  government: 'SUBJECT_TYPE_GOVERNMENT',
  other: 'SUBJECT_TYPE_OTHERS',
}
/** WeChat Pay's certificate type for subjects without a business licence. */
const CERTIFICATES: Record<string, string> = {
  institution: 'CERTIFICATE_TYPE_2388',
  government: 'CERTIFICATE_TYPE_2389',
  other: 'CERTIFICATE_TYPE_2394',
}
const IDCARD = 'IDENTIFICATION_TYPE_IDCARD'
const FOREVER = '长期'
const REGION_DIGITS = 6

type Media = (link: string | null) => string | undefined
type Open = (sealed: string | null) => string | undefined

const region = (code: string | null) => code?.padEnd(REGION_DIGITS, '0').slice(0, REGION_DIGITS)

function contactOf(row: PayApplyRow, media: Media, open: Open) {
  const own = {
    contact_type: row.contactType,
    contact_name: redact(row.contactName),
    contact_id_number: redact(open(row.contactIdNumber) ?? open(row.idCardNumber)),
    mobile_phone: redact(row.mobilePhone),
    contact_email: redact(row.contactEmail),
  }
  if (row.contactType !== 'SUPER') return own
  return {
    ...own,
    contact_id_doc_type: IDCARD,
    contact_id_doc_copy: media(row.contactIdCopy),
    contact_id_doc_copy_back: media(row.contactIdCopyBack),
    contact_period_begin: row.contactIdBegin,
    contact_period_end: row.contactIdEnd ?? FOREVER,
    business_authorization_letter: media(row.contactLetter),
  }
}

function subjectOf(row: PayApplyRow, media: Media, open: Open) {
  const period = { period_begin: row.licenseBegin, period_end: row.licenseEnd ?? FOREVER }
  const named = { merchant_name: row.licenseName, legal_person: row.legalPerson }
  const certType = CERTIFICATES[row.subjectType]
  const papers = certType
    ? {
        certificate_info: {
          ...named,
          ...period,
          cert_copy: media(row.licenseCopy),
          cert_type: certType,
          cert_number: row.licenseNumber,
          company_address: row.licenseAddress,
        },
      }
    : {
        business_license_info: {
          ...named,
          ...period,
          license_copy: media(row.licenseCopy),
          license_number: row.licenseNumber,
          license_address: row.licenseAddress,
        },
      }

  return {
    subject_type: SUBJECTS[row.subjectType],
    ...papers,
    identity_info: {
      id_holder_type: 'LEGAL',
      id_doc_type: IDCARD,
      id_card_info: {
        id_card_copy: media(row.idCardCopy),
        id_card_national: media(row.idCardNational),
        id_card_name: redact(row.idCardName),
        id_card_number: redact(open(row.idCardNumber)),
        id_card_address: redact(row.idCardAddress),
        card_period_begin: row.idCardBegin,
        card_period_end: row.idCardEnd ?? FOREVER,
      },
      owner: row.subjectType === 'enterprise' ? true : undefined,
    },
  }
}

/**
 * Builds the application in WeChat Pay's format. `media` returns the uploaded id of a picture, `open` decrypts a
 * number, `bank` is the bank's name at WeChat Pay.
 */
export const toWechatApplyForm = (row: PayApplyRow, media: Media, open: Open, bank: string | null): object => ({
  business_code: row.businessCode,
  contact_info: contactOf(row, media, open),
  subject_info: subjectOf(row, media, open),
  business_info: {
    merchant_shortname: row.merchantShortname,
    service_phone: row.servicePhone,
    sales_info: {
      sales_scenes_type: ['SALES_SCENES_STORE'],
      biz_store_info: {
        biz_store_name: row.storeName,
        biz_address_code: region(row.storeRegion),
        biz_store_address: row.storeAddress,
        store_entrance_pic: row.storeEntrance?.map(media),
        indoor_pic: row.storeIndoor?.map(media),
      },
    },
  },
  settlement_info: {
    settlement_id: row.settlementId,
    qualification_type: row.qualificationType,
    qualifications: row.qualifications?.map(media),
  },
  bank_account_info: {
    bank_account_type:
      row.bankAccountType === 'personal' ? 'BANK_ACCOUNT_TYPE_PERSONAL' : 'BANK_ACCOUNT_TYPE_CORPORATE',
    account_name: redact(row.accountName),
    account_bank: bank,
    bank_address_code: region(row.bankRegion),
    bank_name: row.bankName,
    account_number: redact(open(row.accountNumber)),
  },
})

/** Our field for each field name of WeChat Pay. */
const FIELDS: Record<string, Key> = {
  contact_name: 'contactName',
  contact_id_number: 'contactIdNumber',
  contact_id_doc_copy: 'contactIdCopy',
  contact_id_doc_copy_back: 'contactIdCopyBack',
  contact_period_begin: 'contactIdBegin',
  contact_period_end: 'contactIdEnd',
  business_authorization_letter: 'contactLetter',
  mobile_phone: 'mobilePhone',
  contact_email: 'contactEmail',
  subject_type: 'subjectType',
  license_copy: 'licenseCopy',
  cert_copy: 'licenseCopy',
  license_number: 'licenseNumber',
  cert_number: 'licenseNumber',
  merchant_name: 'licenseName',
  legal_person: 'legalPerson',
  license_address: 'licenseAddress',
  company_address: 'licenseAddress',
  period_begin: 'licenseBegin',
  period_end: 'licenseEnd',
  id_card_copy: 'idCardCopy',
  id_card_national: 'idCardNational',
  id_card_name: 'idCardName',
  id_card_number: 'idCardNumber',
  id_card_address: 'idCardAddress',
  card_period_begin: 'idCardBegin',
  card_period_end: 'idCardEnd',
  merchant_shortname: 'merchantShortname',
  service_phone: 'servicePhone',
  biz_store_name: 'storeName',
  biz_address_code: 'storeRegion',
  biz_store_address: 'storeAddress',
  store_entrance_pic: 'storeEntrance',
  indoor_pic: 'storeIndoor',
  settlement_id: 'settlementId',
  qualification_type: 'qualificationType',
  qualifications: 'qualifications',
  bank_account_type: 'bankAccountType',
  account_name: 'accountName',
  account_bank: 'accountBank',
  bank_address_code: 'bankRegion',
  bank_name: 'bankName',
  account_number: 'accountNumber',
}

/** Returns our field for a field path or message of WeChat Pay: that of the last known name in it. */
export function findApplyField(words: string): Key | undefined {
  const names = words.match(/[a-z_]{4,40}/g) ?? []
  return FIELDS[names.findLast((name) => name in FIELDS) ?? '']
}

export type ApplyRejectReason = { field: string; field_name: string; reject_reason: string }

/** Maps the reasons of a rejection to our fields; unknown fields keep WeChat Pay's name. Null without reasons. */
export const toApplyRejectReasons = (details: readonly ApplyRejectReason[] | undefined): ApplyRejectReason[] | null =>
  details?.length ? details.map(({ field, ...rest }) => ({ field: findApplyField(field) ?? field, ...rest })) : null
