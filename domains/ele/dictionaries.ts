import { defineDict } from '#kit/resource/index.ts'

/** Words of the platform's own numbers (open-be.ele.me: shop, order and delivery states). */
export const eleDictionaries = [
  defineDict({
    code: 'ele_sys_status',
    label: { zh: '饿了么审核状态', en: 'Review at Ele' },
    entries: [
      { key: '0', zh: '未申请', en: 'Not applied', colour: 'default' },
      { key: '1', zh: '新增商户', en: 'New', colour: 'processing' },
      { key: '3', zh: '修改待审核', en: 'Change under review', colour: 'processing' },
      { key: '4', zh: '审核未通过', en: 'Refused', colour: 'error' },
      { key: '6', zh: '正常营业', en: 'Approved', colour: 'success' },
      { key: '7', zh: '新增待审核', en: 'Under review', colour: 'processing' },
      { key: '8', zh: '上线驳回', en: 'Going online refused', colour: 'error' },
      { key: '12', zh: '通过品控', en: 'Quality approved', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'ele_business_status',
    label: { zh: '饿了么营业状态', en: 'Open at Ele' },
    entries: [
      { key: '1', zh: '营业', en: 'Open', colour: 'success' },
      { key: '3', zh: '休息中', en: 'Resting', colour: 'warning' },
      { key: '9', zh: '停止营业', en: 'Closed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'ele_order_status',
    label: { zh: '饿了么订单状态', en: 'Ele order' },
    entries: [
      { key: '1', zh: '待确认', en: 'To confirm', colour: 'warning' },
      { key: '5', zh: '已确认', en: 'Confirmed', colour: 'processing' },
      { key: '7', zh: '骑士取餐中', en: 'Rider on the way to the shop', colour: 'processing' },
      { key: '8', zh: '配送中', en: 'On its way', colour: 'processing' },
      { key: '9', zh: '已完成', en: 'Done', colour: 'success' },
      { key: '10', zh: '已取消', en: 'Cancelled', colour: 'default' },
      { key: '15', zh: '已退款', en: 'Refunded', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ele_sku_status',
    label: { zh: '饿了么商品状态', en: 'Goods at Ele' },
    entries: [
      { key: '1', zh: '上架', en: 'On sale', colour: 'success' },
      { key: '0', zh: '下架', en: 'Off sale', colour: 'default' },
    ],
  }),
]
