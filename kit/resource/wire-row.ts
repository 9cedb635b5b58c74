import type { FieldValueOf } from '../fields/base/field-kind.ts'

/**
 * Type of a field's value as sent to clients (wire contract §1.4): never null. Absent numbers and amounts are -1,
 * amounts are yuan as text, several values are a comma-separated list.
 */
export type WireValueOf<F> = F extends { readonly kind: infer K }
  ? K extends 'boolean'
    ? boolean
    : K extends 'number' | 'money' | 'percent'
      ? number | string
      : K extends 'json'
        ? unknown
        : K extends 'dict'
          ? NonNullable<FieldValueOf<F>>
          : string
  : unknown

type Stem<K> = K extends `${infer S}Ids` ? S : K extends `${infer S}Id` ? S : K

/** Key under which the label of a field's value is sent beside it; `never` for fields without labels. */
type WordsKeyOf<K, F> = F extends { readonly kind: infer Kind; readonly labelKey?: infer L }
  ? Kind extends 'ref' | 'refs' | 'tree' | 'dict' | 'dicts' | 'region'
    ? [L] extends [string]
      ? [L] extends [never]
        ? Kind extends 'dict' | 'dicts' | 'region'
          ? `${K & string}Name`
          : `${Stem<K> & string}Name`
        : L
      : `${Stem<K> & string}Name`
    : never
  : never

type WireBase = {
  id: string
  tenantId: string
  createUser: string
  createUserName?: string
  createDept: string
  createTime: string
  updateUser: string
  updateUserName?: string
  updateTime: string
  version: number
}

/**
 * Type of a row as sent to clients: the fields in wire form, and labels of references, dictionaries and regions
 * (`shopName` beside `shopId`). Use it only for fields the route sends: lists leave out heavy fields, and secret or
 * hidden ones are never sent.
 */
export type WireRow<R> = R extends { fields: infer F }
  ? WireBase & { -readonly [K in keyof F]: WireValueOf<F[K]> } & { [K in keyof F as WordsKeyOf<K, F[K]>]: string }
  : never
