import type * as O from '../fields/options.ts'
import { f } from './f.ts'

/**
 * What all who use a fragment have in common. Whether it is required and which neighbours it names, each says itself.
 */
type Said<T> = Omit<T, 'required' | 'requiredWhen' | 'moves' | 'same' | 'by'>
type Own<T, R extends boolean> = Partial<T> & O.Needed<R>

/**
 * A field that many families have: the room of its noun says the words and the usual options once, each family what is
 * different there. Where `shopId = fragment.ref('basicShopInfo', { label, … })`, a family has
 * `shopId: shopId({ form: 'read' })`.
 */
export const fragment = {
  text:
    (said: Said<O.TextOptions<never>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.TextOptions<N>, R> = {}) =>
      f.text<N, R>({ ...said, ...own }),
  longText:
    (said: Said<O.LongTextOptions<never>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.LongTextOptions<N>, R> = {}) =>
      f.longText<N, R>({ ...said, ...own }),
  number:
    (said: Said<O.NumberOptions<never>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.NumberOptions<N>, R> = {}) =>
      f.number<N, R>({ ...said, ...own }),
  datetime:
    (said: Said<O.MomentOptions<never>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.MomentOptions<N>, R> = {}) =>
      f.datetime<N, R>({ ...said, ...own }),
  phone:
    (said: Said<O.PhoneOptions<never>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.PhoneOptions<N>, R> = {}) =>
      f.phone<N, R>({ ...said, ...own }),
  boolean:
    (said: Said<O.BooleanOptions<never>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.BooleanOptions<N>, R> = {}) =>
      f.boolean<N, R>({ ...said, ...own }),
  dict:
    (code: string, said: Said<O.DictOptions<never, false>>) =>
    <const N extends O.Named = never, const R extends boolean = false>(own: Own<O.DictOptions<N, false>, R> = {}) =>
      f.dict<N, R>(code, { ...said, ...own }),
  ref:
    <const L extends string = never>(to: string, said: Said<O.RefOptions<never>> & O.Labelled<L>) =>
    <const N extends O.Named = never, const R extends boolean = false>(
      own: Omit<Own<O.RefOptions<N>, R>, 'labelKey'> = {},
    ) =>
      f.ref<N, R, L>(to, { ...said, ...own }),
  refs:
    <const L extends string = never>(to: string, said: Said<O.RefsOptions<never>> & O.Labelled<L>) =>
    <const N extends O.Named = never, const R extends boolean = false>(
      own: Omit<Own<O.RefsOptions<N>, R>, 'labelKey'> = {},
    ) =>
      f.refs<N, R, L>(to, { ...said, ...own }),
}
