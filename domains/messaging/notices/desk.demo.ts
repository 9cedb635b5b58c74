import type { Db } from '#kit/server/database/db.ts'
import { notice } from './notice.resource.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'

const NOTICES = [
  {
    daysAgo: 6,
    category: 1,
    title: '冬季营业时间调整',
    content: '<p>自下周一起，各门店夜间无人值守时段调整为 <strong>22:00 至次日 7:00</strong>，请店主核对门禁时间。</p>',
  },
  {
    daysAgo: 2,
    category: 4,
    title: '临期商品处理提醒',
    content:
      '<p>临期七天内的商品请当天下架或打折，报损须填写原因。</p><ul><li>乳品、鲜食每日检查</li><li>零食每周检查</li></ul>',
  },
  {
    daysAgo: 0,
    category: 6,
    title: '本周库存盘点',
    content: '<p>请各店在周日打烊前完成盘点，差异超过 50 元的说明原因。</p>',
  },
]

/** Inserts published notices, so that the users of the demo data have some to read. */
export async function seedNoticesDemo(db: Db, now: Date): Promise<void> {
  for (const { daysAgo, ...words } of NOTICES) {
    const releaseTime = formatShanghaiTime(new Date(now.getTime() - daysAgo * 86_400_000 - 3_600_000))
    await db.insert(notice, { ...words, releaseTime, announcedTime: releaseTime })
  }
}
