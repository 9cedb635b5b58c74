import type { FieldValueOf } from '../fields/field-kind.ts'

/**
 * What a client reads of a field's value (wire contract §1.4): never null; amounts, decimals and whole numbers that are
 * absent are -1, amounts are yuan as text, several values are a comma list.
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

/** The key under which the words for a field's value travel beside it; `never` for fields that are words themselves. */
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
 * A row as clients read it: the declared fields in their wire form, with the words for references, dictionaries and
 * regions beside them (`shopId` with `shopName`). Only fields that are asked for: lists leave out what is heavy, and
 * nobody is sent what is secret or what they may not see.
 */
export type WireRow<R> = R extends { fields: infer F }
  ? WireBase & { -readonly [K in keyof F]: WireValueOf<F[K]> } & { [K in keyof F as WordsKeyOf<K, F[K]>]: string }
  : never
