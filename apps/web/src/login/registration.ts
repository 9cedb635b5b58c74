import type { LocalizedText } from '#kit/web/base/language.tsx'
import { words } from './words.ts'

export type RegistrationValues = {
  tenantId: string
  name: string
  account: string
  password: string
  password2: string
}
export type RegistrationProblem = { field: keyof RegistrationValues; words: LocalizedText } | undefined

/** Returns the first missing or wrong field of a registration, in the order of the form; undefined if all are valid. */
export function findRegistrationProblem(values: RegistrationValues): RegistrationProblem {
  if (!values.tenantId) return { field: 'tenantId', words: words.registerTenant }
  if (!values.account) return { field: 'account', words: words.registerAccount }
  if (!values.password) return { field: 'password', words: words.registerPassword }
  if (!values.password2) return { field: 'password2', words: words.registerPassword }
  if (values.password !== values.password2) return { field: 'password2', words: words.registerDiffers }
  return undefined
}
