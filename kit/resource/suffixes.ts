import type { FilterOperator } from '../fields/base/options.ts'

/** Operator of each filter suffix on the wire (`name_like`). A bare date under any of them means the whole day. */
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
