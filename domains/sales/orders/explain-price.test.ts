import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderLineBenefitKinds } from './dictionaries.ts'
import { explainPrice } from './explain-price.ts'
import { computeOrderAmounts } from './order-amounts.ts'

const cents = fc.integer({ min: 0, max: 9999 })

it(
  'the explanation of a price adds up to what was paid, and each step to its ' + 'lines, whatever took off how much',
  () => {
    const benefit = fc.record({
      kind: fc.constantFrom(...orderLineBenefitKinds),
      refId: fc.constantFrom(null, '1', '2'),
      name: fc.constantFrom('满减', '会员价'),
      amount: cents,
    })
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 5 }),
      benefits: fc.array(benefit, { maxLength: 4 }),
      amount: cents,
      unknown: cents,
    })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        cents,
        cents,
        (made, isKnown, vip, freight) => {
          const lines = made.map(({ quantity, benefits, amount, unknown }, at) => {
            const parts = isKnown ? benefits : []
            const known = parts.reduce((sum, one) => sum + one.amount, 0)
            const discount = parts.length ? known : unknown
            const price = Math.ceil((amount + discount) / quantity)
            return {
              goodId: null,
              upc: 'G',
              name: `商品${at}`,
              price,
              quantity,
              discount,
              amount: price * quantity - discount,
              benefits: parts,
            }
          })
          const payAmount = lines.reduce((sum, one) => sum + one.amount, freight)
          const bySum = lines.reduce((sum, one) => sum + one.discount, 0)
          const order = computeOrderAmounts({
            lines,
            freight,
            payAmount,
            payType: 'wechat',
            ...(isKnown ? {} : { vipAmount: Math.min(vip, bySum) }),
          })
          const steps = explainPrice(order, lines)
          expect(steps.reduce((sum, one) => sum + one.amount, 0)).toBe(payAmount)
          for (const step of steps.filter((one) => one.lines.length))
            expect(step.lines.reduce((sum, one) => sum + one.amount, 0)).toBe(step.amount)
          for (const step of steps.filter(({ kind }) => !['goods', 'freight'].includes(kind)))
            expect(step.amount).toBeLessThan(0)
        },
      ),
    )
  },
)
