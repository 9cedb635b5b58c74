import { allShops, ownOrAllShops } from '#domains/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const worth = { zh: '面额', en: 'Worth' }
const scope = { zh: '使用条件', en: 'When it counts' }
const supply = { zh: '发放', en: 'Giving out' }

/** A kind of ticket: what it is worth and when it counts. The tickets themselves are in customers' hands. */
export const discountTicket = defineResource({
  name: 'discountTicket',
  path: '/api/shop/discountTicket',
  label: { zh: '优惠券', en: 'Ticket' },
  tenancy: 'tenant',
  menu: { under: 'marketing', path: '/marketing/discountTicket', icon: 'red-envelope', sort: 20 },
  title: 'name',
  titleCode: 'code',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, required: true, max: 50, search: 'like', group: worth, width: 180 }),
    code: f.text({ label: { zh: '券码', en: 'Code' }, max: 32, pattern: '^[A-Za-z0-9_-]+$', search: 'eq', group: worth, width: 110, help: { zh: '不填自动生成', en: 'Left empty, made by itself' } }),
    type: f.dict('ticket_type', { label: { zh: '类型', en: 'Kind' }, required: true, search: 'eq', default: 'amount', group: worth, width: 100 }),
    amount: f.money({ label: { zh: '抵扣金额', en: 'Money off' }, min: 1, max: 9_999_999, group: worth, width: 100, help: { zh: '代金券必填', en: 'For money off' } }),
    rate: f.percent({ label: { zh: '折扣率', en: 'Pays' }, min: 1, max: 99, group: worth, width: 90, help: { zh: '折扣券必填；80 即付 80%', en: 'For per cent off; 80: pays 80 %' } }),
    cap: f.money({ label: { zh: '最多抵扣', en: 'At most' }, max: 9_999_999, group: worth, width: 100 }),
    promise: f.text({ label: { zh: '优惠内容', en: 'What it gives' }, computed: true, form: 'hidden', width: 180 }),
    threshold: f.money({ label: { zh: '使用门槛', en: 'From' }, max: 9_999_999, default: '0.00', group: scope, width: 100, help: { zh: '适用商品优惠后满此金额可用', en: 'What the goods must still cost' } }),
    shopIds: f.refs('basicShopInfo', { label: { zh: '门店', en: 'Shops' }, blank: allShops, labelKey: 'shopNames', group: scope, width: 150, help: ownOrAllShops }),
    goodIds: f.refs('goodInfo', { label: { zh: '商品', en: 'Goods' }, labelKey: 'goodNames', group: scope, help: { zh: '按条码在各门店生效；商品与分类都不选则为全部商品', en: 'Counts by barcode in every shop; neither goods nor types: everything' } }),
    goodTypeIds: f.refs('goodType', { label: { zh: '商品分类', en: 'Goods types' }, labelKey: 'goodTypeNames', group: scope }),
    upcs: f.tags({ label: { zh: '条码', en: 'Barcodes' }, form: 'hidden', maxCount: 500 }),
    stackable: f.boolean({ label: { zh: '可多张同用', en: 'Several at once' }, default: false, group: scope, width: 100 }),
    validFrom: f.datetime({ label: { zh: '有效期开始', en: 'Valid from' }, group: scope, width: 160 }),
    validTo: f.datetime({ label: { zh: '有效期结束', en: 'Valid until' }, search: 'range', group: scope, width: 160 }),
    validDays: f.number({ label: { zh: '领取后有效天数', en: 'Days from receipt' }, min: 1, max: 3650, group: scope, width: 120, help: { zh: '与有效期结束至少填一项，以先到者为准', en: 'This or "valid until", or both: what comes first' } }),
    total: f.number({ label: { zh: '发放总量', en: 'Total' }, min: 0, max: 10_000_000, default: 0, group: supply, width: 90, help: { zh: '0 为不限', en: '0: no limit' } }),
    perUser: f.number({ label: { zh: '每人限领', en: 'Per customer' }, min: 0, max: 999, default: 1, group: supply, width: 90, help: { zh: '0 为不限', en: '0: no limit' } }),
    received: f.number({ label: { zh: '已领取', en: 'Received' }, form: 'read', default: 0, group: supply, width: 80 }),
    used: f.number({ label: { zh: '已使用', en: 'Used' }, form: 'read', default: 0, group: supply, width: 80 }),
    enabled: f.boolean({ label: { zh: '启用', en: 'In use' }, default: true, search: 'eq', group: supply, width: 80 }),
    remark: f.text({ label: { zh: '备注', en: 'Remark' }, max: 200 }),
  },
  list: {
    columns: ['name', 'promise', 'type', 'enabled', 'received', 'used', 'total', 'validTo', 'validDays', 'shopIds', 'code'],
    sort: '-createTime',
  },
  unique: [['code']],
  actions: {
    issue: {
      on: 'row',
      label: { zh: '发放', en: 'Give out' },
      icon: 'send',
      confirm: { zh: '把“{name}”（{promise}）发给：', en: 'Give "{name}" ({promise}) to:' },
      done: { zh: '已发放 {issued} 张；{skipped} 人已达限领，没有再发', en: '{issued} given; {skipped} customers have had their share already' },
      enabled: { enabled: { eq: true } },
      input: {
        wxUserIds: f.refs('wxUser', { label: { zh: '顾客', en: 'Customers' }, help: { zh: '可选多位；与会员等级二选一', en: 'One or more; or choose a level' } }),
        levelId: f.ref('vipLevel', { label: { zh: '会员等级', en: 'Member level' }, help: { zh: '发给该等级的全部有效会员', en: 'To all its members' } }),
      },
    },
  },
})
