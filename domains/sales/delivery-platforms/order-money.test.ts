import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeOrderAmounts } from '#domains/sales/orders/api.ts'
import { allocatePlatformDiscounts } from './order-money.ts'

const line = fc.record({ price: fc.integer({ min: 0, max: 99_999 }), quantity: fc.integer({ min: 1, max: 20 }) })
const orders = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  sendFee: fc.integer({ min: 0, max: 2_000 }),
  packageFee: fc.integer({ min: 0, max: 500 }),
  off: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('what the customer paid follows from lines and freight to the cent, whatever was given off', () => {
  fc.assert(
    fc.property(orders, ({ lines: pieces, sendFee, packageFee, off }) => {
      const lines = pieces.map((one, at) => ({ ...one, code: `${at}`, upc: '', name: `商品${at}`, spec: '' }))
      const all = lines.reduce((sum, one) => sum + one.price * one.quantity, sendFee + packageFee)
      const userFee = all - Math.floor(all * off)
      const money = allocatePlatformDiscounts({ lines, sendFee, packageFee, userFee, discounts: ['满减'] })
      const priced = money.lines.map((one) => ({ ...one, goodId: null }))
      expect(computeOrderAmounts({ lines: priced, freight: money.freight, payAmount: userFee }).payAmount).toBe(userFee)
      expect(money.freight).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('a sum that is more than its parts counts, and is marked', () => {
  const lines = [{ code: 'a', upc: '', name: '可乐', spec: '', price: 350, quantity: 1 }]
  const money = allocatePlatformDiscounts({ lines, sendFee: 500, packageFee: 0, userFee: 900, discounts: [] })
  expect(money).toMatchObject({ freight: 550, isOdd: true })
})
