import { shopIdField } from '#domains/shops/shops/index.ts'
import { meituanShopIdField } from './meituan-shop-info.resource.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const meituanShop = (form: 'add' | 'read') => meituanShopIdField({ form })
const shop = () => shopIdField({ form: 'hidden' })

/** A shop's authorisation at the platform: its state and expiry. The tokens are stored encrypted. */
export const meituanTokenInfo = defineResource({
  name: 'meituanTokenInfo',
  path: '/api/meituan/meituanTokenInfo',
  label: { zh: '美团授权', en: 'Meituan authorization', isName: true },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanTokenInfo', icon: 'key', sort: 90 },
  title: 'appPoiCode',
  fields: {
    meituanShopId: meituanShop('read'),
    shopId: shop(),
    appPoiCode: f.text({
      label: { zh: '门店代码', en: 'Store code' },
      max: 128,
      form: 'read',
      search: 'eq',
      width: 150,
    }),
    accessToken: f.text({ label: { zh: '访问令牌', en: 'Access token' }, max: 1000, secret: true, form: 'hidden' }),
    refreshToken: f.text({ label: { zh: '刷新令牌', en: 'Refresh token' }, max: 1000, secret: true, form: 'hidden' }),
    status: f.dict('meituan_token_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    expireTime: f.datetime({
      label: { zh: '访问有效期至', en: 'Access valid until' },
      form: 'read',
      search: 'range',
      width: 160,
    }),
    refreshExpireTime: f.datetime({
      label: { zh: '授权有效期至', en: 'Authorization valid until' },
      form: 'read',
      width: 160,
    }),
    lastError: f.text({ label: { zh: '最近错误', en: 'Last error' }, max: 500, form: 'read', width: 200 }),
  },
  list: {
    columns: ['meituanShopId', 'shopId', 'appPoiCode', 'status', 'expireTime', 'refreshExpireTime', 'lastError'],
    time: false,
    sort: '-createTime',
  },
  unique: [['meituanShopId']],
})

/** State of a product in the platform's review. */
export const meituanGoodsAuditStatus = defineResource({
  name: 'meituanGoodsAuditStatus',
  path: '/api/meituan/meituanGoodsAuditStatus',
  label: { zh: '美团商品审核', en: 'Meituan listing review', isName: true },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanGoodsAuditStatus', icon: 'audit', sort: 40 },
  title: 'name',
  fields: {
    meituanShopId: meituanShop('read'),
    shopId: shop(),
    meituanSkuId: f.ref('meituanSkuInfo', {
      label: { zh: '美团商品', en: 'Meituan listing' },
      labelKey: 'meituanSkuName',
      form: 'read',
      search: 'eq',
      width: 180,
    }),
    appSpuCode: f.text({
      label: { zh: '商品代码', en: 'Product code' },
      max: 128,
      form: 'read',
      search: 'eq',
      width: 150,
    }),
    name: f.text({ label: { zh: '商品名称', en: 'Product name' }, max: 100, form: 'read', search: 'like', width: 180 }),
    auditStatus: f.dict('meituan_goods_audit', {
      label: { zh: '审核状态', en: 'Review status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 110,
    }),
    isSoldOut: f.dict('meituan_sell_status', {
      label: { zh: '上下架', en: 'Listing status' },
      numeric: true,
      form: 'read',
      width: 90,
    }),
    tagId: f.text({
      label: { zh: '平台类目', en: 'Platform category' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 110,
    }),
    reason: f.text({ label: { zh: '驳回原因', en: 'Rejection reason' }, max: 500, form: 'read', width: 220 }),
    auditTime: f.datetime({ label: { zh: '审核时间', en: 'Reviewed' }, form: 'read', search: 'range', width: 160 }),
  },
  list: {
    columns: ['meituanShopId', 'shopId', 'name', 'appSpuCode', 'auditStatus', 'isSoldOut', 'reason', 'auditTime'],
    time: 'auditTime',
    sort: '-createTime',
  },
  unique: [['meituanShopId', 'appSpuCode']],
})
