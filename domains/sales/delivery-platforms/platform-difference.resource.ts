import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f } from '#kit/resource/index.ts'
import { PLATFORM_DIFFERENCE_STATE } from './dictionaries.ts'
import { localGoodIdField } from './sync-fields.ts'

/** A product that differed between the platform and us when they were compared, and when that ended. */
export const platformDifference = defineResource({
  name: 'platformDifference',
  path: '/api/thirdparty/platformDifference',
  label: { zh: '外卖商品差异', en: 'Listing discrepancy' },
  tenancy: 'tenant',
  writer: 'platform',
  retentionDays: 30,
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/platformDifference', icon: 'reconciliation', sort: 59 },
  title: 'name',
  remove: false,
  fields: {
    platform: f.dict('third_platform', {
      label: { zh: '平台', en: 'Platform' },
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    shopId: shopIdField({ form: 'read' }),
    shopThere: f.text({ label: { zh: '平台门店', en: 'Platform store' }, max: 20, form: 'hidden', detail: false }),
    rowKey: f.text({ label: { zh: '平台商品行', en: 'Platform listing' }, max: 20, form: 'hidden', detail: false }),
    goodId: localGoodIdField({ form: 'read' }),
    name: f.text({ label: { zh: '商品名称', en: 'Product name' }, max: 100, form: 'read', search: 'like', width: 200 }),
    upc: f.text({
      forms: listBarcodeForms,
      label: { zh: '条码', en: 'Barcode' },
      max: 64,
      form: 'read',
      search: 'likeright',
      width: 140,
    }),
    kind: f.dict('platform_difference_kind', {
      label: { zh: '差异', en: 'Discrepancy' },
      form: 'read',
      search: 'eq',
      width: 110,
    }),
    ours: f.text({ label: { zh: '这里', en: 'Our records' }, max: 100, form: 'read', width: 120 }),
    theirs: f.text({ label: { zh: '平台', en: 'Platform' }, max: 100, form: 'read', width: 120 }),
    state: f.dict('platform_difference_state', {
      label: { zh: '状态', en: 'Status' },
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    foundTime: f.datetime({ label: { zh: '发现时间', en: 'Found' }, form: 'read', search: 'range', width: 160 }),
    doneTime: f.datetime({ label: { zh: '消除时间', en: 'Resolved' }, form: 'read', width: 160 }),
  },
  states: defineStates({
    field: 'state',
    values: PLATFORM_DIFFERENCE_STATE,
    initial: ['open'],
    moves: {
      resolve: { from: ['open'], to: 'over' },
    },
  }),
  list: {
    columns: ['state', 'foundTime', 'platform', 'shopId', 'name', 'kind', 'ours', 'theirs', 'upc', 'doneTime'],
    sort: '-foundTime',
  },
  indexes: [
    ['shopThere', 'state'],
    ['rowKey', 'state'],
    ['state', 'foundTime', 'id'],
    ['foundTime', 'id'],
  ],
})
