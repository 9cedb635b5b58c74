import { describe, expect, test } from 'vitest'
import {
  InvalidExpressionError,
  checkExpression,
  evaluateExpression,
  findVariablePaths,
  UndefinedVariableError,
  ExpressionTypeError,
  type ExpressionVariables,
} from './expression.ts'

const names: ExpressionVariables = {
  days: 3,
  pass: true,
  天数: 5,
  who: 'li',
  list: ['li', 'wu'],
  order: { amount: 1200, shop: { name: '一号店' } },
  nothing: null,
}

describe('an expression of a process', () => {
  test.each([
    ['${pass && days <= 3}', true],
    ['${pass and days gt 3}', false],
    ['#{!pass or 天数 == 5}', true],
    ["${who == 'li' ? 'a' : 'b'}", 'a'],
    ['${order.amount * 2 + 1}', 2401],
    ['${order["shop"].name}', '一号店'],
    ['${list[1]}', 'wu'],
    ['${size(list) - 1}', 1],
    ['${contains(list, who) && lower("LI") eq who}', true],
    ['${empty nothing && not empty list}', true],
    ['${empty neverHeardOf}', true],
    ['${neverHeardOf == null}', true],
    ['${days div 2}', 1.5],
    ['${-days % 2}', -1],
    ['${days == "3"}', true],
    ['user_${who}-${days}', 'user_li-3'],
    ['no expression', 'no expression'],
    ['', ''],
  ])('%s gives %s', (text, value) => expect(evaluateExpression(text, names)).toEqual(value))

  test('that asks for a name nobody ever set is refused instead of being false', () => {
    for (const text of ['${passed}', '${passed && pass}', '${passed == false}', '${approved.by}'])
      expect(() => evaluateExpression(text, names)).toThrow(UndefinedVariableError)
  })

  test('that calculates with what is no number, or asks a text for its truth, gives no value', () => {
    for (const text of ['${who * 2}', '${days / 0}', '${who && pass}', '${nothing < 1}'])
      expect(() => evaluateExpression(text, names)).toThrow(ExpressionTypeError)
  })

  test.each([
    '${runtimeService.deleteProcessInstance("1")}',
    '${"".getClass().forName("java.lang.Runtime")}',
    '${constructor("return process")()}',
    '${eval("1")}',
    '${days = 4}',
    '${order.amount = 0}',
    '${process.exit(); 1}',
    '${new Date()}',
    '${x -> x}',
    '${`a`}',
    '${days',
    `\${${'('.repeat(500)}1${')'.repeat(500)}}`,
    `\${${'!'.repeat(500)}pass}`,
    `\${${'1+'.repeat(2000)}1}`,
  ])('as an attack is refused when it is read: %s', (text) =>
    expect(() => checkExpression(text)).toThrow(InvalidExpressionError),
  )

  test('reads own properties only: what every object of the language has is not there', () => {
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length'])
      for (const of of ['order', 'list', 'who'])
        expect([key, evaluateExpression(`\${${of}.${key}}`, names)]).toEqual([key, null])
    for (const name of ['this', 'process', 'globalThis', 'constructor', '__proto__'])
      expect(() => evaluateExpression(`\${${name}}`, names)).toThrow(UndefinedVariableError)
  })
})

test('says in both languages why it cannot be read', () => {
  for (const text of ['${days', '${"a}', '${days = 4}', '${a b}', '${nobody(1)}', '${size(1, 2)}', '${1 +}']) {
    const why = () => checkExpression(text)
    expect(why, text).toThrow(InvalidExpressionError)
    expect(why, text).toThrow(
      expect.objectContaining({
        why: { zh: expect.stringMatching(/\p{Script=Han}/u), en: expect.stringMatching(/^[ -~]+$/) },
      }),
    )
  }
})

test('says what it reads, and takes neither words, texts nor functions for names', () => {
  expect(
    findVariablePaths("a ${before.salePrice < after.x * 2 && !empty args.ids} ${size(roles) > 1 or hour == 'count'}"),
  ).toEqual([['before', 'salePrice'], ['after', 'x'], ['args', 'ids'], ['roles'], ['hour']])
  expect(findVariablePaths('no condition')).toEqual([])
})
