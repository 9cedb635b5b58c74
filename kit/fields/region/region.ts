import { toHalfWidthText } from '../base/clean-text.ts'
import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/**
 * Normalizes a region code: two digits for a province, four for a city, six for a county; longer codes stay. Cuts the
 * zeros of the national six-digit codes, "330000" and "330100".
 */
export const normalizeRegionCode = (code: string): string =>
  /^\d{6}$/.test(code) ? code.replace(/(00){1,2}$/, '') : code

/** Returns the codes of the province and city a region code lies in; null if the code is too short for one. */
export const provinceAndCityOf = (code: string): { province: string | null; city: string | null } => {
  const short = normalizeRegionCode(code)
  return { province: short.length >= 2 ? short.slice(0, 2) : null, city: short.length >= 4 ? short.slice(0, 4) : null }
}

/**
 * A region of China by its code, usually a county ("330106"). A filter by a province or city finds what lies inside.
 */
export const regionKind: FieldKind = {
  kind: 'region',
  column: () => 'text',
  parse: (input) =>
    (typeof input === 'string' || typeof input === 'number') && /^\d{2,12}$/.test(String(input))
      ? { value: normalizeRegionCode(String(input)) }
      : fieldParseRefusal('not_a_region'),
  wire: (stored) => stored ?? '',
  clean: toHalfWidthText,
  operator: 'likeright',
  schema: () => ({ type: 'string', pattern: '^\\d{2,12}$' }),
  sample: () => '330106',
  sortable: true,
  readsAs: 'text',
  choices: 'regions',
  isPicked: true,
  searchSuffix: '_likeright',
  fromFilter: normalizeRegionCode,
  sheet: { width: 28, hint: { zh: '完整的区划名称或代码', en: 'Full region name or code' } },
  inRules: { zh: '地区编号', en: 'Region code' },
  wrong: () => 'nowhere',
}
