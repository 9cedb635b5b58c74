import { expect, test } from 'vitest'
import { PoolExhaustedError } from './admission.ts'
import { DatabaseUnavailableError } from './connections.ts'
import { processEachRow, isRowError, skippedRowsNote, invalidValueError, rowFailureReason } from './each-alone.ts'

const refusedBy = (code: string) => Object.assign(new Error('value out of range'), { code, severity: 'ERROR' })

test('an odd row among others is told with its reason, and the others are handled in their order', async () => {
  const handled: number[] = []
  const failures: string[] = []
  const well = await processEachRow([1, 2, 3, 4], {
    handle: async (row) => {
      if (row === 2) throw new TypeError('price: \0"twelve"\n')
      if (row === 3) throw refusedBy('22003')
      handled.push(row)
    },
    failed: (row, reason) => failures.push(`${row} ${reason}`),
  })
  expect(well).toEqual([1, 4])
  expect(handled).toEqual([1, 4])
  expect(failures).toEqual(['2 内容无法识别 | price: \ufffd"twelve"', '3 内容无法保存 | value out of range'])
})

test('what is no row’s own fault ends the whole, which is tried again', async () => {
  for (const error of [new DatabaseUnavailableError(), refusedBy('40P01'), refusedBy('57014'), refusedBy('42703')]) {
    let failures = 0
    const all = processEachRow([1, 2], {
      handle: () => {
        throw error
      },
      failed: () => void failures++,
    })
    await expect(all).rejects.toBe(error)
    expect(failures).toBe(0)
  }
  expect(isRowError(Object.create(PoolExhaustedError.prototype))).toBe(false)
})

test('a reason is bounded, and so is what names the rows that were left out', () => {
  expect(rowFailureReason(new Error('x'.repeat(10_000))).length).toBeLessThan(200)
  expect(skippedRowsNote(Array.from({ length: 5_000 }, () => '名'.repeat(40)))!.length).toBeLessThanOrEqual(200)
  expect(skippedRowsNote([])).toBeNull()
})

test('an odd value is named by its key, and shown no further than helps', () => {
  expect(invalidValueError('price', 'twelve')).toMatchObject({ name: 'TypeError', message: 'price: "twelve"' })
  expect(invalidValueError('price', undefined).message).toBe('price: ')
  expect(invalidValueError('code', 'x'.repeat(10_000)).message.length).toBeLessThan(80)
})
