import { removeInvisibleCharacters } from './base/clean-text.ts'
import { meetsCondition } from './base/condition.ts'
import { booleanKind } from './boolean/boolean.ts'
import { colourKind } from './colour/colour.ts'
import { cronKind } from './cron/cron.ts'
import { dateKind } from './date/date.ts'
import { datetimeKind } from './datetime/datetime.ts'
import { dictKind } from './dict/dict.ts'
import { dictsKind } from './dicts/dicts.ts'
import { emailKind } from './email/email.ts'
import {
  isEmptyInput,
  fieldParseRefusal,
  type Field,
  type FieldKind,
  type Fields,
  type FieldParseResult,
} from './base/field-kind.ts'
import { fileKind } from './file/file.ts'
import { filesKind } from './files/files.ts'
import { iconKind } from './icon/icon.ts'
import { jsonKind } from './json/json.ts'
import { locationKind } from './location/location.ts'
import { longTextKind } from './long-text/long-text.ts'
import { maskFieldValue } from './base/masks.ts'
import { moneyKind } from './money/money.ts'
import { numberKind } from './number/number.ts'
import { passwordKind } from './password/password.ts'
import { percentKind } from './percent/percent.ts'
import { phoneKind } from './phone/phone.ts'
import { pictureKind } from './picture/picture.ts'
import { picturesKind } from './pictures/pictures.ts'
import { refKind } from './ref/ref.ts'
import { refsKind } from './refs/refs.ts'
import { regionKind } from './region/region.ts'
import { richTextKind } from './rich-text/rich-text.ts'
import { tagsKind } from './tags/tags.ts'
import { textKind } from './text/text.ts'
import { treeKind } from './tree/tree.ts'
import { urlKind } from './url/url.ts'

/** All kinds of fields. Each also needs a browser half (`web.ts`) and a builder (`f`); otherwise nothing compiles. */
const kinds = {
  text: textKind,
  longText: longTextKind,
  richText: richTextKind,
  number: numberKind,
  money: moneyKind,
  percent: percentKind,
  boolean: booleanKind,
  dict: dictKind,
  dicts: dictsKind,
  ref: refKind,
  refs: refsKind,
  tree: treeKind,
  date: dateKind,
  datetime: datetimeKind,
  phone: phoneKind,
  email: emailKind,
  url: urlKind,
  password: passwordKind,
  colour: colourKind,
  icon: iconKind,
  picture: pictureKind,
  pictures: picturesKind,
  file: fileKind,
  files: filesKind,
  region: regionKind,
  location: locationKind,
  json: jsonKind,
  cron: cronKind,
  tags: tagsKind,
} satisfies Record<string, FieldKind>

export type FieldKindName = keyof typeof kinds

/** Every kind of field by its name. */
export const fieldKinds: ReadonlyMap<string, FieldKind> = new Map(Object.entries(kinds))

type CleaningKind = FieldKind & Required<Pick<FieldKind, 'clean'>>

/**
 * Returns the kind with a `parse` that first removes invisible characters and applies the kind's own `clean`.
 * Write-only kinds take a text as typed, documents clean it themselves.
 */
function cleaning(kind: FieldKind): CleaningKind {
  if (kind.writeOnly || kind.document) return { ...kind, clean: (text) => text }
  const clean: CleaningKind['clean'] = (text, field) => {
    const visible = removeInvisibleCharacters(text)
    return kind.clean ? kind.clean(visible, field) : visible
  }
  return {
    ...kind,
    clean,
    parse: (input, field) => kind.parse(typeof input === 'string' ? clean(input, field) : input, field),
  }
}

const cleaned = new Map([...fieldKinds].map(([name, kind]) => [name, cleaning(kind)]))

/** The kinds for fields with a `mask`: their `wire` masks every value that leaves the server. */
const masking = new Map(
  [...cleaned].map(([name, kind]): [string, CleaningKind] => [
    name,
    { ...kind, wire: (stored, field) => maskFieldValue(field, kind.wire(stored, field)) },
  ]),
)

/** Whether there is a kind of this name. */
export const isKnownFieldKind = (name: string): boolean => fieldKinds.has(name)

export function fieldKindOf(field: Field): CleaningKind {
  const kind = (field.mask ? masking : cleaned).get(field.kind)
  if (!kind) throw new Error(`no field kind "${field.kind}"`)
  return kind
}

/** Returns whether a field's value is never shown to anybody: its kind is `writeOnly` or the field is `secret`. */
export const isWriteOnlyField = (field: Field): boolean => !!field.secret || !!fieldKindOf(field).writeOnly

/** Returns whether lists leave a field out unless it is one of their columns. */
export const isHeavyField = (field: Field): boolean => !!field.heavy || fieldKindOf(field).document === 'html'

/** Returns whether a field names rows of a resource: one, several, or its row's parent. */
export const isReferenceField = (field: Field): boolean => fieldKindOf(field).choices === 'rows'

/** Like `isReferenceField`, but false for an unknown kind, which the check at start reports with resource and field. */
export const isKnownReferenceField = (field: Field): boolean => isKnownFieldKind(field.kind) && isReferenceField(field)

/** Returns whether a field holds a day or a time; false for an unknown kind. */
export const isTimeField = (field: Field): boolean =>
  isKnownFieldKind(field.kind) && ['day', 'moment'].includes(fieldKindOf(field).readsAs ?? '')

/** Returns whether labels for the field's value travel beside it in the row. */
export const hasValueLabel = (field: Field): boolean =>
  ['rows', 'dictionary', 'regions'].includes(fieldKindOf(field).choices ?? '')

/** Returns the key of the field that names a row's parent; undefined if the rows form no tree. */
export const treeParentKeyOf = (fields: Fields): string | undefined =>
  Object.entries(fields).find(([, field]) => fieldKindOf(field).isParent)?.[0]

/** Returns whether a field has to be filled in, given the other values of the row. */
export const isFieldRequired = ({ required, requiredWhen }: Field, values: Record<string, unknown>): boolean =>
  !!required || (requiredWhen !== undefined && meetsCondition(values, requiredWhen))

/**
 * Parses one input of a field: checks for empty and `required`, then asks the kind. Browser and server both use it, so
 * they never disagree.
 */
export function parseFieldInput(input: unknown, field: Field): FieldParseResult<unknown> {
  const isNothing =
    isEmptyInput(input) ||
    (!fieldKindOf(field).writeOnly && typeof input === 'string' && removeInvisibleCharacters(input).trim() === '')
  if (isNothing) return field.required ? fieldParseRefusal('required') : { value: null }
  const parsed = fieldKindOf(field).parse(input, field)
  if ('problem' in parsed) return parsed
  const isBlank =
    parsed.value === null || (Array.isArray(parsed.value) && fieldKindOf(field).many && parsed.value.length === 0)
  return isBlank && field.required ? fieldParseRefusal('required') : parsed
}

/** Returns whether a wire value means "empty": some kinds send "" and -1 for it (wire contract §1.4). */
export function isBlankWireValue(value: unknown, field: Field): boolean {
  const own = fieldKindOf(field).isBlank?.(value, field)
  if (own !== undefined) return own
  const parsed = parseFieldInput(value, { ...field, required: false })
  return 'value' in parsed && (parsed.value === null || (Array.isArray(parsed.value) && parsed.value.length === 0))
}
