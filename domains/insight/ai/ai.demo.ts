import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { aiUsage } from './ai-usage.resource.ts'
import { enqueueAiRuns } from './begin-runs.ts'
import { AI_RUN_STATE } from './dictionaries.ts'
import { computeAiCostYuan } from './usage.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Price of a million tokens and budget of a month, in cents. */
const PRICE = 12_00
const BUDGET = 50_00

const tasks = [
  {
    name: '货架缺货巡检',
    targetType: 'shelf',
    workflow: 'shelf-check',
    cron: '0 */4 * * *',
    outcome: 'event',
    threshold: 85,
    prompt: '找出空缺和快卖空的商品',
    about: 'A1',
    found: { type: 'low_stock', said: '三明治 剩余 1', confidence: 91, advice: '请尽快补货' },
  },
  {
    name: '夜间异常识别',
    targetType: 'camera',
    workflow: 'night-watch',
    cron: '*/30 22-23,0-6 * * *',
    onEvents: ['intrusion'],
    outcome: 'none',
    threshold: 80,
    prompt: '有没有人逗留、打斗、烟雾或未关的门',
    about: '货架摄像头',
    found: { type: 'person_loitering', said: '一人在冷柜前停留较久', confidence: 72, advice: '请留意' },
  },
] as const

type DemoAiRun = { db: Db; stage: StorySeedContext; n: number; shopId: string; used: { tokens: number; runs: number } }

/** Seeds two AI tasks in the first shops, with the runs of the last days, their findings and judgements. */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  const used = { tokens: 0, runs: 0 }
  for (const [n, { shopId }] of stage.shops.slice(0, 3).entries())
    for (const one of tasks) await seedTask({ db, stage, n, shopId, used }, one)
  await db.insert(aiUsage, {
    month: formatShanghaiTime(stage.now).slice(0, 7),
    budget: BUDGET,
    ...used,
    cost: Math.ceil((used.tokens * PRICE) / 1_000_000),
    charge: used.tokens * PRICE,
    ended: 0,
  })
}

async function seedTask(demoRun: DemoAiRun, { about, found, ...draft }: (typeof tasks)[number]): Promise<void> {
  const { db, stage, n, shopId } = demoRun
  const at = (run: number) => new Date(stage.now.getTime() - run * DAY_MS - HOUR_MS * (n + 1))
  const task = await db.insert(aiTask, {
    ...draft,
    onEvents: 'onEvents' in draft ? [...draft.onEvents] : null,
    shopId,
    enabled: n < 2,
    lastRunTime: formatShanghaiTime(at(0)),
    lastStatus: n === 1 ? AI_RUN_STATE.failed : AI_RUN_STATE.succeeded,
    failedRuns: n === 1 ? 1 : 0,
    rightCount: 3,
    wrongCount: 1,
  })

  for (let run = 0; run < 5; run++) {
    const isFailed = n === 1 && run === 0
    const tokens = isFailed ? 0 : stage.random.int(800, 2600)
    demoRun.used.tokens += tokens
    demoRun.used.runs += 1
    const log = await db.insert(aiTaskLog, {
      taskId: task.id,
      shopId,
      targetType: draft.targetType,
      targetId: '0',
      targetName: about,
      cause: 'clock',
      runId: newId(),
      status: isFailed ? AI_RUN_STATE.failed : AI_RUN_STATE.succeeded,
      level: isFailed ? null : 'warn',
      summary: isFailed ? null : found.said,
      startTime: formatShanghaiTime(at(run)),
      seconds: stage.random.int(30, 190) / 10,
      steps: isFailed ? 1 : 4,
      tokens,
      price: PRICE,
      cost: computeAiCostYuan(tokens, PRICE),
      error: isFailed ? '画面读取超时' : null,
    })
    if (isFailed) continue
    await db.insert(aiFinding, {
      ...found,
      taskId: task.id,
      logId: log.id,
      shopId,
      targetName: about,
      subject: `${task.id}/${found.type}/0`,
      count: 1,
      firstTime: formatShanghaiTime(at(run)),
      lastTime: formatShanghaiTime(at(run)),
      openKey: run === 0 ? `${shopId}/${draft.targetType}/0/${found.type}/` : null,
      verdict: run === 0 ? 'open' : run === 2 ? 'wrong' : 'right',
      createTime: formatShanghaiTime(at(run)),
    })
  }
}

/** Data of a freshly started simulated Dify: its URL and the keys of its applications. */
type DemoDify = { endpoint: string; apps: readonly { workflow: string; name: string; key: string }[] }

/** Points the demo applications to the simulated Dify and starts one run of each workflow. */
export async function seedDifyApps(db: Db, services: Services, { endpoint, apps }: DemoDify): Promise<void> {
  for (const { workflow, name, key } of apps) {
    const draft = { endpoint, apiKey: secretCipherOf(services).seal(key), mayBeInside: true }
    const [was] = await db.find(aiApp, sql`r.workflow = ${workflow}`)
    if (was) await db.update(aiApp, was.id, draft)
    else await db.insert(aiApp, { ...draft, name, workflow, pricePerMillion: PRICE, enabled: true })
    const [task] = await db.find(
      aiTask,
      sql`r.workflow = ${workflow} and coalesce(r.enabled, true)`,
      sql`order by r.id limit 1`,
    )
    if (task) await enqueueAiRuns(db, task, { cause: 'hand', now: services.now() })
  }
}
