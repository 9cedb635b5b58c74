import type { Field, FieldOptions } from '../fields/field-kind.ts'
import type { Words } from './words.ts'

type Text = FieldOptions & { min?: number; max?: number; pattern?: string; patternWords?: Words; sample?: string | ((n: number) => string) }
type Ranged = FieldOptions & { min?: number; max?: number }
type Dict = FieldOptions & { biz?: boolean; without?: readonly string[] }
type Ref = FieldOptions & {
  labelKey?: string
  keyType?: 'text'
  /** Field both rows have: only rows that agree in it may be chosen, as the gateways of a tag's own shop. */
  same?: string
  /** With `to` empty: the field that says which family is meant, and the families by its values. */
  by?: string
  among?: Readonly<Record<string, string>>
}
type Upload = FieldOptions & { maxKb?: number; accept?: string[]; maxCount?: number }

const field = <V>(kind: string) => <O extends FieldOptions>(options: O) => ({ kind, ...options }) as unknown as Field<V> & O

function dict<O extends Dict & { numeric: true }>(code: string, options: O): Field<number | null> & O
function dict<O extends Dict>(code: string, options: O): Field<string | null> & O
function dict(code: string, options: Dict) {
  return { kind: 'dict', dict: code, ...options } as Field
}

/** Field builders: `f.text({ label, required: true, max: 32, search: 'like' })`. The options of a kind are described in its folder. */
export const f = {
  text: <O extends Text>(options: O) => field<string | null>('text')(options),
  longText: <O extends Text & { rows?: number }>(options: O) => field<string | null>('longText')(options),
  richText: <O extends Text>(options: O) => field<string | null>('richText')(options),
  number: <O extends Ranged & { decimals?: number; unit?: Words; big?: boolean }>(options: O) => field<number | null>('number')(options),
  /** Handlers see integer cents. */
  money: <O extends Ranged>(options: O) => field<number | null>('money')(options),
  percent: <O extends Ranged>(options: O) => field<number | null>('percent')(options),
  boolean: <O extends FieldOptions>(options: O) => field<boolean | null>('boolean')(options),
  dict,
  dicts: <O extends Dict>(code: string, options: O) => field<string[] | null>('dicts')({ dict: code, ...options }),
  ref: <O extends Ref>(to: string, options: O) => field<string | null>('ref')({ to, ...options }),
  refs: <O extends Ref>(to: string, options: O) => field<string[] | null>('refs')({ to, ...options }),
  tree: <O extends Ref>(to: string, options: O) => field<string | null>('tree')({ to, ...options }),
  date: <O extends FieldOptions>(options: O) => field<string | null>('date')(options),
  datetime: <O extends FieldOptions>(options: O) => field<string | null>('datetime')(options),
  phone: <O extends FieldOptions & { landline?: boolean; masked?: boolean }>(options: O) => field<string | null>('phone')(options),
  email: <O extends FieldOptions>(options: O) => field<string | null>('email')(options),
  url: <O extends FieldOptions>(options: O) => field<string | null>('url')(options),
  password: <O extends Text>(options: O) => field<string | null>('password')(options),
  colour: <O extends FieldOptions>(options: O) => field<string | null>('colour')(options),
  icon: <O extends FieldOptions>(options: O) => field<string | null>('icon')(options),
  picture: <O extends Upload>(options: O) => field<string | null>('picture')(options),
  pictures: <O extends Upload>(options: O) => field<string[] | null>('pictures')(options),
  file: <O extends Upload>(options: O) => field<string | null>('file')(options),
  files: <O extends Upload>(options: O) => field<string[] | null>('files')(options),
  /** `isLevel`: one of several fields of an address; its name stands without those above it. */
  region: <O extends FieldOptions & { isLevel?: boolean }>(options: O) => field<string | null>('region')(options),
  location: <O extends FieldOptions>(options: O) => field<string | null>('location')(options),
  json: <O extends FieldOptions & { max?: number; schema?: object }>(options: O) => field<unknown>('json')(options),
  cron: <O extends FieldOptions>(options: O) => field<string | null>('cron')(options),
  tags: <O extends FieldOptions & { maxCount?: number }>(options: O) => field<string[] | null>('tags')(options),
}
