import { f, reusableField, objectSchema, rowIdSchema } from '#kit/resource/index.ts'
import { moneyMoveSchema } from '#domains/money/payment-channels/index.ts'

const group = { zh: '同步', en: 'Sync' }

/** Sync fields of every row that also exists on a platform. Written by the sync, never typed. */
export const syncFields = {
  syncStatus: f.dict('sync_status', {
    label: { zh: '同步状态', en: 'Sync status' },
    numeric: true,
    default: 0,
    form: 'hidden',
    search: 'eq',
    group,
    width: 110,
  }),
  syncTime: f.datetime({ label: { zh: '同步时间', en: 'Last synced' }, form: 'hidden', group, width: 160 }),
  syncError: f.text({ label: { zh: '同步错误', en: 'Sync error' }, max: 500, form: 'hidden', group, width: 180 }),
}

/** Our product behind a product on a platform. */
export const localGoodIdField = reusableField.ref('goodInfo', {
  label: { zh: '我们的商品', en: 'Our product' },
  labelKey: 'goodName',
  search: 'eq',
  width: 160,
})

/** The platform's own number of goods. */
export const platformSkuIdField = reusableField.text({
  label: { zh: '平台商品编号', en: 'Platform ID' },
  max: 64,
  search: 'eq',
  width: 140,
})

/** Whether the platform's price is computed from ours. */
export const followsPriceField = reusableField.boolean({
  label: { zh: '随我们的售价', en: 'Follow our price' },
  default: true,
  help: {
    zh: '我们改价时，平台售价按门店的平台加价一起改',
    en: 'When our price changes, the platform price changes too, including the platform markup of the store',
  },
})

/** Pieces that may still be sold at the platform: our stock less the shop's buffer. */
export const platformStockField = reusableField.number({
  label: { zh: '平台库存', en: 'Platform stock' },
  min: 0,
  max: 99_999,
  default: 0,
  form: 'hidden',
  width: 90,
})

export const platformMarkupField = reusableField.number({
  label: { zh: '平台加价', en: 'Platform markup' },
  unit: { zh: '百分点', en: 'percentage point|percentage points' },
  min: 0,
  max: 300,
  default: 0,
  help: { zh: '加价后向上取到一角', en: 'Rounded up to the next ¥0.10' },
})

export const stockBufferField = reusableField.number({
  label: { zh: '给到店顾客留', en: 'Reserved for the store' },
  unit: { zh: '件', en: 'piece|pieces' },
  min: 0,
  max: 9_999,
  default: 0,
  help: {
    zh: '每种商品留这么多件不在平台卖',
    en: 'This many pieces of each product are not sold at the platform',
  },
})

export const autoAcceptField = reusableField.boolean({
  label: { zh: '自动接单', en: 'Accept orders automatically' },
  default: true,
  help: {
    zh: '有货就接单；没货请平台取消',
    en: 'Orders in stock are accepted. Otherwise the platform is asked to cancel.',
  },
})

/** Action on an order line: asks the platform to refund some of its pieces. */
export const lineRefundAction = {
  on: 'row',
  label: { zh: '退款', en: 'Refund' },
  answer: moneyMoveSchema,
  icon: 'rollback',
  input: {
    quantity: f.number({ label: { zh: '退几件', en: 'Pieces' }, required: true, min: 1, max: 999, default: 1 }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, required: true, max: 100 }),
  },
  done: {
    zh: '已请平台退款，平台确认后自动记账',
    en: 'Refund requested at the platform. It is recorded once confirmed.',
  },
  danger: true,
} as const

/** Whether the shop's own staff deliver an order. */
export const shopDeliveryField = reusableField.boolean({
  label: { zh: '商家自配送', en: 'Store delivery' },
  default: false,
  form: 'read',
  search: 'eq',
  width: 100,
})

/** When an order's figures were taken from the platform's bill; later reports of the order do not overwrite them. */
export const billedTimeField = reusableField.datetime({
  label: { zh: '按账单入账时间', en: 'Settled as of' },
  form: 'read',
})

const notifiedText = { zh: '已告知平台', en: 'The platform was notified' }

/**
 * Actions that report the delivery of an order to the platform. `packed` are the order states in which goods may be
 * packed, `ridden` those in which they may be under way.
 */
export const createDeliveryActions = (packed: readonly number[], ridden: readonly number[]) =>
  ({
    packed: {
      on: 'row',
      label: { zh: '拣货完成', en: 'Mark as packed' },
      answer: objectSchema({ id: rowIdSchema }),
      icon: 'inbox',
      enabled: { status: { in: packed } },
      done: notifiedText,
    },
    sendOut: {
      on: 'row',
      label: { zh: '已送出', en: 'Mark as dispatched' },
      icon: 'car',
      enabled: { status: { in: ridden }, isOwnDelivery: { eq: 'true' } },
      done: notifiedText,
    },
    arrived: {
      on: 'row',
      label: { zh: '已送达', en: 'Mark as delivered' },
      confirm: {
        zh: '订单 {platformOrderId} 已送到顾客手里？',
        en: 'Mark order {platformOrderId} as delivered to the customer?',
      },
      icon: 'home',
      enabled: { status: { in: ridden }, isOwnDelivery: { eq: 'true' } },
      done: notifiedText,
    },
  }) as const

const opening = { zh: '平台营业', en: 'Open at platform' }

/** Whether a shop should be open at a platform, and why it is paused. The system writes the last three. */
export const platformOpeningFields = {
  opensThere: f.boolean({
    label: { zh: '在平台营业', en: 'Open at platform' },
    default: true,
    group: opening,
    help: {
      zh: '审核通过后自动开店；关掉就在平台休息',
      en: 'Opens automatically after approval. When turned off, the store is paused at the platform.',
    },
  }),
  pausesItself: f.boolean({
    label: { zh: '不安全时自动暂停', en: 'Pause automatically when unsafe' },
    default: true,
    group: opening,
    help: {
      zh: '门、电或库存不安全时自动在平台休息，恢复后自动开店',
      en: 'Pauses at the platform while doors, power or stock are unsafe and reopens automatically',
    },
  }),
  pausedTime: f.datetime({
    label: { zh: '自动暂停于', en: 'Paused' },
    form: 'hidden',
    group: opening,
    width: 160,
  }),
  pausedWhy: f.text({
    label: { zh: '暂停原因', en: 'Pause reason' },
    max: 500,
    form: 'hidden',
    group: opening,
    width: 240,
  }),
  pausedWhyEn: f.text({
    label: { zh: '英文暂停原因', en: 'Pause reason (English)' },
    max: 500,
    form: 'hidden',
    detail: false,
  }),
}

/** Common reasons to refuse a customer's refund at a platform. */
export const refundRefusalReasons = [
  { zh: '商品没有问题', en: 'The products have no defect' },
  { zh: '已送达签收', en: 'Delivered and signed for' },
  { zh: '没有照片证明', en: 'No photo evidence' },
]
