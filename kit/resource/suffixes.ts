import type { Operator } from '../fields/field-kind.ts'

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
} satisfies Record<string, Operator | 'ignore'>

export type Suffix = keyof typeof known
export const suffixes: Record<string, Operator | 'ignore'> = known
