import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Pairs of texts in the sources: `{ zh: '…', en: '…' }` and `w('…', '…')`, with concatenated parts joined. */
type Pair = { file: string; zh: string; en: string }

const root = join(import.meta.dirname, '../../..')
const TEXT = /(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`)/.source
const TEXTS = `${TEXT}(?:\\s*\\+\\s*${TEXT})*`
const PAIRS = [
  new RegExp(`\\bzh:\\s*(${TEXTS}),\\s*en:\\s*(${TEXTS})`, 'g'),
  new RegExp(`\\b(?:w|words|label)\\(\\s*(${TEXTS}),\\s*(${TEXTS}),?\\s*\\)`, 'g'),
]

const joined = (texts: string): string =>
  [...texts.matchAll(new RegExp(TEXT, 'g'))].map(([text]) => text.slice(1, -1).replace(/\\(['"`])/g, '$1')).join('')

const sources = globSync(['{domains,kit,apps}/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !/\.test|\.demo\.|\/server\/src\/demo\/|\/testing\/|\/gallery\/|\/mock\/|\/dist\//.test(file),
)
const pairs: Pair[] = sources.flatMap((file) => {
  const source = readFileSync(join(root, file), 'utf8')
  return PAIRS.flatMap((pattern) =>
    [...source.matchAll(pattern)]
      .map(([, zh, en]) => ({ file, zh: joined(zh!), en: joined(en!) }))
      .filter(({ zh, en }) => /\p{Script=Han}/u.test(zh) && !zh.startsWith('(?<') && en !== '中文'),
  )
})

/** Wording nobody in the trade uses. */
const ENGLISH: readonly [rule: string, pattern: RegExp][] = [
  ['status, type, note are called so', /^(?:State|Kind|Remark)$/],
  ['a noun stands before its noun', /^(?:State|Kind|Level|Source|Time|Type) of /],
  ['nobody is told anything', /\b(?:told|tells?)\b/i],
  ['what is done again is not done anew', /\banew\b|\bonce more\b/],
  [
    'a shop is a store, goods are products; the service is called goods',
    /(?<![{/\w]|example, )\b(?:shops?|goods)\b(?![}/\w])/i,
  ],
  ['the platform is called Ele.me', /\bEle\b(?!\.me)/],
  ['blank fields are told what leaving them does', /^(?:Empty:|Left empty|None chosen)|[:;] empty/i],
  ['placeholders stand in curly quotes', /"\{/],
  [
    'coupons, owners, staff, registers, top-ups, counts',
    /\b(?:boss(?:es)?|clerk|tills?|recharg\w+|freight|stocktakes?)\b/i,
  ],
  ['spelling is American', /colour|licence|cancelled|organisation|authoris|e-mail/],
  ['people are someone, no one, everyone', /\b(?:some|no|every)body\b|whoever/i],
  ['amounts have a sign, percent is %', /\byuan\b|per cent|\d %/i],
  ['one selects', /\bchosen\b/i],
  ['money is refunded', /\bgives? (?:\w+ )?back|gave back|goes back/i],
  ['what happens by itself is automatic', /\bby (?:itself|themselves|hand|the clock)\b/],
  ['no Chinese in English', /\p{Script=Han}/u],
]
const CHINESE: readonly [rule: string, pattern: RegExp][] = [
  ['这个, not 该', /(?<!应)该(?!订)/],
  ['部门, not 机构, but the organisation is called so', /(?<!组织)机构/],
  ['您, not 你', /你/],
  ['商品, not 货品', /货品/],
  ['收银机', /收银端|收银台/],
  ['顾客', /微信用户/],
]

describe('the words of the screens', () => {
  test('are read from all sources', () => {
    expect(pairs.length).toBeGreaterThan(6_000)
  })

  test.each(ENGLISH)('%s', (_rule, pattern) => {
    const found = pairs.filter(({ en }) => pattern.test(en.replace(/\{[^}]*\}/g, '{}')))
    expect(found.map(({ file, en }) => `${file}: ${en}`)).toEqual([])
  })

  test.each(CHINESE)('in Chinese: %s', (_rule, pattern) => {
    const found = pairs.filter(({ zh }) => pattern.test(zh))
    expect(found.map(({ file, zh }) => `${file}: ${zh}`)).toEqual([])
  })
})
