import type { RowCondition } from './condition.ts'
import type { LocalizedText } from '../resource/localized-text.ts'
import type { FieldRuleViolation, FilterOperator } from './field-kind.ts'
import type { MaskName } from './masks.ts'

/** What options name: other fields of the row, or `true` where `systemUpdated` names none. */
export type SiblingFieldKey = string | true

/** Says to the compiler whether the field is required: its value is never null then. */
export type RequiredOption<R extends boolean> = { required?: R }

/** Says to the compiler under which key the words for a value travel, where that is said. */
export type LabelKeyOption<L extends string> = { labelKey?: L }

/** What every field may say about itself, whatever its kind. `N` is what it names. */
export type FieldOptions<
  N extends SiblingFieldKey = SiblingFieldKey,
  Wire = unknown,
  Search extends FilterOperator = FilterOperator,
> = {
  label: LocalizedText
  /** Never empty: forms ask for it, the server refuses without, the column is NOT NULL, handlers see no null. */
  required?: boolean
  /** Not empty either where others of the row, or of the arguments, are so: what a kind of coupon cannot be without. */
  requiredWhen?: RowCondition<N & string>
  /**
   * Nor by those whom this limits (`shop`): who has one shop means it by saying nothing, who has several says which.
   * What a family's `scope` names is so by itself.
   */
  requiredOf?: string
  help?: LocalizedText
  /** Shown in the search bar with this operator. Any stored field may be filtered by its wire key all the same. */
  search?: Search
  /** `edit` (default), `add` editable only while adding, `read` shown but fixed, `hidden` not in the form. */
  form?: 'edit' | 'add' | 'read' | 'hidden'
  /** false keeps the field out of the detail view. */
  detail?: boolean
  /** What it means that nothing stands here, such as "all shops"; a dash unless said. */
  emptyLabel?: LocalizedText
  /**
   * The system moves it while people look at the row, without a new version: a whole row sent back may hold an older
   * value, which is no change of theirs. The name of another field where that one tells which value was read.
   */
  systemUpdated?: N
  /**
   * The system draws it anew whenever the row is written: approvals of a change compare whether there is a value, and
   * not which.
   */
  generated?: true
  /** Wire value a new row starts with. */
  default?: Wire
  /** Heading the form groups this field under. */
  group?: LocalizedText
  /** Width of the list column in pixels. */
  width?: number
  /** Takes both columns of a form, whatever its kind. */
  wide?: boolean
  /** Another name some clients of the protocol know it by: read under both, answered under both. */
  wireAlias?: string
  /** Never sent to a client; only written. */
  secret?: boolean
  /** false: shown to some readers of the list alone, so that no filter, order or data scope asks about it. */
  asked?: false
  /** How it is shown to who may not read it whole: everywhere alike, and no filter asks for a part of it. */
  mask?: MaskName
  /** Who reads a masked field whole all the same: holders of this permission of the family, such as `edit`. */
  unmaskedFor?: 'add' | 'edit' | 'delete' | 'view'
  /** As the code beside a name: told to who may list the family, and not to who only chooses from it. */
  listedOnly?: true
  /** No column of its own: filled by the module's `present` or by a join. */
  computed?: boolean
  /** Left out of lists unless it is a column: long texts, stack traces. */
  heavy?: boolean
  /** Not shown by the specification: our best reading of the trade. */
  guess?: boolean
  /** false: the list does not offer to be sorted by it; who asks all the same is answered. */
  sortable?: boolean
}

type Ranged = {
  min?: number
  max?: number
  /** A change: none is nothing to ask for. */
  nonZero?: true
}
type OneLine = Ranged & {
  pattern?: string
  /** What else is wrong with a line, where no pattern can say it: a check digit. Browser, submit and import ask it. */
  rule?: (text: string) => FieldRuleViolation | undefined
  patternWords?: LocalizedText
  /** Digits alone, so that a phone shows those. */
  digits?: true
  /** What people write most, offered at a touch in the reader's language. */
  suggestions?: readonly LocalizedText[]
  sample?: string | ((n: number) => string)
  /** Other spellings that mean the same, itself first: a filter by one of them finds rows with any (a barcode). */
  forms?: (text: string) => string[]
  /** With `search: 'part'`: letters every number begins with, which people leave out. */
  numberPrefix?: string
}
/** With `search: 'like'`: found by any part of it on an index, in families that grow to millions of rows. */
type Grams = { ngramIndex?: true }
type Lines = { max?: number; rows?: number; sample?: string }
type RichText = { max?: number }
type Measure = Ranged & { decimals?: number; unit?: LocalizedText; big?: boolean }
type Dict = {
  biz?: boolean
  /** Entries that may not be chosen here. */
  without?: readonly string[]
}
type OneDict<B extends boolean> = Dict & {
  /** Its keys are numbers on the wire. */
  numeric?: B
}
/**
 * What becomes of a row when what it names is removed: the removal is refused, the name stays as it was written, the
 * field is emptied (of a list, the name taken out), or the row goes with it.
 */
export type ReferenceRemovalPolicy = 'refuse' | 'keep' | 'empty' | 'remove'

type Refs<N extends SiblingFieldKey> = {
  /** When what is named here is removed. Unless said, what people write and may remove refuses, all else keeps. */
  onRemoval?: ReferenceRemovalPolicy
  labelKey?: string
  /**
   * Rows beyond what limits the caller to some (shops of his own) may be named as well: where goods are sent. They are
   * offered by title and code alone, and nothing is filtered among them. Data scopes bind as ever.
   */
  ignoresScope?: true
  /** Field both rows have: only rows that agree in it may be chosen, as the gateways of a tag's own shop. */
  same?: N & string
  /** With `to` empty: the field that says which family is meant, and the families by its values. */
  by?: N & string
  resourceByValue?: Readonly<Record<string, string>>
}
type Ref<N extends SiblingFieldKey> = Refs<N> & { keyType?: 'text' }
type Upload = { maxKb?: number; accept?: string[] }
type Uploads = Upload & { maxCount?: number }
type Phone = { landline?: boolean }
type Region = {
  /** One of several fields of an address; its name stands without those above it. */
  isLevel?: boolean
}
type Json = {
  max?: number
  schema?: object
  /** What somebody else wrote, people in it: what is personal inside is masked, and opened with the masked fields. */
  personal?: true
}
type Tags = { maxCount?: number }
type Moment = {
  /** A day, of which the wire has the midnight: asked for and shown without a time. */
  asDay?: true
  /** Something ends then: a day that is chosen or typed without a time is meant to its end. */
  isEnd?: true
}

type Like = 'like' | 'likeleft' | 'likeright' | 'notlike'
type Same = 'eq' | 'ne' | 'in' | 'null' | 'notnull'
type Order = 'gt' | 'ge' | 'lt' | 'le' | 'range'
type LikeSearch = Like | Same
type OrderSearch = Order | Same

/** What each kind may say beyond what all may, and which operators its search box can have. */
export type TextFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch | 'part'> & OneLine & Grams
export type LongTextFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch> & Lines
export type RichTextFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch> & RichText
export type PasswordFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, never> & Ranged
/** One line with a form of its own: an address, a colour, a schedule. */
export type SingleLineFieldOptions<N extends SiblingFieldKey> = FieldOptions<N, string, LikeSearch>
/** Decimals are text on the wire. */
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

/** All that some kind may say: how the machinery, which meets every kind, reads a field. */
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
  /** The family a reference leads to. */
  to?: string
  /** The code of the dictionary. */
  dict?: string
}
