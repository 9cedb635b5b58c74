import type { Field } from '../fields/field-kind.ts'
import type { KindName } from '../fields/kinds.ts'
import type * as O from '../fields/options.ts'

/**
 * The field as it is handed around. The options are one fixed type for each kind, never one inferred from what was
 * written: only so is a misspelt option an error. Inferred are `N`, the fields of the same row the options name, and
 * `R`, whether it is required.
 */
const field = <V, N extends O.Named, R extends boolean>(kind: KindName, options: object) =>
  ({ kind, ...options }) as Field<R extends true ? NonNullable<V> : V, Exclude<NoInfer<N>, true>>

/**
 * Field builders: `f.text({ label, required: true, max: 32, search: 'like' })`. The options of a kind are described in
 * its folder and in `options.ts`; what a kind does not know does not compile.
 */
export const f = {
  text: <const N extends O.Named = never, const R extends boolean = false>(options: O.TextOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('text', options),
  longText: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.LongTextOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('longText', options),
  richText: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.RichTextOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('richText', options),
  number: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.NumberOptions<N> & O.Needed<R>,
  ) => field<number | null, N, R>('number', options),
  /** Handlers see integer cents. */
  money: <const N extends O.Named = never, const R extends boolean = false>(options: O.MoneyOptions<N> & O.Needed<R>) =>
    field<number | null, N, R>('money', options),
  percent: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PercentOptions<N> & O.Needed<R>,
  ) => field<number | null, N, R>('percent', options),
  boolean: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.BooleanOptions<N> & O.Needed<R>,
  ) => field<boolean | null, N, R>('boolean', options),
  dict: <const N extends O.Named = never, const R extends boolean = false, const B extends boolean = false>(
    code: string,
    options: O.DictOptions<N, B> & O.Needed<R>,
  ) => field<(B extends true ? number : string) | null, N, R>('dict', { dict: code, ...options }),
  dicts: <const N extends O.Named = never, const R extends boolean = false>(
    code: string,
    options: O.DictsOptions<N> & O.Needed<R>,
  ) => field<string[] | null, N, R>('dicts', { dict: code, ...options }),
  ref: <const N extends O.Named = never, const R extends boolean = false>(
    to: string,
    options: O.RefOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('ref', { to, ...options }),
  refs: <const N extends O.Named = never, const R extends boolean = false>(
    to: string,
    options: O.RefsOptions<N> & O.Needed<R>,
  ) => field<string[] | null, N, R>('refs', { to, ...options }),
  tree: <const N extends O.Named = never, const R extends boolean = false>(
    to: string,
    options: O.RefsOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('tree', { to, ...options }),
  date: <const N extends O.Named = never, const R extends boolean = false>(options: O.DateOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('date', options),
  datetime: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.DateOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('datetime', options),
  phone: <const N extends O.Named = never, const R extends boolean = false>(options: O.PhoneOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('phone', options),
  email: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('email', options),
  url: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('url', options),
  password: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PasswordOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('password', options),
  colour: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PlainOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('colour', options),
  icon: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('icon', options),
  picture: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.UploadOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('picture', options),
  pictures: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.UploadsOptions<N> & O.Needed<R>,
  ) => field<string[] | null, N, R>('pictures', options),
  file: <const N extends O.Named = never, const R extends boolean = false>(options: O.UploadOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('file', options),
  files: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.UploadsOptions<N> & O.Needed<R>,
  ) => field<string[] | null, N, R>('files', options),
  region: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.RegionOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('region', options),
  location: <const N extends O.Named = never, const R extends boolean = false>(
    options: O.PlainOptions<N> & O.Needed<R>,
  ) => field<string | null, N, R>('location', options),
  json: <const N extends O.Named = never, const R extends boolean = false>(options: O.JsonOptions<N> & O.Needed<R>) =>
    field<unknown, N, R>('json', options),
  cron: <const N extends O.Named = never, const R extends boolean = false>(options: O.PlainOptions<N> & O.Needed<R>) =>
    field<string | null, N, R>('cron', options),
  tags: <const N extends O.Named = never, const R extends boolean = false>(options: O.TagsOptions<N> & O.Needed<R>) =>
    field<string[] | null, N, R>('tags', options),
} satisfies Record<KindName, unknown>
