import { defineDict } from '#kit/resource/index.ts'

/** A campaign: 0 draft → 1 published → 2 ended by itself / 3 stopped by somebody. */
export const CAMPAIGN_STATE = { draft: 0, published: 1, ended: 2, stopped: 3 } as const

/** A ticket in a customer's hand: 0 unused → 1 locked by a quote → 2 used / 3 expired; 0 → 4 taken back. */
export const COUPON_STATE = { unused: 0, locked: 1, used: 2, expired: 3, takenBack: 4 } as const

export const marketingDictionaries = [
  defineDict({
    code: 'discount_type',
    label: { zh: '活动类型', en: 'Promotion type' },
    entries: [
      { key: 'fullReduction', zh: '满减', en: 'Spend and save', colour: 'geekblue' },
      { key: 'percentage', zh: '打折', en: 'Percentage off', colour: 'geekblue' },
      { key: 'fixedPrice', zh: '特价', en: 'Fixed price', colour: 'geekblue' },
      { key: 'nthPiece', zh: '第 N 件优惠', en: 'Nth item', colour: 'geekblue' },
      { key: 'bundle', zh: '组合价', en: 'Bundle', colour: 'geekblue' },
    ],
  }),
  defineDict({
    code: 'discount_status',
    label: { zh: '活动状态', en: 'Promotion status' },
    entries: [
      { key: '0', zh: '草稿', en: 'Draft', colour: 'default' },
      { key: '1', zh: '已发布', en: 'Published', colour: 'success' },
      { key: '2', zh: '已结束', en: 'Ended', colour: 'default' },
      { key: '3', zh: '已停止', en: 'Stopped', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ticket_type',
    label: { zh: '优惠券类型', en: 'Coupon type' },
    entries: [
      { key: 'amount', zh: '代金券', en: 'Cash coupon', colour: 'geekblue' },
      { key: 'rate', zh: '折扣券', en: 'Percentage coupon', colour: 'purple' },
    ],
  }),
  defineDict({
    code: 'customer_ticket_status',
    label: { zh: '顾客优惠券状态', en: 'Customer coupon status' },
    entries: [
      { key: '0', zh: '未使用', en: 'Unused', colour: 'success' },
      { key: '1', zh: '已锁定', en: 'Locked', colour: 'warning' },
      { key: '2', zh: '已使用', en: 'Used', colour: 'processing' },
      { key: '3', zh: '已过期', en: 'Expired', colour: 'default' },
      { key: '4', zh: '已收回', en: 'Revoked', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ticket_source',
    label: { zh: '优惠券来源', en: 'Coupon source' },
    entries: [
      { key: 'office', zh: '后台发放', en: 'Issued by back office' },
      { key: 'level', zh: '会员等级发放', en: 'Issued to tier' },
      { key: 'recharge', zh: '充值赠送', en: 'Top-up bonus' },
      { key: 'received', zh: '顾客领取', en: 'Claimed by customer' },
    ],
  }),
  defineDict({
    code: 'banner_position',
    label: { zh: '轮播图位置', en: 'Banner position' },
    entries: [
      { key: 'home', zh: '小程序首页', en: 'Mini program home' },
      { key: 'goods', zh: '商品分类页', en: 'Category page' },
      { key: 'member', zh: '会员中心', en: 'Member center' },
      { key: 'pay', zh: '支付完成页', en: 'Payment complete page' },
    ],
  }),
  defineDict({
    code: 'advert_screen',
    label: { zh: '广告屏幕', en: 'Ad screen' },
    entries: [
      { key: 'register', zh: '收银机屏', en: 'Register screen', colour: 'geekblue' },
      { key: 'door', zh: '门口屏', en: 'Door screen', colour: 'purple' },
      { key: 'app', zh: '小程序', en: 'Mini program', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'advert_type',
    label: { zh: '广告类型', en: 'Ad type' },
    entries: [
      { key: 'picture', zh: '图片', en: 'Image' },
      { key: 'video', zh: '视频', en: 'Video' },
    ],
  }),
  defineDict({
    code: 'marketing_channel',
    label: { zh: '投放渠道', en: 'Channel' },
    entries: [
      { key: 'mini', zh: '小程序', en: 'Mini program' },
      { key: 'official', zh: '公众号', en: 'Official account' },
      { key: 'moments', zh: '社群朋友圈', en: 'Groups & Moments' },
      { key: 'shop', zh: '门店物料', en: 'In-store material' },
    ],
  }),
]
