import type { ShelfGood } from '#domains/catalogue/inventory/api.ts'

/** Weights of the hours of the day: peaks at breakfast, lunch and evening, and a few sales at night. */
export const ORDER_HOUR_WEIGHTS = [3, 2, 1, 1, 1, 1, 3, 8, 9, 5, 4, 6, 9, 6, 4, 4, 5, 8, 10, 9, 8, 9, 8, 6]
/** Weights of the weekdays, Sunday first. */
export const ORDER_WEEKDAY_WEIGHTS = [1.15, 0.92, 0.9, 0.95, 1, 1.15, 1.3]

/** Reasons for demo refunds. */
export const DEMO_REFUND_REASONS = ['商品破损', '买错了', '重复付款', '临期不新鲜', '价格与标签不符', '拿错口味']

/** Returns how much a product is wanted at an hour of the day. */
export function goodDemandAt(good: ShelfGood, hour: number): number {
  const { type, pull } = good.story
  if (hour >= 6 && hour < 10 && ['便当饭团', '面包糕点', '牛奶', '酸奶', '咖啡'].includes(type)) return pull * 3
  if (hour >= 11 && hour < 14 && ['便当饭团', '方便面', '茶饮料'].includes(type)) return pull * 2
  if ((hour >= 20 || hour < 3) && ['啤酒', '预调酒', '薯片膨化', '方便面', '肉干', '坚果'].includes(type))
    return pull * 2
  return pull
}
