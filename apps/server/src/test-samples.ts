import type { Make, Overrides } from '#kit/testing/samples.ts'
import type { Exceptions } from '#kit/testing/contract.ts'

/** What the rules of single families ask of a row beyond its fields. */
export const sampleOverrides: Overrides = {
  dataScope: () => ({ resourceCode: 'notice', scopeType: 1, scopeColumn: '', scopeField: '*' }),
  // A campaign's rules are those of its kind, and it ends after it began.
  discountConf: () => ({
    type: 'percentage',
    rules: { rate: '80.00', cap: '' },
    rehearsal: '',
    startTime: '2026-01-01 00:00:00',
    endTime: '2036-01-01 00:00:00',
  }),
  discountTicket: (n) => ({
    code: `C${n}`,
    type: 'amount',
    amount: '5.00',
    threshold: '30.00',
    rate: '80.00',
    validFrom: '2026-01-01 00:00:00',
    validTo: '2036-01-01 00:00:00',
  }),
  // What is shown has a beginning before its end.
  bannerConf: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2036-01-01 00:00:00' }),
  advertising: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2036-01-01 00:00:00' }),
  plannedWork: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2026-01-02 00:00:00' }),
  marketingInfo: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2036-01-01 00:00:00' }),
  // A region lies in the one above it, and its code begins with that one's.
  region: (n) => ({
    code: String(900_000 + n).slice(0, 2) + String(n).padStart(4, '0'),
    parentCode: '00',
    regionLevel: 1,
  }),
  // A root of a dictionary carries no key of its own.
  dict: () => ({ dictKey: '-1' }),
  dictBiz: () => ({ dictKey: '-1' }),
  // Ledgers of a line are lists.
  shoppingOrderDetail: () => ({ allocations: [], benefits: [] }),
  refunds: () => ({ lines: [] }),
  eleSkuInfo: (_n, _tenant, make) => onPlatform(make, 'ele'),
  meituanSkuInfo: (_n, _tenant, make) => onPlatform(make, 'meituan'),
  // Receivers are lists of their own shape, and a shop has one merchant.
  merchantInfo: () => ({ receivers: [], shopIds: '' }),
  shareLog: () => ({ receivers: [{ type: 'MERCHANT_ID', account: '1900000109', name: '服务商', amount: '0.10' }] }),
  shopConf: () => ({
    lightSchedule: [{ from: '18:00', to: '23:30', days: [1, 2, 3, 4, 5] }],
    alertPhones: '13800000001',
  }),
  // A customer whose account was not merged away.
  wxUser: () => ({ mergedInto: undefined }),
  vipLevel: (n) => ({ rank: 1 + (n % 1000), discountRate: '95.00' }),
  // A term, a price and an entry end after they begin; one goods has one member price at a time, and a customer one
  // card of a level.
  vipInfo: (n) => ({ startTime: `${2100 + n}-01-01 00:00:00`, endTime: `${2100 + n}-12-31 00:00:00` }),
  vipPrice: (n) => ({ startTime: `${2100 + n}-01-01 00:00:00`, endTime: `${2100 + n}-12-31 00:00:00`, price: '1.00' }),
  blackList: () => ({ endTime: '2099-01-01 08:00:00' }),
  stockTransfer: () => ({ lines: [] }),
  // What a tag shows is drawn by elements, and a cloud wants a key.
  tagTemplate: () => ({ elements: [{ from: 'price', x: 0.04, y: 0.76, high: 0.36, wide: 0.6 }] }),
  tagAccount: () => ({ secretKey: 'key', storeNo: 'S1' }),
  returnLog: () => ({ batches: [], direction: 'customer' }),
}

/** A shop of ours that is on a platform, with goods it carries: what is sold there is carried here. */
const onPlatform = async (make: Make, platform: 'ele' | 'meituan') => {
  const { id: shopId } = await make('basicShopInfo')
  return {
    goodId: (await make('goodInfo', { shopId })).id as string,
    [`${platform}ShopId`]: (await make(`${platform}ShopInfo`, { shopId })).id as string,
  }
}

/** Families that are unlike the others in something, each with its reason. */
export const exceptions: Exceptions = {
  shareLog: {
    reason: 'a share of an order that was paid over the platform; domains/merchants holds that to its own promises',
    isMadeElsewhere: true,
  },
  region: {
    reason: 'a region sent under a code that is there changes it: whoever comes second may find it',
    isUpsert: true,
  },
  stockTransfer: {
    reason: 'goes from one shop to another; domains/goods holds that to its own promises',
    isMadeElsewhere: true,
  },
  stocktake: {
    reason: 'a shop has one open at a time and goods to count; domains/goods holds that to its own promises',
    isMadeElsewhere: true,
  },
  supplierOrder: {
    reason: 'placed with its lines; domains/suppliers holds that to its own promises',
    isMadeElsewhere: true,
  },
  refunds: {
    reason: 'asked for on an order with its lines; domains/orders holds that to its own promises',
    isMadeElsewhere: true,
  },
}
