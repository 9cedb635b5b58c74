import type { FilterOperator } from '../fields/field-kind.ts'

/** Wire suffixes of filters to operators. Date suffixes share them; a bare date means the whole day. */
const known = {
  like: 'like',
  likeleft: 'likeleft',
  likeright: 'likeright',
  notlike: 'notlike',
  equal: 'eq',
  notequal: 'ne',
  gt: 'gt',
  ge: 'ge',
  lt: 'lt',
  le: 'le',
  null: 'null',
  notnull: 'notnull',
  ignore: 'ignore',
  datege: 'ge',
  dategt: 'gt',
  datele: 'le',
  datelt: 'lt',
  dateequal: 'eq',
  in: 'in',
} satisfies Record<string, FilterOperator | 'ignore'>

export type FilterSuffix = keyof typeof known
export const operatorsByFilterSuffix: Record<string, FilterOperator | 'ignore'> = known
