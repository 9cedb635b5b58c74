import type { LocalizedText } from '#kit/base/localized-text.ts'

/** What a customer's page says, in all its parts. */
export const words = {
  balance: { zh: '余额', en: 'Balance' },
  points: { zh: '积分', en: 'Points' },
  spent: { zh: '累计消费', en: 'Total spent' },
  orders: { zh: '订单', en: 'Orders' },
  seen: { zh: '下面列出您能看到的 {count} 单', en: 'showing the {count} you can see' },
  each: { zh: '平均 ¥{amount}', en: '¥{amount} on average' },
  last: { zh: '最近到店', en: 'Last visit' },
  never: { zh: '还没有来过', en: 'No visits yet' },
  until: { zh: '{time} 到期', en: 'expires {time}' },
  since: { zh: '注册', en: 'Registered' },
  closed: {
    zh: '这个账户已合并关闭，余额、积分和订单都在：',
    en: 'This account was merged and closed. Its balance, points and orders are here:',
  },
  more: { zh: '更多', en: 'More' },
  block: { zh: '加入黑名单', en: 'Add to blocklist' },
  blocked: { zh: '黑名单：{where}', en: 'Blocklist: {where}' },
  everywhere: { zh: '全部门店', en: 'all stores' },
  merge: { zh: '合并账户', en: 'Merge accounts' },
  histories: { zh: '记录', en: 'Records' },
  tickets: { zh: '优惠券', en: 'Coupons' },
  visits: { zh: '到店', en: 'Visits' },
  level: { zh: '会员', en: 'Membership' },
  all: { zh: '查看全部', en: 'View all' },
  none: { zh: '没有记录', en: 'No records' },
} satisfies Record<string, LocalizedText>

/** Name of the order resource. It belongs to a module that depends on this one, so it cannot be imported here. */
export const ORDER_RESOURCE_NAME = 'shoppingOrder'

export const isReferenceSet = (value: unknown) => !!value && value !== '-1' && value !== -1
