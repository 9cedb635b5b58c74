import { booleanWeb } from './boolean/boolean.web.tsx'
import { colourWeb } from './colour/colour.web.tsx'
import { cronWeb } from './cron/cron.web.tsx'
import { dateWeb } from './date/date.web.tsx'
import { datetimeWeb } from './datetime/datetime.web.tsx'
import { dictWeb } from './dict/dict.web.tsx'
import { dictsWeb } from './dicts/dicts.web.tsx'
import { emailWeb } from './email/email.web.tsx'
import type { Field } from './field-kind.ts'
import { fileWeb } from './file/file.web.tsx'
import { filesWeb } from './files/files.web.tsx'
import { iconWeb } from './icon/icon.web.tsx'
import { jsonWeb } from './json/json.web.tsx'
import type { KindName } from './kinds.ts'
import { locationWeb } from './location/location.web.tsx'
import { longTextWeb } from './long-text/long-text.web.tsx'
import { moneyWeb } from './money/money.web.tsx'
import { numberWeb } from './number/number.web.tsx'
import { passwordWeb } from './password/password.web.tsx'
import { percentWeb } from './percent/percent.web.tsx'
import { phoneWeb } from './phone/phone.web.tsx'
import { pictureWeb } from './picture/picture.web.tsx'
import { picturesWeb } from './pictures/pictures.web.tsx'
import { refWeb } from './ref/ref.web.tsx'
import { refsWeb } from './refs/refs.web.tsx'
import { regionWeb } from './region/region.web.tsx'
import { richTextWeb } from './rich-text/rich-text.web.tsx'
import { tagsWeb } from './tags/tags.web.tsx'
import { textWeb } from './text/text.web.tsx'
import { treeWeb } from './tree/tree.web.tsx'
import { urlWeb } from './url/url.web.tsx'
import type { WebKind } from './web-kind.ts'

/** The browser half of every kind of field, by its name. */
const webKinds: Readonly<Record<KindName, WebKind>> = {
  boolean: booleanWeb,
  colour: colourWeb,
  cron: cronWeb,
  date: dateWeb,
  datetime: datetimeWeb,
  dict: dictWeb,
  dicts: dictsWeb,
  email: emailWeb,
  file: fileWeb,
  files: filesWeb,
  icon: iconWeb,
  json: jsonWeb,
  location: locationWeb,
  longText: longTextWeb,
  money: moneyWeb,
  number: numberWeb,
  password: passwordWeb,
  percent: percentWeb,
  phone: phoneWeb,
  picture: pictureWeb,
  pictures: picturesWeb,
  ref: refWeb,
  refs: refsWeb,
  region: regionWeb,
  richText: richTextWeb,
  tags: tagsWeb,
  text: textWeb,
  tree: treeWeb,
  url: urlWeb,
}

export function webKindOf(field: Field): WebKind {
  const kind = (webKinds as Readonly<Record<string, WebKind>>)[field.kind]
  if (!kind) throw new Error(`no browser half for field kind "${field.kind}"`)
  return kind
}
