import { expect, test } from 'vitest'
import { parseTypedDate } from './typed-date.ts'

test.each([
  ['1992-05-06', '1992-05-06'],
  ['1992/5/6', '1992-05-06'],
  ['1992-5-6', '1992-05-06'],
  ['1992.5.6', '1992-05-06'],
  ['1992年5月6日', '1992-05-06'],
  [' １９９２－５－６ ', '1992-05-06'],
  ['19920506', '1992-05-06'],
  ['1992-05-06 08:05:09', '1992-05-06'],
])('%s is read as a day', (typed, day) => expect(parseTypedDate(typed, false)).toBe(day))

test.each([
  ['1992-05-06', '1992-05-06 00:00:00'],
  ['1992/5/6 8:05', '1992-05-06 08:05:00'],
  ['19920506 08:05:09', '1992-05-06 08:05:09'],
  ['1992年5月6日 8：05', '1992-05-06 08:05:00'],
  ['1992-05-06T08:05', '1992-05-06 08:05:00'],
])('%s is read as a moment, a day alone as its midnight', (typed, moment) =>
  expect(parseTypedDate(typed, true)).toBe(moment),
)

test.each(['', '19', '1992-05', '1992-02-30', '19921301', '5/6/1992', '1992-05-06 25:00', '1992-05-06 8', 'soon'])(
  '"%s" is taken for no day and no moment',
  (typed) => {
    expect(parseTypedDate(typed, false)).toBeUndefined()
    expect(parseTypedDate(typed, true)).toBeUndefined()
  },
)

test('of what ends, a day alone is meant to its last second, and a time that is typed is kept', () => {
  expect(parseTypedDate('2026/11/30', true, true)).toBe('2026-11-30 23:59:59')
  expect(parseTypedDate('2026/11/30 18:00', true, true)).toBe('2026-11-30 18:00:00')
})
