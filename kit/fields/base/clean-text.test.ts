import { describe, expect, test } from 'vitest'
import { normalizeNumberText, removeInvisibleCharacters } from './clean-text.ts'
import { fieldKinds, parseFieldInput } from '../kinds.ts'
import type { Field } from './field-kind.ts'

const label = { zh: '字段', en: 'Field' }
const read = (kind: string, input: unknown, options: Partial<Field> = {}) =>
  parseFieldInput(input, { kind, label, ...options })

const invisible = [0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0x206f, 0xfeff].map((code) =>
  String.fromCharCode(code),
)

describe('a text', () => {
  test.each(invisible)('loses what nobody sees (%j) and nothing else', (sign) => {
    expect(removeInvisibleCharacters(`可${sign}乐`)).toBe('可乐')
    expect(read('text', `${sign}可${sign}乐${sign}`)).toEqual({ value: '可乐' })
    expect(read('longText', `可乐${sign}\n“冰” – 5‰…`)).toEqual({ value: '可乐\n“冰” – 5‰…' })
    expect(read('text', sign, { required: true })).toEqual({ problem: { code: 'required', params: undefined } })
  })

  test('keeps an emoji that is made of several', () => {
    for (const whole of ['👩‍👩‍👧', '🧑🏽‍🚀', '🏳️‍🌈', '❤️‍🔥']) {
      expect(removeInvisibleCharacters(`\u200b${whole}`)).toBe(whole)
    }
  })

  test('has breaks for the separators of lines and paragraphs, and a blank for the narrow one', () => {
    expect(removeInvisibleCharacters('a\u2028b\u2029c\u202fd')).toBe('a\nb\nc d')
  })

  test('of free words keeps its full-width signs', () => {
    expect(read('text', '可乐（冰）１号')).toEqual({ value: '可乐（冰）１号' })
  })
})

describe('what has a form is read as it is meant', () => {
  const identity = { pattern: '^\\d{17}[\\dX]$' }
  test.each([
    ['number', ' １，２３４ ', {}, 1234],
    ['number', '\u200b12', {}, 12],
    ['number', '1,234.5', { decimals: 2 }, 1234.5],
    ['money', '¥１２．５０', {}, 1250],
    ['money', '1 234.50', {}, 123450],
    ['percent', '１２．５％', {}, 12.5],
    ['phone', '１３８ ００００ ００００', {}, '13800000000'],
    ['phone', '\u202d13800000000\u202c', {}, '13800000000'],
    ['email', 'wu＠example.com', {}, 'wu@example.com'],
    ['date', '2027/12/31', {}, '2027-12-31'],
    ['date', '２０２７年１２月３１日', {}, '2027-12-31'],
    ['datetime', '2027/12/31', {}, '2027-12-31 00:00:00'],
    ['datetime', '2027/12/31', { isEnd: true }, '2027-12-31 23:59:59'],
    ['datetime', '2027-12-31', { isEnd: true }, '2027-12-31 23:59:59'],
    ['datetime', '2027/12/31 18:00', { isEnd: true }, '2027-12-31 18:00:00'],
    ['datetime', '2027-12-31 00:00:00', { isEnd: true }, '2027-12-31 00:00:00'],
    ['text', '33010619900101123x', identity, '33010619900101123X'],
    ['text', '３３０１０６ １９９００１０１ １２３ｘ', identity, '33010619900101123X'],
    ['text', '6222 0000 1111 2222', { pattern: '^\\d{8,30}$' }, '6222000011112222'],
    ['text', '６９２８８０４０１１１４２', { rule: () => undefined }, '6928804011142'],
    ['region', '３３０１０６', {}, '330106'],
  ] as const)('%s %j %j', (kind, input, options, value) => {
    expect(read(kind, input, options)).toEqual({ value })
  })

  test('an identifier far longer than it may be is refused before its pattern or rule looks at it', () => {
    const looked: number[] = []
    const rule = (text: string) => void looked.push(text.length)
    const field = (max: number) => ({ kind: 'text', label, max, rule })
    for (const [max, bound] of [
      [10, 1000],
      [400, 1600],
    ] as const) {
      const within = `${' '.repeat(bound - 3)}１２３`
      expect(parseFieldInput(within, field(max))).toEqual({ value: '123' })
      looked.length = 0
      expect(parseFieldInput(`${within}４`, field(max))).toEqual({ problem: { code: 'too_long', params: { max } } })
      expect(looked).toEqual([])
    }
  })

  test('words with a blank between them are no identifier', () => {
    expect(read('text', 'shop boss', { pattern: '^\\w+$' })).toMatchObject({ problem: { code: 'bad_format' } })
  })

  test.each(['1,5', '12,50', '1,2345', '1 2'])('%j is no number: nobody can tell which one', (input) => {
    expect(read('money', input)).toMatchObject({ problem: { code: 'not_money' } })
  })

  test('a number with a sign of another measure is refused', () => {
    expect(read('number', '12%')).toMatchObject({ problem: { code: 'not_an_integer' } })
    expect(normalizeNumberText('−5')).toBe('-5')
  })

  test('a password is taken as it was typed', () => {
    expect(read('password', ' Pa\u200bss word１ ')).toEqual({ value: ' Pa\u200bss word１ ' })
  })
})

test('every kind that takes texts is asked without what nobody sees, but for passwords and documents', () => {
  for (const [name, kind] of fieldKinds) {
    const plain = { kind: name, label, dict: 'x', to: 'x' } as Field
    const sample = kind.sample(plain, 1)
    if (typeof sample !== 'string' || !sample || kind.writeOnly || kind.document) continue
    expect([name, parseFieldInput(`\ufeff${sample}\u200b`, plain)]).toEqual([name, parseFieldInput(sample, plain)])
  }
})
