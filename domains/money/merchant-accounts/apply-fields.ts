import type { payApply } from './pay-apply.resource.ts'

type Key = Extract<keyof typeof payApply.fields, string>

/** Encrypted numbers of an application, each with the field that shows its last four characters. */
export const SEALED_APPLY_FIELDS = {
  idCardNumber: 'idCardTail',
  accountNumber: 'accountTail',
  contactIdNumber: 'contactIdTail',
} as const
export const SEALED_APPLY_FIELD_KEYS = Object.keys(SEALED_APPLY_FIELDS) as (keyof typeof SEALED_APPLY_FIELDS)[]

/** Picture fields of an application; first those with one picture, then those with several. */
export const APPLY_PICTURE_FIELDS: readonly Key[] = [
  'licenseCopy',
  'idCardCopy',
  'idCardNational',
  'contactIdCopy',
  'contactIdCopyBack',
  'contactLetter',
  'storeEntrance',
  'storeIndoor',
  'qualifications',
]

/** Fields required only when the contact is an agent and not the legal person. */
export const AGENT_ONLY_APPLY_FIELDS: readonly Key[] = [
  'contactIdNumber',
  'contactIdBegin',
  'contactIdEnd',
  'contactIdCopy',
  'contactIdCopyBack',
  'contactLetter',
]
