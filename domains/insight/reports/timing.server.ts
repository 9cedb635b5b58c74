import { sql, type Db } from '#kit/server/database/db.ts'
import { nextRun } from '#kit/server/jobs/schedule.ts'
import { findSavedView } from '#kit/server/lists/views.ts'
import { defineRefusals, Refused, type CodesOf } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { reportSent } from './report-sent.resource.ts'
import { reportTiming } from './report-timing.resource.ts'

const refusals = defineRefusals({
  report_subject: { zh: '请选择一个报表或列表视图', en: 'Select a report or list view' },
  report_view_gone: {
    zh: '列表视图不存在，或没有共享给您',
    en: 'The list view does not exist or is not shared with you',
  },
  report_timings_own: {
    zh: '每人最多启用 {max} 个定时报表，请先停用或删除一些',
    en: 'Each person can have up to {max} active scheduled {max|report|reports}. Deactivate or delete some first.',
  },
  report_timings_all: {
    zh: '最多启用 {max} 个定时报表，请先停用或删除一些',
    en: 'Up to {max} scheduled {max|report|reports} can be active. Deactivate or delete some first.',
  },
  report_too_often: {
    zh: '两次之间至少间隔 {minutes} 分钟',
    en: 'The interval must be at least {minutes} {minutes|minute|minutes}',
  },
})

declare module '#kit/server/base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

export const reportSendQueue = defineQueue<{ id: string }>('report.send', { maxAttempts: 5 })
const MINUTES_MIN = 10

/** Returns the next time of a schedule; refuses invalid ones and those below the minimum interval. */
function nextOf(cron: string, now: Date): Date {
  try {
    const next = nextRun(cron, now)
    const after = nextRun(cron, next)
    if (after.getTime() - next.getTime() < MINUTES_MIN * 60_000)
      throw new Refused('report_too_often', { minutes: MINUTES_MIN })
    return next
  } catch (error) {
    throw error instanceof Refused ? error : invalidFieldRefusal(reportTiming, 'cron', 'bad_format')
  }
}

/** Maximum enabled schedules of a person and of a tenant. */
const [OWN_MAX, ALL_MAX] = [20, 200]

/** Refuses to enable another schedule above the maximum; disabled ones do not count. */
async function requireFew({ db, caller }: Pick<Call, 'db' | 'caller'>, was?: { id: string; createUser?: unknown }) {
  await db.advisoryLock('timed reports')
  const userId = String(was?.createUser ?? caller.userId)
  const others = await db.one<{ own: number; all: number }>(sql`
    select count(*)::int as all, (count(*) filter (where create_user = ${userId}))::int as own from report_timing
    where tenant_id = ${db.tenantId} and is_deleted = 0 and enabled and id <> ${was?.id ?? '0'}`)
  if (others!.own >= OWN_MAX) throw new Refused('report_timings_own', { max: OWN_MAX })
  if (others!.all >= ALL_MAX) throw new Refused('report_timings_all', { max: ALL_MAX })
}

/** SQL condition: people limited to shops see their own schedules, others all of the tenant. */
const own = ({ caller }: Pick<Call, 'caller'>) =>
  caller.limits.shop ? sql` and r.create_user = ${caller.userId || '0'}` : sql``

export const reportTimingServer = serve(reportTiming, {
  where: own,
  beforeSave: async (draft, was, call) => {
    const { reportId, viewId, kind, cron, enabled } = { ...was, ...draft }
    if (enabled) await requireFew(call, was)
    if (!reportId === !viewId) throw new Refused('report_subject')
    if (kind === (reportId ? 'alarm' : 'page')) throw invalidFieldRefusal(reportTiming, 'kind', 'not_a_choice')
    if (viewId && draft.viewId !== undefined) {
      const view = await findSavedView(call, viewId)
      if (!view) throw new Refused('report_view_gone')
      draft.viewName = view.name
    }
    if (draft.cron !== undefined || draft.enabled)
      draft.nextTime = formatShanghaiTime(nextOf(cron!, call.services.now()))
  },
})

export const reportSentServer = serve(reportSent, {
  where: ({ caller }) => (caller.isAdmin ? sql`` : sql` and r.user_id = ${caller.userId || '0'}`),
  present: (wire, rows, { lang }) => {
    for (const [at, row] of rows.entries()) if (lang === 'en' && row.reasonEn) wire[at]!.reason = row.reasonEn
  },
})

type Due = { id: string; tenantId: string; due: string }

/**
 * Queues the deliveries of a due schedule and sets its next time, in one transaction. Returns the number of deliveries.
 */
async function fire(db: Db, services: Services, { id, due }: Due): Promise<number> {
  const timing = await db.get(reportTiming, id, 'forUpdate')
  // Another process has done it, or it was stopped meanwhile.
  if (!timing?.enabled || timing.nextTime !== due) return 0
  for (const userId of timing.userIds) {
    const sent = { name: timing.name, timingId: id, userId, kind: timing.kind, dueTime: due, state: 'asked' }
    const row = await db.insert(reportSent, { ...sent, onceKey: `${id}/${due}/${userId}` })
    await db.enqueue(reportSendQueue, { id: row.id }, { key: row.id })
  }
  await db.update(reportTiming, id, { nextTime: formatShanghaiTime(nextRun(timing.cron, services.now())) })
  return timing.userIds.length
}

/**
 * Queues all due reports, each once even if several processes run this. Takes turns among tenants. Returns the number
 * of deliveries.
 */
export async function enqueueDueReports(services: Services): Promise<number> {
  const now = formatShanghaiTime(services.now())
  const due = await services.unit({ crossTenantReason: 'timed reports of all tenants that are due' }, (db) =>
    db.query<Due>(sql`select id, tenant_id, to_char(next_time, 'YYYY-MM-DD HH24:MI:SS') as due from report_timing
      where is_deleted = 0 and enabled and next_time <= ${now}
      order by row_number() over (partition by tenant_id order by next_time, id), next_time, id limit 500`),
  )
  let enqueued = 0
  for (const one of due) enqueued += await services.unit({ tenantId: one.tenantId }, (db) => fire(db, services, one))
  return enqueued
}

export const enqueueDueReportsJob = defineModuleJob({
  queue: defineQueue('report.clock'),
  cron: '* * * * *',
  concurrency: 1,
  run: async (_payload, { services }) => void (await enqueueDueReports(services)),
})
