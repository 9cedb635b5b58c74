import type { Words } from '#kit/resource/words.ts'

/** What a customer's page says, in all its parts. */
export const words = {
  balance: { zh: '余额', en: 'Balance' },
  points: { zh: '积分', en: 'Points' },
  spent: { zh: '累计消费', en: 'Total spent' },
  orders: { zh: '订单', en: 'Orders' },
  seen: { zh: '下面列出您能看到的 {count} 单', en: 'below are the {count} you may see' },
  each: { zh: '平均 ¥{amount}', en: '¥{amount} on average' },
  last: { zh: '最近到店', en: 'Last visit' },
  never: { zh: '还没有来过', en: 'Not yet' },
  until: { zh: '{time} 到期', en: 'until {time}' },
  since: { zh: '注册', en: 'Joined' },
  closed: {
    zh: '这个账户已合并关闭，余额、积分和订单都在：',
    en: 'This account was merged and closed; balance, points and orders are here:',
  },
  more: { zh: '更多', en: 'More' },
  block: { zh: '加入黑名单', en: 'Blacklist' },
  blocked: { zh: '黑名单：{where}', en: 'Blacklisted: {where}' },
  everywhere: { zh: '全部门店', en: 'all shops' },
  merge: { zh: '合并账户', en: 'Merge' },
  histories: { zh: '记录', en: 'Histories' },
  tickets: { zh: '优惠券', en: 'Tickets' },
  visits: { zh: '到店', en: 'Visits' },
  level: { zh: '会员', en: 'Membership' },
  all: { zh: '查看全部', en: 'See all' },
  none: { zh: '没有记录', en: 'Nothing yet' },
} satisfies Record<string, Words>

/** The family of orders, which belongs to a room above. */
export const ORDERS = 'shoppingOrder'

export const isSet = (value: unknown) => !!value && value !== '-1' && value !== -1
