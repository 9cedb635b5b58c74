import { describe, expect, test } from 'vitest'
import { formatScaledDecimal } from '#kit/fields/base/field-kind.ts'
import { planRefund } from './refund-math.ts'
import { previewRefundCents } from './refund-preview.ts'

describe('the amount shown before a refund is asked for', () => {
  test('is the one the server pays, however the pieces were cut before', () => {
    for (const amount of [99, 1000, 1001, 3333, 12_345]) {
      for (let quantity = 1; quantity <= 7; quantity++) {
        const paid = [{ id: '1', name: 'tea', quantity, amount }]
        for (let gone = 0; gone < quantity; gone++) {
          const first = gone
            ? planRefund(
                { payAmount: amount, freight: 0 },
                paid,
                { lines: [], freight: 0, amount: 0 },
                { lines: [{ detailId: '1', quantity: gone, amount: undefined }] },
              ).amount
            : 0
          for (let pieces = 1; pieces <= quantity - gone; pieces++) {
            const shown = previewRefundCents(
              {
                quantity,
                amount: formatScaledDecimal(amount, 2),
                refundableQuantity: quantity - gone,
                refundableAmount: formatScaledDecimal(amount - first, 2),
              },
              pieces,
            )
            const earlier = {
              lines: gone ? [{ detailId: '1', quantity: gone, amount: first }] : [],
              freight: 0,
              amount: first,
            }
            const { amount: paidBack } = planRefund({ payAmount: amount, freight: 0 }, paid, earlier, {
              lines: [{ detailId: '1', quantity: pieces }],
            })
            expect([amount, quantity, gone, pieces, shown]).toEqual([amount, quantity, gone, pieces, paidBack])
          }
        }
      }
    }
  })
})
