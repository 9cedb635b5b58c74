import { invalidValueError } from '#kit/server/database/each-alone.ts'

/** Longest code at the platform; a longer text would not fit into our index. */
const CODE_MAX = 128

/** Returns the product's code from a row of the platform, which has two names for it; undefined when invalid. */
export function codeOf(row: Record<string, unknown> | null | undefined): string | undefined {
  const code = row?.app_spu_code ?? row?.app_food_code
  if (typeof code !== 'string' && typeof code !== 'number') return undefined
  const text = String(code)
  return text.length > 0 && text.length <= CODE_MAX ? text : undefined
}

/** Returns the same code. Throws when it is invalid. */
export function requireCode(row: Record<string, unknown> | null | undefined): string {
  const code = codeOf(row)
  if (code === undefined) throw invalidValueError('app_spu_code', row?.app_spu_code ?? row?.app_food_code)
  return code
}
