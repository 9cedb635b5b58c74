import { generateKeyPairSync } from 'node:crypto'
import type { Make, Overrides } from '#tests/support/samples.ts'
import type { Exceptions } from '#tests/support/contract.ts'

/** Values that rules of single resources require beyond their fields. */
export const sampleOverrides: Overrides = {
  dataScope: () => ({ resourceCode: 'notice', scopeType: 1, scopeColumn: '', scopeField: '*' }),
  // A campaign's rules fit its kind, and it ends after it begins.
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
  // Forms have their own structure, nobody can be their own substitute, and a rule needs an existing route.
  flowModel: () => ({ forms: [] }),
  flowAway: async (n, _tenant, make) => ({
    deputyId: (await make('user')).id as string,
    startTime: `2026-01-01 00:00:${String(n % 60).padStart(2, '0')}`,
    endTime: '2026-01-02 00:00:00',
    handOver: false,
  }),
  flowRule: async (_n, _tenant, make) => ({
    act: '/api/blade-flow/rule/submit',
    condition: '${false}',
    userIds: (await make('user')).id as string,
    roleIds: '',
    processId: '',
  }),
  // The begin is before the end. Each field type has few spare columns, so the fields are spread over resources and
  // kinds.
  ownField: (n) => ({
    family: ['supplierInfo', 'goodType', 'vipLevel', 'workInfo', 'joinUs', 'advertising', 'notice', 'post'][n % 8],
    kind: (['text', 'number', 'money', 'date', 'boolean'] as const)[Math.floor(n / 8) % 5],
    labelZh: `字段${n}`,
    labelEn: `Field ${n}`,
    refersTo: '',
    options: '',
    unit: '',
    decimals: '',
    defaultValue: '',
    required: false,
  }),
  // A template is for an existing document and uses its fields; one of each kind is the default.
  printTemplate: () => ({
    kind: 'workOrder',
    isDefault: false,
    facts: { parts: [{ key: 'title' }] },
    columns: { parts: [{ key: 'sn' }] },
    totals: { parts: [] },
    signs: { parts: [{ zh: '签字' }] },
  }),
  bannerConf: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2036-01-01 00:00:00' }),
  advertising: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2036-01-01 00:00:00' }),
  plannedWork: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2026-01-02 00:00:00' }),
  marketingInfo: () => ({ startTime: '2026-01-01 00:00:00', endTime: '2036-01-01 00:00:00' }),
  // A region belongs to its parent, whose code its own begins with.
  region: (n) => ({
    code: String(900_000 + n).slice(0, 2) + String(n).padStart(4, '0'),
    parentCode: '00',
    regionLevel: 1,
  }),
  // Only certain ports are allowed.
  datasource: () => ({ port: 5432 }),
  // A tenant's models use the data sources assigned to it, and it has none.
  model: () => ({ datasourceId: '' }),
  // The root entry of a dictionary has no key.
  dict: () => ({ dictKey: '-1' }),
  dictBiz: () => ({ dictKey: '-1' }),
  // These fields are lists.
  shoppingOrderDetail: () => ({ allocations: [], benefits: [] }),
  refunds: () => ({ lines: [] }),
  eleSkuInfo: (_n, _tenant, make) => onPlatform(make, 'ele'),
  meituanSkuInfo: (_n, _tenant, make) => onPlatform(make, 'meituan'),
  // Receivers are a list of their own, and a shop has one merchant.
  merchantInfo: () => ({ receivers: [], shopIds: '' }),
  shareLog: () => ({ receivers: [{ type: 'MERCHANT_ID', account: '1900000109', name: '服务商', amount: '0.10' }] }),
  shopConf: () => ({
    lightSchedule: [{ from: '18:00', to: '23:30', days: [1, 2, 3, 4, 5] }],
    doorSettings: [{ doorNo: 2, relockSeconds: 20, absentOffice: 'open' }],
    alertPhones: '13800000001',
  }),
  // The customer's account was not merged into another.
  wxUser: () => ({ mergedInto: undefined }),
  vipLevel: (n) => ({ rank: 1 + (n % 1000), discountRate: '95.00' }),
  // Periods end after they begin; a product has one member price and a customer one card at a time.
  vipInfo: (n) => ({ startTime: `${2100 + n}-01-01 00:00:00`, endTime: `${2100 + n}-12-31 00:00:00` }),
  vipPrice: (n) => ({ startTime: `${2100 + n}-01-01 00:00:00`, endTime: `${2100 + n}-12-31 00:00:00`, price: '1.00' }),
  // In force now and limited.
  blackList: () => ({ startTime: daysFromNow(-1), endTime: daysFromNow(200) }),
  // An entry has one open appeal at a time, and none when it has ended.
  blackAppeal: async (_n, _tenant, make) => ({ blackListId: (await make('blackList', { shopId: null })).id as string }),
  stockTransfer: () => ({ lines: [] }),
  // A tag is drawn from elements, and a label cloud needs a key.
  tagTemplate: () => ({ elements: [{ from: 'price', x: 0.04, y: 0.76, high: 0.36, wide: 0.6 }] }),
  tagAccount: () => ({ secretKey: 'key', storeNo: 'S1' }),
  // A query that a user could make.
  reportView: () => ({
    question: { family: 'shoppingOrder', filters: {}, rows: ['shopId'], columns: [], measures: ['orders'] },
  }),
  // A scheduled report, every morning.
  reportTiming: async (_n, _tenant, make) => ({
    reportId: (await make('reportView')).id as string,
    viewId: '',
    viewName: '',
    kind: 'workbook',
    cron: '0 8 * * *',
  }),
  // Valid keys for signing and decrypting.
  payAccount: () => ({ ...paymentKeys(), endpoint: '', notifyBase: '' }),
  returnLog: () => ({ batches: [], direction: 'customer' }),
}

const daysFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

let keys: { secretKey: string; apiv3Key: string; publicKeyPem: string } | undefined
const paymentKeys = () => (keys ??= newKeys())

function newKeys() {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { secretKey: pair.privateKey, apiv3Key: '0123456789abcdef0123456789abcdef', publicKeyPem: pair.publicKey }
}

/** Inserts a shop listed on a platform and one of its products: the platform sells what the shop carries. */
const onPlatform = async (make: Make, platform: 'ele' | 'meituan') => {
  const { id: shopId } = await make('basicShopInfo')
  return {
    goodId: (await make('goodInfo', { shopId })).id as string,
    [`${platform}ShopId`]: (await make(`${platform}ShopInfo`, { shopId })).id as string,
  }
}

/** Resources that differ from the contract, each with the reason. */
export const exceptions: Exceptions = {
  datasource: {
    reason:
      'another place or account asks for its password beside it; domains/platform/code-generator holds that to ' +
      'its own promises',
    notEchoed: ['host', 'databaseName', 'username'],
  },
  shareLog: {
    reason:
      'a share of an order that was paid over the platform; domains/money/merchant-accounts holds that to its ' +
      'own promises',
    isMadeElsewhere: true,
  },
  region: {
    reason: 'a region sent under a code that is there changes it: whoever comes second may find it',
    isUpsert: true,
  },
  stockTransfer: {
    reason: 'goes from one shop to another; domains/catalogue/products holds that to its own promises',
    isMadeElsewhere: true,
  },
  stocktake: {
    reason:
      'a shop has one open at a time and goods to count; domains/catalogue/products holds that to its own promises',
    isMadeElsewhere: true,
  },
  supplierOrder: {
    reason: 'placed with its lines; domains/catalogue/purchasing holds that to its own promises',
    isMadeElsewhere: true,
  },
  refunds: {
    reason: 'asked for on an order with its lines; domains/sales/orders holds that to its own promises',
    isMadeElsewhere: true,
  },
}
