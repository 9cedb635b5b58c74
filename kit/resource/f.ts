import type { Field } from '../fields/base/field-kind.ts'
import type { FieldKindName } from '../fields/kinds.ts'
import type * as O from '../fields/base/options.ts'

/**
 * Builds one field. The options have one fixed type for each kind and are never inferred: an inferred type would accept
 * misspelt options. Inferred are only `N` (sibling fields the options name), `R` (whether the field is required) and
 * `L` (key under which the label of its value is sent).
 */
const field =
  <const K extends FieldKindName>(kind: K) =>
  <V, N extends O.SiblingFieldKey, R extends boolean, L extends string = never>(options: object) =>
    ({ kind, ...options }) as Field<R extends true ? NonNullable<V> : V, Exclude<NoInfer<N>, true>> & {
      readonly kind: K
      readonly labelKey?: L
    }

/**
 * Field builders: `f.text({ label, required: true, max: 32, search: 'like' })`. The options of a kind are described in
 * its folder and in `options.ts`; what a kind does not know does not compile.
 */
export const f = {
  text: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.TextFieldOptions<N> & O.RequiredOption<R>,
  ) => field('text')<string | null, N, R>(options),
  longText: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.LongTextFieldOptions<N> & O.RequiredOption<R>,
  ) => field('longText')<string | null, N, R>(options),
  richText: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.RichTextFieldOptions<N> & O.RequiredOption<R>,
  ) => field('richText')<string | null, N, R>(options),
  number: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.NumberFieldOptions<N> & O.RequiredOption<R>,
  ) => field('number')<number | null, N, R>(options),
  /** An amount; handlers see integer cents. */
  money: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.MoneyFieldOptions<N> & O.RequiredOption<R>,
  ) => field('money')<number | null, N, R>(options),
  percent: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.PercentFieldOptions<N> & O.RequiredOption<R>,
  ) => field('percent')<number | null, N, R>(options),
  boolean: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.BooleanFieldOptions<N> & O.RequiredOption<R>,
  ) => field('boolean')<boolean | null, N, R>(options),
  dict: <const N extends O.SiblingFieldKey = never, const R extends boolean = false, const B extends boolean = false>(
    code: string,
    options: O.DictFieldOptions<N, B> & O.RequiredOption<R>,
  ) => field('dict')<(B extends true ? number : string) | null, N, R>({ dict: code, ...options }),
  dicts: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    code: string,
    options: O.DictsFieldOptions<N> & O.RequiredOption<R>,
  ) => field('dicts')<string[] | null, N, R>({ dict: code, ...options }),
  ref: <const N extends O.SiblingFieldKey = never, const R extends boolean = false, const L extends string = never>(
    to: string,
    options: O.RefFieldOptions<N> & O.RequiredOption<R> & O.LabelKeyOption<L>,
  ) => field('ref')<string | null, N, R, L>({ to, ...options }),
  refs: <const N extends O.SiblingFieldKey = never, const R extends boolean = false, const L extends string = never>(
    to: string,
    options: O.RefsFieldOptions<N> & O.RequiredOption<R> & O.LabelKeyOption<L>,
  ) => field('refs')<string[] | null, N, R, L>({ to, ...options }),
  tree: <const N extends O.SiblingFieldKey = never, const R extends boolean = false, const L extends string = never>(
    to: string,
    options: O.RefsFieldOptions<N> & O.RequiredOption<R> & O.LabelKeyOption<L>,
  ) => field('tree')<string | null, N, R, L>({ to, ...options }),
  date: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.DateFieldOptions<N> & O.RequiredOption<R>,
  ) => field('date')<string | null, N, R>(options),
  datetime: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.DatetimeFieldOptions<N> & O.RequiredOption<R>,
  ) => field('datetime')<string | null, N, R>(options),
  phone: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.PhoneFieldOptions<N> & O.RequiredOption<R>,
  ) => field('phone')<string | null, N, R>(options),
  email: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.SingleLineFieldOptions<N> & O.RequiredOption<R>,
  ) => field('email')<string | null, N, R>(options),
  url: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.SingleLineFieldOptions<N> & O.RequiredOption<R>,
  ) => field('url')<string | null, N, R>(options),
  password: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.PasswordFieldOptions<N> & O.RequiredOption<R>,
  ) => field('password')<string | null, N, R>(options),
  colour: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.SingleLineFieldOptions<N> & O.RequiredOption<R>,
  ) => field('colour')<string | null, N, R>(options),
  icon: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.SingleLineFieldOptions<N> & O.RequiredOption<R>,
  ) => field('icon')<string | null, N, R>(options),
  picture: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.UploadFieldOptions<N> & O.RequiredOption<R>,
  ) => field('picture')<string | null, N, R>(options),
  pictures: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.UploadsFieldOptions<N> & O.RequiredOption<R>,
  ) => field('pictures')<string[] | null, N, R>(options),
  file: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.UploadFieldOptions<N> & O.RequiredOption<R>,
  ) => field('file')<string | null, N, R>(options),
  files: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.UploadsFieldOptions<N> & O.RequiredOption<R>,
  ) => field('files')<string[] | null, N, R>(options),
  region: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.RegionFieldOptions<N> & O.RequiredOption<R>,
  ) => field('region')<string | null, N, R>(options),
  location: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.SingleLineFieldOptions<N> & O.RequiredOption<R>,
  ) => field('location')<string | null, N, R>(options),
  json: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.JsonFieldOptions<N> & O.RequiredOption<R>,
  ) => field('json')<unknown, N, R>(options),
  cron: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.SingleLineFieldOptions<N> & O.RequiredOption<R>,
  ) => field('cron')<string | null, N, R>(options),
  tags: <const N extends O.SiblingFieldKey = never, const R extends boolean = false>(
    options: O.TagsFieldOptions<N> & O.RequiredOption<R>,
  ) => field('tags')<string[] | null, N, R>(options),
} satisfies Record<FieldKindName, unknown>
