import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedSales, suggestReorderQuantity, type ReorderFacts } from './suggest.ts'

const plain: ReorderFacts = {
  stock: 0,
  onOrder: 0,
  rate: { perDay: 9 / 7, perWeekday: [1, 1, 1, 1, 1, 2, 2] },
  leadDays: 2,
  coverDays: 5,
  today: 0,
  boxQty: 1,
  minOrder: 1,
  shelfDays: null,
  lowStock: 0,
  available: null,
}

describe('what to order', () => {
  it('is what will sell until the next delivery is used up, weekday by weekday', () => {
    // Tuesday to the Monday after: five ordinary days of 1, Saturday and Sunday of 2.
    expect(expectedSales(plain, 7)).toBe(9)
    expect(suggestReorderQuantity(plain)).toMatchObject({
      quantity: 9,
      reasons: [{ code: 'sales', amount: 9, days: 7, after: 9 }],
    })
  })
  it.each([
    ['less what is there and on its way', { stock: 3, onOrder: 2 }, 4, ['sales', 'stock', 'onOrder']],
    ['nothing when there is enough', { stock: 9 }, 0, ['sales', 'stock']],
    ['with the reserve of the low-stock line', { lowStock: 5 }, 14, ['sales', 'reserve']],
    ['in whole boxes', { boxQty: 6 }, 12, ['sales', 'box']],
    ['from the smallest order on', { minOrder: 20 }, 20, ['sales', 'minOrder']],
    ['no more than sells within the shelf life', { shelfDays: 1 }, 3, ['sales', 'shelfLife']],
    [
      'a box is not filled with what will spoil',
      { shelfDays: 4, boxQty: 6 },
      6,
      ['sales', 'shelfLife', 'box', 'shelfLife'],
    ],
    ['what the supplier has', { available: 5 }, 5, ['sales', 'available']],
    ['stock below zero is nothing, not a debt to order again', { stock: -7 }, 9, ['sales']],
  ] as const)('%s', (_name, given, quantity, codes) => {
    const got = suggestReorderQuantity({ ...plain, ...given })
    expect([got.quantity, got.reasons.map((one) => one.code)]).toEqual([quantity, codes])
  })
  it(
    'is never negative, never broken boxes, never below the smallest order, and ' + 'its last reason is the quantity',
    () => {
      const count = fc.integer({ min: 0, max: 300 })
      const supply = fc.record({
        stock: fc.integer({ min: -20, max: 300 }),
        onOrder: count,
        rate: fc
          .array(count, { minLength: 7, maxLength: 7 })
          .map((perWeekday) => ({ perWeekday, perDay: perWeekday.reduce((sum, one) => sum + one, 0) / 7 })),
        leadDays: fc.integer({ min: 0, max: 10 }),
        coverDays: fc.integer({ min: 1, max: 30 }),
        today: fc.integer({ min: 0, max: 6 }),
        boxQty: fc.integer({ min: 1, max: 24 }),
        minOrder: fc.integer({ min: 1, max: 30 }),
        shelfDays: fc.option(fc.integer({ min: 1, max: 400 })),
        lowStock: count,
        available: fc.option(count),
      })
      fc.assert(
        fc.property(supply, (given) => {
          const { quantity, reasons } = suggestReorderQuantity(given)
          expect(quantity).toBeGreaterThanOrEqual(0)
          if (!quantity) return
          expect(quantity % given.boxQty).toBe(0)
          expect(quantity).toBeGreaterThanOrEqual(given.minOrder)
          expect(reasons.at(-1)!.after).toBe(quantity)
          expect(quantity).toBeLessThanOrEqual(given.available ?? Infinity)
          expect(quantity + Math.max(given.stock, 0) + given.onOrder).toBeLessThanOrEqual(
            given.shelfDays === null ? Infinity : Math.floor(expectedSales(given, given.leadDays + given.shelfDays)),
          )
        }),
        { numRuns: 2000 },
      )
    },
  )
})
