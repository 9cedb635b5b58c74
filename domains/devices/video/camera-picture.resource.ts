import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** Resources a picture can be kept for, by the value of `refType`. */
export const resourceNameByMomentKind = {
  visit: 'customerVisitLog',
  door: 'doorControlLog',
  order: 'shoppingOrder',
  event: 'event',
  count: 'stocktake',
} as const

/** A camera picture that is kept with an event or record. It outlasts the recordings. */
export const cameraPicture = defineResource({
  name: 'cameraPicture',
  path: '/api/shop/cameraPicture',
  label: { zh: '抓拍图片', en: 'Saved snapshot' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  scope: { shop: 'shopId' },
  retentionDays: 30,
  menu: { under: 'device', path: '/device/cameraPicture', icon: 'picture', sort: 8 },
  title: 'takenTime',
  fields: {
    takenTime: f.datetime({ label: { zh: '拍摄时间', en: 'Captured' }, required: true, search: 'range', width: 160 }),
    cameraId: f.ref('camera', {
      label: { zh: '摄像头', en: 'Camera' },
      labelKey: 'cameraName',
      search: 'eq',
      onRemoval: 'keep',
      width: 150,
    }),
    shopId: shopIdField(),
    refType: f.dict('moment_kind', { label: { zh: '事由', en: 'Reason' }, search: 'eq', width: 110 }),
    refId: f.ref('', {
      by: 'refType',
      resourceByValue: resourceNameByMomentKind,
      label: { zh: '对应记录', en: 'Related record' },
      onRemoval: 'keep',
      width: 170,
    }),
    picture: f.picture({ label: { zh: '画面', en: 'Video' }, width: 90 }),
    userId: f.ref('user', { label: { zh: '留存人', en: 'Saved by' }, labelKey: 'userName', width: 110 }),
  },
  list: { columns: ['takenTime', 'picture', 'cameraId', 'shopId', 'refType', 'refId', 'userId'], sort: '-takenTime' },
  buttons: { import: false },
  indexes: [['refType', 'refId']],
})
