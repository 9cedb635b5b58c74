import { generateKeyPairSync } from 'node:crypto'
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
  // Forms have a shape of their own; nobody stands in for themselves; a rule is about a call there is.
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
  // What is shown has a beginning before its end.
  // Few columns are spare for each kind, so its fields are spread over families and kinds.
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
  // A template is of a document there is, and shows what that has; one of each kind is the default.
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
  // A region lies in the one above it, and its code begins with that one's.
  region: (n) => ({
    code: String(900_000 + n).slice(0, 2) + String(n).padStart(4, '0'),
    parentCode: '00',
    regionLevel: 1,
  }),
  // Ports are a list.
  datasource: () => ({ port: 5432 }),
  // A tenant's models are read from the data source it was given, and it was given none.
  model: () => ({ datasourceId: '' }),
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
    doorSettings: [{ doorNo: 2, relockSeconds: 20, absentOffice: 'open' }],
    alertPhones: '13800000001',
  }),
  // A customer whose account was not merged away.
  wxUser: () => ({ mergedInto: undefined }),
  vipLevel: (n) => ({ rank: 1 + (n % 1000), discountRate: '95.00' }),
  // A term, a price and an entry end after they begin; one goods has one member price at a time, and a customer one
  // card of a level.
  vipInfo: (n) => ({ startTime: `${2100 + n}-01-01 00:00:00`, endTime: `${2100 + n}-12-31 00:00:00` }),
  vipPrice: (n) => ({ startTime: `${2100 + n}-01-01 00:00:00`, endTime: `${2100 + n}-12-31 00:00:00`, price: '1.00' }),
  // In force now, and not for ever.
  blackList: () => ({ startTime: daysAhead(-1), endTime: daysAhead(200) }),
  // One appeal of an entry waits at a time, and none of an entry that is over.
  blackAppeal: async (_n, _tenant, make) => ({ blackListId: (await make('blackList', { shopId: null })).id as string }),
  stockTransfer: () => ({ lines: [] }),
  // What a tag shows is drawn by elements, and a cloud wants a key.
  tagTemplate: () => ({ elements: [{ from: 'price', x: 0.04, y: 0.76, high: 0.36, wide: 0.6 }] }),
  tagAccount: () => ({ secretKey: 'key', storeNo: 'S1' }),
  // A question that somebody could ask.
  reportView: () => ({
    question: { family: 'shoppingOrder', filters: {}, rows: ['shopId'], columns: [], measures: ['orders'] },
  }),
  // A report by the clock, each morning.
  reportTiming: async (_n, _tenant, make) => ({
    reportId: (await make('reportView')).id as string,
    viewId: '',
    viewName: '',
    kind: 'workbook',
    cron: '0 8 * * *',
  }),
  // Keys somebody could sign and open with.
  payAccount: () => ({ ...paymentKeys(), endpoint: '', notifyBase: '' }),
  returnLog: () => ({ batches: [], direction: 'customer' }),
}

const daysAhead = (days: number) =>
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
