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

/** Wording nobody in the trade uses, and the number of pairs that still have it. The numbers may only fall. */
const ENGLISH: readonly [rule: string, pattern: RegExp, left: number][] = [
  ['status, type, note are called so', /^(?:State|Kind|Remark)$/, 0],
  ['a noun stands before its noun', /^(?:State|Kind|Level|Source|Time|Type) of /, 0],
  ['nobody is told anything', /\b(?:told|tells?)\b/i, 0],
  ['what is done again is not done anew', /\banew\b|\bonce more\b/, 0],
  ['a shop is a store, goods are products', /(?<![{/\w])\b(?:shops?|goods)\b(?![}/\w])/i, 2],
  ['the platform is called Ele.me', /\bEle\b(?!\.me)/, 0],
  ['blank fields are told what leaving them does', /^(?:Empty:|Left empty|None chosen)|[:;] empty/i, 0],
  ['placeholders stand in curly quotes', /"\{/, 0],
  [
    'coupons, owners, staff, registers, top-ups, counts',
    /\b(?:boss(?:es)?|clerk|tills?|recharg\w+|freight|stocktakes?)\b/i,
    0,
  ],
  ['spelling is American', /colour|licence|cancelled|organisation|authoris|e-mail/, 0],
  ['people are someone, no one, everyone', /\b(?:some|no|every)body\b|whoever/i, 0],
  ['amounts have a sign, percent is %', /\byuan\b|per cent|\d %/i, 0],
  ['one selects', /\bchosen\b/i, 0],
  ['money is refunded', /\bgives? (?:\w+ )?back|gave back|goes back/i, 0],
  ['what happens by itself is automatic', /\bby (?:itself|themselves|hand|the clock)\b/, 0],
  ['no Chinese in English', /\p{Script=Han}/u, 0],
]
const CHINESE: readonly [rule: string, pattern: RegExp, left: number][] = [
  ['这个, not 该', /(?<!应)该(?!订)/, 0],
  ['部门, not 机构', /机构/, 1],
  ['您, not 你', /你/, 0],
  ['商品, not 货品', /货品/, 0],
  ['收银机', /收银端|收银台/, 0],
  ['顾客', /微信用户/, 0],
]

describe('the words of the screens', () => {
  test('are read from all sources', () => {
    expect(pairs.length).toBeGreaterThan(6_000)
  })

  test.each(ENGLISH)('%s', (_rule, pattern, left) => {
    const found = pairs.filter(({ en }) => pattern.test(en.replace(/\{[^}]*\}/g, '{}')))
    const sentences = found.map(({ file, en }) => `${file}: ${en}`)
    expect([sentences.length, sentences]).toEqual([left, left ? sentences : []])
  })

  test.each(CHINESE)('in Chinese: %s', (_rule, pattern, left) => {
    const found = pairs.filter(({ zh }) => pattern.test(zh))
    const sentences = found.map(({ file, zh }) => `${file}: ${zh}`)
    expect([sentences.length, sentences]).toEqual([left, left ? sentences : []])
  })
})
