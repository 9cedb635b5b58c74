import type { Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { shanghaiText } from '#kit/server/time.ts'
import type { StoryStage } from '#domains/shops/doors.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'

const DAY_MS = 86_400_000

const tasks = [
  {
    name: '货架缺货巡检',
    targetType: 'shelf',
    workflow: 'shelf-check',
    cron: '0 */4 * * *',
    outputs: { missing: ['可口可乐 500ml', '三明治'], level: 2 },
  },
  {
    name: '夜间异常识别',
    targetType: 'camera',
    workflow: 'night-watch',
    cron: '*/30 22-23,0-6 * * *',
    outputs: { people: 1, abnormal: false },
  },
] as const

/** Two tasks in the first shops, with the runs of the last days; one of them failed. */
export async function seed(db: Db, { now, random, shops }: StoryStage): Promise<void> {
  for (const [n, { shopId }] of shops.slice(0, 3).entries()) {
    for (const { outputs, ...task } of tasks) {
      const row = await db.insert(aiTask, {
        ...task,
        shopId,
        enabled: n < 2,
        lastRunTime: shanghaiText(new Date(now.getTime() - 3_600_000 * (n + 1))),
        lastStatus: n === 1 ? 'failed' : 'succeeded',
      })
      for (let run = 0; run < 5; run++) {
        const isFailed = n === 1 && run === 0
        await db.insert(aiTaskLog, {
          taskId: row.id,
          shopId,
          runId: newId(),
          status: isFailed ? 'failed' : 'succeeded',
          startTime: shanghaiText(new Date(now.getTime() - run * DAY_MS - 3_600_000 * (n + 1))),
          seconds: random.int(30, 190) / 10,
          tokens: isFailed ? 0 : random.int(800, 2600),
          outputs: isFailed ? null : outputs,
          error: isFailed ? '画面读取超时' : null,
        })
      }
    }
  }
}
