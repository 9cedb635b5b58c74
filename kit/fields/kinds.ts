import { booleanKind } from './boolean/boolean.ts'
import { colourKind } from './colour/colour.ts'
import { cronKind } from './cron/cron.ts'
import { dateKind } from './date/date.ts'
import { datetimeKind } from './datetime/datetime.ts'
import { dictKind } from './dict/dict.ts'
import { dictsKind } from './dicts/dicts.ts'
import { emailKind } from './email/email.ts'
import { isEmpty, refuse, type Field, type FieldKind, type Parsed } from './field-kind.ts'
import { fileKind } from './file/file.ts'
import { filesKind } from './files/files.ts'
import { iconKind } from './icon/icon.ts'
import { jsonKind } from './json/json.ts'
import { locationKind } from './location/location.ts'
import { longTextKind } from './long-text/long-text.ts'
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

const kinds = [
  textKind, longTextKind, richTextKind, numberKind, moneyKind, percentKind, booleanKind, dictKind, dictsKind, refKind, refsKind,
  treeKind, dateKind, datetimeKind, phoneKind, emailKind, urlKind, passwordKind, colourKind, iconKind, pictureKind, picturesKind,
  fileKind, filesKind, regionKind, locationKind, jsonKind, cronKind, tagsKind,
]

/** Every kind of field by its name. */
export const fieldKinds: ReadonlyMap<string, FieldKind> = new Map(kinds.map((kind) => [kind.kind, kind]))

export function kindOf(field: Field): FieldKind {
  const kind = fieldKinds.get(field.kind)
  if (!kind) throw new Error(`no field kind "${field.kind}"`)
  return kind
}

/** One input through its field: emptiness and `required` first, then the kind. Browser and server share it, so they never disagree. */
export function parseField(input: unknown, field: Field): Parsed<unknown> {
  if (isEmpty(input) || (typeof input === 'string' && input.trim() === '')) return field.required ? refuse('required') : { value: null }
  const parsed = kindOf(field).parse(input, field)
  if ('problem' in parsed) return parsed
  const isBlank = parsed.value === null || (Array.isArray(parsed.value) && kindOf(field).many && parsed.value.length === 0)
  return isBlank && field.required ? refuse('required') : parsed
}
