import type { Field } from '../fields/field-kind.ts'
import type { KindName } from '../fields/kinds.ts'
import type * as O from '../fields/options.ts'

/**
 * The field as it is handed around. The options are one fixed type for each kind, never one inferred from what was
 * written: only so is a misspelt option an error. Inferred are `N`, the fields of the same row the options name, and
 * `R`, whether it is required, and `L`, under which key the words for its value travel.
 */
const field =
  <const K extends KindName>(kind: K) =>
  <V, N extends O.Named, R extends boolean, L extends string = never>(options: object) =>
    ({ kind, ...options }) as Field<R extends true ? NonNullable<V> : V, Exclude<NoInfer<N>, true>> & {
      readonly kind: K
      readonly labelKey?: L
    }

/**
 * Field builders: `f.text({ label, required: true, max: 32, search: 'like' })`. The options of a kind are described in
 * its folder and in `options.ts`; what a kind does not know does not compile.
 */
export const f = {
  text: <const N extends O.Named = never, const R extends boolean = false>(options: O.TextOptions<N> & O.Needed<R>) =>
    field('text')<string | null, N, R>(options),
  longText: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.LongTextOptions<N> & O.Needed<R>,
  ) => field('longText')<string | null, N, R>(options),
  richText: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.RichTextOptions<N> & O.Needed<R>,
  ) => field('richText')<string | null, N, R>(options),
  number: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.NumberOptions<N> & O.Needed<R>,
  ) => field('number')<number | null, N, R>(options),
  /** Handlers see integer cents. */
  money: <const N extends O.Named = never, const R extends boolean = false>(options: O.MoneyOptions<N> & O.Needed<R>) =>
    field('money')<number | null, N, R>(options),
  percent: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PercentOptions<N> & O.Needed<R>,
  ) => field('percent')<number | null, N, R>(options),
  boolean: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.BooleanOptions<N> & O.Needed<R>,
  ) => field('boolean')<boolean | null, N, R>(options),
  dict: <const N extends O.Named = never, const R extends boolean = false, const B extends boolean = false>(
    code: string,
    options: O.DictOptions<N, B> & O.Needed<R>,
  ) => field('dict')<(B extends true ? number : string) | null, N, R>({ dict: code, ...options }),
  dicts: <const N extends O.Named = never, const R extends boolean = false>(
    code: string,
    options: O.DictsOptions<N> & O.Needed<R>,
  ) => field('dicts')<string[] | null, N, R>({ dict: code, ...options }),
  ref: <const N extends O.Named = never, const R extends boolean = false, const L extends string = never>(
    to: string,
    options: O.RefOptions<N> & O.Needed<R> & O.Labelled<L>,
  ) => field('ref')<string | null, N, R, L>({ to, ...options }),
  refs: <const N extends O.Named = never, const R extends boolean = false, const L extends string = never>(
    to: string,
    options: O.RefsOptions<N> & O.Needed<R> & O.Labelled<L>,
  ) => field('refs')<string[] | null, N, R, L>({ to, ...options }),
  tree: <const N extends O.Named = never, const R extends boolean = false, const L extends string = never>(
    to: string,
    options: O.RefsOptions<N> & O.Needed<R> & O.Labelled<L>,
  ) => field('tree')<string | null, N, R, L>({ to, ...options }),
  date: <const N extends O.Named = never, const R extends boolean = false>(options: O.DateOptions<N> & O.Needed<R>) =>
    field('date')<string | null, N, R>(options),
  datetime: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.MomentOptions<N> & O.Needed<R>,
  ) => field('datetime')<string | null, N, R>(options),
  phone: <const N extends O.Named = never, const R extends boolean = false>(options: O.PhoneOptions<N> & O.Needed<R>) =>
    field('phone')<string | null, N, R>(options),
  email: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field('email')<string | null, N, R>(options),
  url: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field('url')<string | null, N, R>(options),
  password: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PasswordOptions<N> & O.Needed<R>,
  ) => field('password')<string | null, N, R>(options),
  colour: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PlainOptions<N> & O.Needed<R>,
  ) => field('colour')<string | null, N, R>(options),
  icon: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field('icon')<string | null, N, R>(options),
  picture: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.UploadOptions<N> & O.Needed<R>,
  ) => field('picture')<string | null, N, R>(options),
  pictures: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.UploadsOptions<N> & O.Needed<R>,
  ) => field('pictures')<string[] | null, N, R>(options),
  file: <const N extends O.Named = never, const R extends boolean = false>(options: O.UploadOptions<N> & O.Needed<R>) =>
    field('file')<string | null, N, R>(options),
  files: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.UploadsOptions<N> & O.Needed<R>,
  ) => field('files')<string[] | null, N, R>(options),
  region: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.RegionOptions<N> & O.Needed<R>,
  ) => field('region')<string | null, N, R>(options),
  location: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PlainOptions<N> & O.Needed<R>,
  ) => field('location')<string | null, N, R>(options),
  json: <const N extends O.Named = never, const R extends boolean = false>(options: O.JsonOptions<N> & O.Needed<R>) =>
    field('json')<unknown, N, R>(options),
  cron: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field('cron')<string | null, N, R>(options),
  tags: <const N extends O.Named = never, const R extends boolean = false>(options: O.TagsOptions<N> & O.Needed<R>) =>
    field('tags')<string[] | null, N, R>(options),
} satisfies Record<KindName, unknown>
