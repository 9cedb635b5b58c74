import { oddValue } from '#kit/server/each-alone.ts'

/** A code is no longer at the platform; an endless one fits into no index here. */
const CODE_MAX = 128

/** Reads the code of goods from a row of the platform, which has two names for it; nothing where it is none. */
export function codeOf(row: Record<string, unknown> | null | undefined): string | undefined {
  const code = row?.app_spu_code ?? row?.app_food_code
  if (typeof code !== 'string' && typeof code !== 'number') return undefined
  const text = String(code)
  return text.length > 0 && text.length <= CODE_MAX ? text : undefined
}

/** Reads the same code; throws where it is none, by its name. */
export function requireCode(row: Record<string, unknown> | null | undefined): string {
  const code = codeOf(row)
  if (code === undefined) throw oddValue('app_spu_code', row?.app_spu_code ?? row?.app_food_code)
  return code
}
