import type { Overrides } from '#kit/testing/samples.ts'
import type { Exceptions } from '#kit/testing/contract.ts'

/** What the rules of single families ask of a row beyond its fields. */
export const sampleOverrides: Overrides = {
  // A region lies in the one above it, and its code begins with that one's.
  region: (n) => ({ code: String(900_000 + n).slice(0, 2) + String(n).padStart(4, '0'), parentCode: '00', regionLevel: 1 }),
  // A root of a dictionary carries no key of its own.
  dict: () => ({ dictKey: '-1' }),
  dictBiz: () => ({ dictKey: '-1' }),
  // Ledgers of a line are lists.
  shoppingOrderDetail: () => ({ allocations: [] }),
  refunds: () => ({ lines: [] }),
  // Receivers are lists of their own shape, and a shop has one merchant.
  merchantInfo: () => ({ receivers: [], shopIds: '' }),
  shareLog: () => ({ receivers: [{ type: 'MERCHANT_ID', account: '1900000109', name: '服务商', amount: '0.10' }] }),
}

/** Families that are unlike the others in something, each with its reason. */
export const exceptions: Exceptions = {
  shareLog: { reason: 'a share of an order that was paid over the platform; domains/merchants holds that to its own promises', isMadeElsewhere: true },
  supplierOrder: { reason: 'placed with its lines; domains/suppliers holds that to its own promises', isMadeElsewhere: true },
  refunds: { reason: 'asked for on an order with its lines; domains/orders holds that to its own promises', isMadeElsewhere: true },
}
