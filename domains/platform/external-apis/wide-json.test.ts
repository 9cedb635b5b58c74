import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonKeepingLongIntegers } from './wide-json.ts'

test('a platform id longer than a number keeps every digit', () => {
  expect(
    parseJsonKeepingLongIntegers('{"order_id":1234567890123456789,"n":12,"list":[-98765432109876543210]}'),
  ).toEqual({
    order_id: '1234567890123456789',
    n: 12,
    list: ['-98765432109876543210'],
  })
})

test('digits inside texts, behind a point and in exponents stay what they are', () => {
  const text = '{"a":"id 12345678901234567890","b":"\\"1234567890123456789","c":0.12345678901234567890,"d":1e300}'
  expect(parseJsonKeepingLongIntegers(text)).toEqual(JSON.parse(text))
})

test('what has no long number reads as it always did', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).filter((one) => !/\d{16}/.test(JSON.stringify(one)))
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one)
      expect(parseJsonKeepingLongIntegers(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('what is no JSON is refused as JSON refuses it', () => {
  for (const text of ['', '{', '{"a":12345678901234567890', '"\\', '1 2'])
    expect(() => parseJsonKeepingLongIntegers(text)).toThrow(SyntaxError)
})
