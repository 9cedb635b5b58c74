import { describe, expect, test } from 'vitest'
import { jsonList } from './json-list.ts'

describe('a list in a JSON field', () => {
  test('is the same from its text in a form and from the row', () => {
    const list = [{ doorNo: 1 }, { doorNo: 2 }]
    expect(jsonList(list)).toBe(list)
    expect(jsonList(JSON.stringify(list))).toEqual(list)
  })

  test('is empty where there is none or its text is not finished, and never fails', () => {
    for (const none of [undefined, null, '', '[', '{}', '5', '"[]"', {}, 5, true, { length: 1 }])
      expect(jsonList(none)).toEqual([])
  })
})
