import type * as O from '../fields/base/options.ts'
import { f } from './f.ts'

/**
 * Options all uses of a reusable field share. Whether it is required and which sibling fields it names, each use says
 * itself.
 */
type FragmentOptions<T> = Omit<T, 'required' | 'requiredWhen' | 'systemUpdated' | 'same' | 'by'>
type Own<T, R extends boolean> = Partial<T> & O.RequiredOption<R>

/**
 * Builders of fields that many resources have. The owning module gives label and usual options once; each resource
 * overrides what differs: after `shopId = reusableField.ref('basicShopInfo', { label, … })` a resource has `shopId:
 * shopId({ form: 'read' })`.
 */
export const reusableField = {
  text:
    (options: FragmentOptions<O.TextFieldOptions<never>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.TextFieldOptions<N>, R> = {},
    ) =>
      f.text<N, R>({ ...options, ...own }),
  longText:
    (options: FragmentOptions<O.LongTextFieldOptions<never>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.LongTextFieldOptions<N>, R> = {},
    ) =>
      f.longText<N, R>({ ...options, ...own }),
  number:
    (options: FragmentOptions<O.NumberFieldOptions<never>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.NumberFieldOptions<N>, R> = {},
    ) =>
      f.number<N, R>({ ...options, ...own }),
  datetime:
    (options: FragmentOptions<O.DatetimeFieldOptions<never>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.DatetimeFieldOptions<N>, R> = {},
    ) =>
      f.datetime<N, R>({ ...options, ...own }),
  phone:
    (options: FragmentOptions<O.PhoneFieldOptions<never>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.PhoneFieldOptions<N>, R> = {},
    ) =>
      f.phone<N, R>({ ...options, ...own }),
  boolean:
    (options: FragmentOptions<O.BooleanFieldOptions<never>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.BooleanFieldOptions<N>, R> = {},
    ) =>
      f.boolean<N, R>({ ...options, ...own }),
  dict:
    (code: string, options: FragmentOptions<O.DictFieldOptions<never, false>>) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Own<O.DictFieldOptions<N, false>, R> = {},
    ) =>
      f.dict<N, R>(code, { ...options, ...own }),
  ref:
    <const L extends string = never>(
      to: string,
      options: FragmentOptions<O.RefFieldOptions<never>> & O.LabelKeyOption<L>,
    ) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Omit<Own<O.RefFieldOptions<N>, R>, 'labelKey'> = {},
    ) =>
      f.ref<N, R, L>(to, { ...options, ...own }),
  refs:
    <const L extends string = never>(
      to: string,
      options: FragmentOptions<O.RefsFieldOptions<never>> & O.LabelKeyOption<L>,
    ) =>
    <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
      own: Omit<Own<O.RefsFieldOptions<N>, R>, 'labelKey'> = {},
    ) =>
      f.refs<N, R, L>(to, { ...options, ...own }),
}
