import { booleanWebKind } from './boolean/boolean.web.tsx'
import { colourWebKind } from './colour/colour.web.tsx'
import { cronWebKind } from './cron/cron.web.tsx'
import { dateWebKind } from './date/date.web.tsx'
import { datetimeWebKind } from './datetime/datetime.web.tsx'
import { dictWebKind } from './dict/dict.web.tsx'
import { dictsWebKind } from './dicts/dicts.web.tsx'
import { emailWebKind } from './email/email.web.tsx'
import type { Field } from './base/field-kind.ts'
import { fileWebKind } from './file/file.web.tsx'
import { filesWebKind } from './files/files.web.tsx'
import { iconWebKind } from './icon/icon.web.tsx'
import { jsonWebKind } from './json/json.web.tsx'
import type { FieldKindName } from './kinds.ts'
import { locationWebKind } from './location/location.web.tsx'
import { longTextWebKind } from './long-text/long-text.web.tsx'
import { moneyWebKind } from './money/money.web.tsx'
import { numberWebKind } from './number/number.web.tsx'
import { passwordWebKind } from './password/password.web.tsx'
import { percentWebKind } from './percent/percent.web.tsx'
import { phoneWebKind } from './phone/phone.web.tsx'
import { pictureWebKind } from './picture/picture.web.tsx'
import { picturesWebKind } from './pictures/pictures.web.tsx'
import { refWebKind } from './ref/ref.web.tsx'
import { refsWebKind } from './refs/refs.web.tsx'
import { regionWebKind } from './region/region.web.tsx'
import { richTextWebKind } from './rich-text/rich-text.web.tsx'
import { tagsWebKind } from './tags/tags.web.tsx'
import { textWebKind } from './text/text.web.tsx'
import { treeWebKind } from './tree/tree.web.tsx'
import { urlWebKind } from './url/url.web.tsx'
import type { WebFieldKind } from './web-kind.ts'

/** The browser half of every kind of field, by its name. */
const webKinds: Readonly<Record<FieldKindName, WebFieldKind>> = {
  boolean: booleanWebKind,
  colour: colourWebKind,
  cron: cronWebKind,
  date: dateWebKind,
  datetime: datetimeWebKind,
  dict: dictWebKind,
  dicts: dictsWebKind,
  email: emailWebKind,
  file: fileWebKind,
  files: filesWebKind,
  icon: iconWebKind,
  json: jsonWebKind,
  location: locationWebKind,
  longText: longTextWebKind,
  money: moneyWebKind,
  number: numberWebKind,
  password: passwordWebKind,
  percent: percentWebKind,
  phone: phoneWebKind,
  picture: pictureWebKind,
  pictures: picturesWebKind,
  ref: refWebKind,
  refs: refsWebKind,
  region: regionWebKind,
  richText: richTextWebKind,
  tags: tagsWebKind,
  text: textWebKind,
  tree: treeWebKind,
  url: urlWebKind,
}

export function webFieldKindOf(field: Field): WebFieldKind {
  const kind = (webKinds as Readonly<Record<string, WebFieldKind>>)[field.kind]
  if (!kind) throw new Error(`no browser half for field kind "${field.kind}"`)
  return kind
}
