import type { RowCondition } from './condition.ts'
import type { LocalizedText } from '../../base/localized-text.ts'
import type { MaskName } from './mask-functions.ts'

/** Comparison operators a search box or a filter key may ask for (wire contract §1.6). */
export type FilterOperator =
  | 'like'
  | 'likeleft'
  | 'likeright'
  | 'notlike'
  | 'eq'
  | 'ne'
  | 'gt'
  | 'ge'
  | 'lt'
  | 'le'
  | 'in'
  | 'range'
  | 'null'
  | 'notnull'
  /**
   * Finds numbers that begin or end with the text, by an index. A text shorter than `PART_SEARCH_CHARACTERS_MIN` has to
   * be the whole number.
   */
  | 'part'

/** The sentence, with its parameters, by which a field's own `rule` refuses a text. */
export type FieldRuleViolation = { words: LocalizedText; params?: Record<string, unknown> }

/** Type of the keys that options name: other fields of the row. `true` is for `systemUpdated` without a field. */
export type SiblingFieldKey = string | true

/** Tells the compiler whether the field is required, in which case its value is never null. */
export type RequiredOption<R extends boolean> = { required?: R }

/** Tells the compiler the key under which the label for a value travels, if the field sets one. */
export type LabelKeyOption<L extends string> = { labelKey?: L }

/** Options of every field, whatever its kind. `N` are the other fields of the row that they name. */
export type FieldOptions<
  N extends SiblingFieldKey = SiblingFieldKey,
  Wire = unknown,
  Search extends FilterOperator = FilterOperator,
> = {
  label: LocalizedText
  /**
   * The field is never empty: forms require it, the server refuses without it, the column is NOT NULL and handlers see
   * no null.
   */
  required?: boolean
  /**
   * The field is required while other fields of the row, or other arguments, meet this condition, such as the kind of a
   * coupon.
   */
  requiredWhen?: RowCondition<N & string>
  /**
   * The field is required of users who are limited by this scope, such as `shop`. A user with one shop may leave it out
   * and gets that shop; a user with several has to choose. Fields in a resource's `scope` get this by themselves.
   */
  requiredOf?: string
  help?: LocalizedText
  /** Shows the field in the search bar with this operator. Any stored field can also be filtered by its wire key. */
  search?: Search
  /** `edit` (default), `add` editable only while adding, `read` shown but fixed, `hidden` not in the form. */
  form?: 'edit' | 'add' | 'read' | 'hidden'
  /** false keeps the field out of the detail view. */
  detail?: boolean
  /** Text shown for an empty value, such as "all shops"; a dash if unset. */
  emptyLabel?: LocalizedText
  /**
   * The system updates the field, without a new version of the row. When a client sends a whole row back with an older
   * value, the value is ignored and no conflict reported. If given, the named field tells which value the client read.
   */
  systemUpdated?: N
  /**
   * The system generates a new value with every write, such as a number. Approvals of a change therefore compare
   * whether there is a value, not which.
   */
  generated?: true
  /** Wire value the field of a new row starts with. */
  default?: Wire
  /** Heading the form groups this field under. */
  group?: LocalizedText
  /** Width of the list column in pixels. */
  width?: number
  /** Makes the field as wide as both columns of the form, whatever its kind. */
  wide?: boolean
  /** Another key some clients use for the field: requests may use either, responses carry both. */
  wireAlias?: string
  /** The value is only written and never sent to a client. */
  secret?: boolean
  /** `false` if only some readers of the list see the value: no filter, sort order or data scope may use the field. */
  asked?: false
  /** Mask shown everywhere to users who may not read the whole value; no filter may ask for a hidden part. */
  mask?: MaskName
  /** Permission of the resource, such as `edit`, whose holders read a masked field whole. */
  unmaskedFor?: 'add' | 'edit' | 'delete' | 'view'
  /**
   * The field, such as the code beside a name, is shown to users who may list the resource but not to those who only
   * choose from it.
   */
  listedOnly?: true
  /** The field has no column: the module's `present` hook or a join fills it. */
  computed?: boolean
  /** Lists leave the field out unless it is one of their columns, as for long texts or stack traces. */
  heavy?: boolean
  /** The specification does not show the field: it is our own reading of the trade. */
  guess?: boolean
  /** `false` if the list does not offer to sort by the field; a request may still do so. */
  sortable?: boolean
}

type Ranged = {
  min?: number
  max?: number
  /** Refuses 0, because a change of nothing is not worth a request. */
  nonZero?: true
}
type OneLine = Ranged & {
  pattern?: string
  /**
   * Checks what no pattern can express, such as a check digit, and returns the violation. The browser, the server and
   * imports call it.
   */
  rule?: (text: string) => FieldRuleViolation | undefined
  patternWords?: LocalizedText
  /** The text consists of digits only: phones show the number pad, and blanks between the digits are dropped. */
  digits?: true
  /** Frequent texts, offered as buttons in the reader's language. */
  suggestions?: readonly LocalizedText[]
  sample?: string | ((n: number) => string)
  /**
   * Returns all spellings that mean the same, the given one first, such as those of a barcode. A filter by one of them
   * finds rows with any.
   */
  forms?: (text: string) => string[]
  /** Letters every number begins with, which people leave out when searching with `search: 'part'`. */
  numberPrefix?: string
}
/** With `search: 'like'`, lets an index find any part of the text. For resources that grow to millions of rows. */
type Grams = { ngramIndex?: true }
type Lines = { max?: number; rows?: number; sample?: string }
type RichText = { max?: number }
type Measure = Ranged & { decimals?: number; unit?: LocalizedText; big?: boolean }
type Dict = {
  biz?: boolean
  /** Keys of entries that may not be chosen here. */
  without?: readonly string[]
}
type OneDict<B extends boolean> = Dict & {
  /** The keys are numbers on the wire. */
  numeric?: B
}
/**
 * What happens to a row when the row it names is removed: `refuse` refuses the removal, `keep` leaves the field as it
 * is, `empty` empties the field (or takes the id out of a list), `remove` removes the row too.
 */
export type ReferenceRemovalPolicy = 'refuse' | 'keep' | 'empty' | 'remove'

type Refs<N extends SiblingFieldKey> = {
  /**
   * What happens when the named row is removed. By default `refuse` for a single reference in rows that people write
   * and may remove; `keep` for lists, hidden fields and records.
   */
  onRemoval?: ReferenceRemovalPolicy
  labelKey?: string
  /**
   * Lets the field name rows outside the user's limits (such as the own shops), as for where goods are sent. Only the
   * title and code of those rows are offered, without filters. Data scopes still apply.
   */
  ignoresScope?: true
  /** Field that both rows have: only rows with an equal value may be chosen, as the gateways of a tag's own shop. */
  same?: N & string
  /** If `to` is empty: the field whose value decides which resource the reference leads to. */
  by?: N & string
  /** The names of the resources by the values of the field `by`. */
  resourceByValue?: Readonly<Record<string, string>>
}
type Ref<N extends SiblingFieldKey> = Refs<N> & { keyType?: 'text' }
type Upload = { maxKb?: number; accept?: string[] }
type Uploads = Upload & { maxCount?: number }
type Phone = { landline?: boolean }
type Region = {
  /** One of several fields that form an address: shows only the region's own name, without those above it. */
  isLevel?: boolean
}
type Json = {
  max?: number
  schema?: object
  /** The data comes from outside and names people: personal data in it is masked until masked fields are revealed. */
  personal?: true
}
type Tags = { maxCount?: number }
type Moment = {
  /** The value is a day, which the wire carries as its midnight: edited and shown without a time. */
  asDay?: true
  /** The value is the end of a period: a day chosen or typed without a time means its last second. */
  isEnd?: true
}

type Like = 'like' | 'likeleft' | 'likeright' | 'notlike'
type Same = 'eq' | 'ne' | 'in' | 'null' | 'notnull'
type Order = 'gt' | 'ge' | 'lt' | 'le' | 'range'
type LikeSearch = Like | Same
type OrderSearch = Order | Same

/**
 * Options of text fields. Each of these types adds to the common options those of its kind and limits the operators of
 * its search box.
 */
export type TextFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch | 'part'> & OneLine & Grams
export type LongTextFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch> & Lines
export type RichTextFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch> & RichText
export type PasswordFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, never> & Ranged
/** Options of one-line kinds with a format of their own, such as an e-mail address, a colour or a schedule. */
export type SingleLineFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch>
/** Options of number fields; numbers with decimals are text on the wire. */
export type NumberFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, number | `${number}`, OrderSearch> & Measure
export type MoneyFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, `${number}`, OrderSearch> & Ranged
export type PercentFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, `${number}`, OrderSearch> & Ranged
export type BooleanFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, boolean, Same>
export type DictFieldOptions<N extends SiblingFieldKey, B extends boolean> = FieldOptions<
  N,
  B extends true ? number : string,
  Same
> &
  OneDict<B>
export type DictsFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, Same> & Dict
export type RefFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, Same> & Ref<N>
export type RefsFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, Same> & Refs<N>
export type DateFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, OrderSearch>
export type DatetimeFieldOptions<N extends SiblingFieldKey> = DateFieldOptions<N> & Moment
export type PhoneFieldOptions<N extends SiblingFieldKey> = SingleLineFieldOptions<N> & Phone
export type UploadFieldOptions<N extends SiblingFieldKey> = SingleLineFieldOptions<N> & Upload
export type UploadsFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, Same> & Uploads
export type RegionFieldOptions<N extends SiblingFieldKey> = SingleLineFieldOptions<N> & Region
export type JsonFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, unknown, never> & Json
export type TagsFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, Same> & Tags

/** All options that any kind may have, for code that handles fields of every kind. */
export type AnyFieldOptions<N extends SiblingFieldKey = SiblingFieldKey> = Partial<
  OneLine &
    Grams &
    Omit<Lines, 'sample'> &
    Measure &
    Moment &
    OneDict<boolean> &
    Ref<N> &
    Uploads &
    Phone &
    Region &
    Json &
    Tags
> & {
  /** Name of the resource a reference leads to. */
  to?: string
  /** The code of the dictionary. */
  dict?: string
}
