import type { payApply } from './pay-apply.resource.ts'

type Key = Extract<keyof typeof payApply.fields, string>

/** Sealed numbers of an application, each with the field that shows its last four characters. */
export const SEALED = {
  idCardNumber: 'idCardTail',
  accountNumber: 'accountTail',
  contactIdNumber: 'contactIdTail',
} as const
export const SEALED_KEYS = Object.keys(SEALED) as (keyof typeof SEALED)[]

/** Its pictures, one a field and then several. */
export const PICTURES: readonly Key[] = [
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

/** What is asked of an agent alone. */
export const OF_AGENT: readonly Key[] = [
  'contactIdNumber',
  'contactIdBegin',
  'contactIdEnd',
  'contactIdCopy',
  'contactIdCopyBack',
  'contactLetter',
]
