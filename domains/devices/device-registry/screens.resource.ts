import { ALL_SHOPS_LABEL, shopIdsField } from '#domains/shops/shops/index.ts'
import { defineResource, f, enabledField, remarkField, nameField, sortOrderField } from '#kit/resource/index.ts'

/** An image for the registers' customer display. */
export const cashRegisterPic = defineResource({
  name: 'cashRegisterPic',
  path: '/api/shop/cashRegisterPic',
  label: { zh: '客显图片', en: 'Customer-display slide' },
  tenancy: 'tenant',
  scope: { shop: 'shopIds' },
  menu: { under: 'device', path: '/device/cashRegisterPic', icon: 'picture', sort: 20 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 150 }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' }, required: true, width: 100 }),
    position: f.dict('register_pic_position', {
      label: { zh: '位置', en: 'Location' },
      required: true,
      default: 'idle',
      search: 'eq',
      width: 110,
    }),
    shopIds: shopIdsField({
      emptyLabel: ALL_SHOPS_LABEL,
      width: 200,
      help: { zh: '不选表示全部门店', en: 'Leave blank for all stores' },
    }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Start' }, width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'End' }, isEnd: true, width: 160 }),
    sort: sortOrderField({ max: 9999, width: 70 }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: {
    columns: ['picture', 'name', 'position', 'enabled', 'shopIds', 'startTime', 'endTime', 'sort'],
    sort: 'sort',
  },
})
