import type * as O from '../fields/options.ts'
import { f } from './f.ts'

/**
 * What all who use a fragment have in common. Whether it is required and which neighbours it names, each says itself.
 */
type FragmentOptions<T> = Omit<T, 'required' | 'requiredWhen' | 'systemUpdated' | 'same' | 'by'>
type Own<T, R extends boolean> = Partial<T> & O.RequiredOption<R>

/**
 * A field that many families have: the module of its noun says the words and the usual options once, each family what
 * is
 * different there. Where `shopId = fragment.ref('basicShopInfo', { label, … })`, a family has
 * `shopId: shopId({ form: 'read' })`.
 */
export const fragment = {
  text:
    (said: FragmentOptions<O.TextOptions<never>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(own: Own<O.TextOptions<N>, R> = {}) =>
      f.text<N, R>({ ...said, ...own }),
  longText:
    (said: FragmentOptions<O.LongTextOptions<never>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(own: Own<O.LongTextOptions<N>, R> = {}) =>
      f.longText<N, R>({ ...said, ...own }),
  number:
    (said: FragmentOptions<O.NumberOptions<never>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(own: Own<O.NumberOptions<N>, R> = {}) =>
      f.number<N, R>({ ...said, ...own }),
  datetime:
    (said: FragmentOptions<O.MomentOptions<never>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(own: Own<O.MomentOptions<N>, R> = {}) =>
      f.datetime<N, R>({ ...said, ...own }),
  phone:
    (said: FragmentOptions<O.PhoneOptions<never>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(own: Own<O.PhoneOptions<N>, R> = {}) =>
      f.phone<N, R>({ ...said, ...own }),
  boolean:
    (said: FragmentOptions<O.BooleanOptions<never>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(own: Own<O.BooleanOptions<N>, R> = {}) =>
      f.boolean<N, R>({ ...said, ...own }),
  dict:
    (code: string, said: FragmentOptions<O.DictOptions<never, false>>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(
      own: Own<O.DictOptions<N, false>, R> = {},
    ) =>
      f.dict<N, R>(code, { ...said, ...own }),
  ref:
    <const L extends string = never>(to: string, said: FragmentOptions<O.RefOptions<never>> & O.LabelKeyOption<L>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(
      own: Omit<Own<O.RefOptions<N>, R>, 'labelKey'> = {},
    ) =>
      f.ref<N, R, L>(to, { ...said, ...own }),
  refs:
    <const L extends string = never>(to: string, said: FragmentOptions<O.RefsOptions<never>> & O.LabelKeyOption<L>) =>
    <const N extends O.SiblingKey = never, const R extends boolean = false>(
      own: Omit<Own<O.RefsOptions<N>, R>, 'labelKey'> = {},
    ) =>
      f.refs<N, R, L>(to, { ...said, ...own }),
}
