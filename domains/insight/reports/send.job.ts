import { notifyPerson } from '#domains/shops/shop-events/api.ts'
import type { RowOf, LocalizedText } from '#kit/resource/index.ts'
import { fillLocalizedText, BACKGROUND_TASKS_LABEL } from '#kit/base/localized-text.ts'
import { MANAGEMENT_TENANT, hasPermission, type Caller } from '#kit/server/base/caller.ts'
import { accessSnapshotOf } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { findSavedView } from '#kit/server/lists/views.ts'
import { sentencesOf } from '#kit/server/request/envelope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { handleListCall, type ListPage } from '#kit/server/resource/list-of.ts'
import { requireListPermission } from '#kit/server/resource/may-list.ts'
import { defineModuleJob, HttpReply, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { handleExportCall } from '#kit/server/sheets/export.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { parseReportQuery } from '#kit/server/reports/plan.ts'
import { requireReportableResource } from './reportable-resources.ts'
import { runRequestedReport, requireExportPermission } from './report.server.ts'
import { reportSent } from './report-sent.resource.ts'
import { reportTiming } from './report-timing.resource.ts'
import { reportView } from './report-view.resource.ts'
import { visibleReportsSql } from './report-view.server.ts'
import { reportSendQueue } from './timing.server.ts'

type SentReport = RowOf<typeof reportSent>
type Timing = RowOf<typeof reportTiming>
/** Result of a delivery step: changes of the row, the notification, and whether another step is needed. */
type Outcome = { patch: Partial<SentReport>; notice?: LocalizedText; again?: boolean }

const NOT_SENT = {
  gone: { zh: '接收人的账号已停用', en: 'The account of the recipient is inactive' },
  stopped: { zh: '定时报表已停用', en: 'The scheduled report is inactive' },
  rights: { zh: '接收人已无权查看', en: 'The recipient no longer has permission to view it' },
} satisfies Record<string, LocalizedText>
const RETRY_MS = 5000

/** Returns the recipient with their present rights; undefined if the account is inactive. */
async function readerOf(services: Services, db: Db, userId: string): Promise<Caller | undefined> {
  const person = await db.one<{ roleIds: string[] | null; deptIds: string[] | null }>(
    sql`select role_id::text[] as role_ids, dept_id::text[] as dept_ids from sys_user
      where tenant_id = ${db.tenantId} and id = ${userId} and is_deleted = 0 and coalesce(status, 1) = 1`,
  )
  if (!person) return undefined
  return services.access.again({
    ...anonymousCaller,
    tenantId: db.tenantId,
    userId,
    roleIds: person.roleIds ?? [],
    deptIds: person.deptIds ?? [],
  })
}

/** A call in the recipient's name, so that they get only what they could request themselves. */
const callAs = (services: Services, db: Db, caller: Caller, query: Record<string, string> = {}): Call => ({
  caller,
  lang: 'zh',
  db,
  input: {},
  body: undefined,
  query,
  services,
  reply: (answer) => new HttpReply(answer),
  request: { ip: '', userAgent: '', method: 'GET', url: '', headers: {}, traceId: '' },
})

async function sendReport(call: Call, sent: SentReport, timing: Timing): Promise<Outcome> {
  const { db, caller } = call
  const view = await db.one<{ question: unknown }>(
    sql`select r.question from report_view r where r.id = ${timing.reportId} and r.is_deleted = 0
      and r.tenant_id in (${db.tenantId}, ${MANAGEMENT_TENANT})${visibleReportsSql(call)}`,
  )
  if (!view) throw new Refused('forbidden')
  const question = parseReportQuery(view.question)
  const served = requireReportableResource(call, question.family)
  if (sent.kind === 'workbook') await requireExportPermission(call, served)
  const answer = await runRequestedReport(call, question)
  const reach = accessSnapshotOf(served.resource, caller)
  const notice = {
    zh: `报表“${sent.name}”已送达，可在“收到的报表”中查看`,
    en: `"${sent.name}" is under "Report received"`,
  }
  return { patch: { family: question.family, reach, found: answer.rows.length, content: answer }, notice }
}

/**
 * Counts the rows of a saved view for its recipient; notifies only when the number has risen above the threshold since
 * the last time.
 */
async function sendAlarm(call: Call, sent: SentReport, timing: Timing): Promise<Outcome> {
  const view = await findSavedView(call, timing.viewId!)
  if (!view) throw new Refused('forbidden')
  const { served, filters, name } = view
  await requireListPermission(call, served)
  const page = (await handleListCall(served, { ...call, query: { ...filters, current: '1', size: '1' } })) as ListPage
  const found = Array.isArray(page) ? page.length : page.total
  const patch = { family: served.resource.name, query: filters, found }
  const before = await call.db.one<{ found: number }>(
    sql`select found from report_sent where tenant_id = ${call.db.tenantId} and timing_id = ${timing.id}
      and user_id = ${sent.userId} and id <> ${sent.id} and found is not null
      order by create_time desc, id desc limit 1`,
  )
  const limit = timing.threshold ?? 0
  if (found <= limit || (before && before.found > limit)) return { patch: { ...patch, state: 'quiet' } }
  return {
    patch,
    notice: fillLocalizedText(
      {
        zh: '{name}：{found} 条，超过 {limit} 条',
        en: '{name}: {found} {found|record|records}, above the limit of {limit}',
      },
      { name, found, limit },
    ),
  }
}

/** Exports the rows of a saved view as a workbook: starts a background task of the recipient, then waits for it. */
async function sendList(call: Call, sent: SentReport, timing: Timing): Promise<Outcome> {
  const view = await findSavedView(call, timing.viewId!)
  if (!view) throw new Refused('forbidden')
  const { served, filters, columns } = view
  const patch = { family: served.resource.name, query: filters }
  await requireExportPermission(call, served)
  if (!sent.taskId) {
    const { id } = await handleExportCall(served, { ...call, query: filters, body: { columns: columns.join(',') } })
    return { patch: { ...patch, taskId: id, state: 'making' }, again: true }
  }
  const task = await call.db.one<{ state: string; done: number }>(
    sql`select state, done from background_task where tenant_id = ${call.db.tenantId} and id = ${sent.taskId}`,
  )
  if (!task || task.state === 'failed') throw new Refused('task_gone')
  if (task.state !== 'done') return { patch: {}, again: true }
  const notice = {
    zh: `“${sent.name}”的表格已生成，可在“${BACKGROUND_TASKS_LABEL.zh}”中下载`,
    en: `"${sent.name}": the workbook is under "${BACKGROUND_TASKS_LABEL.en}"`,
  }
  return { patch: { ...patch, found: task.done }, notice }
}

/**
 * Takes a report delivery one step further in the caller's transaction, so that the notification is sent exactly when
 * the row says so.
 */
async function step(db: Db, services: Services, id: string): Promise<void> {
  const sent = await db.get(reportSent, id, 'forUpdate')
  if (!sent || !['asked', 'making'].includes(sent.state ?? '')) return
  const close = (patch: Partial<SentReport>) =>
    db.update(reportSent, id, { sendTime: formatShanghaiTime(services.now()), ...patch })
  const drop = async ({ zh, en }: LocalizedText) =>
    void (await close({ state: 'dropped', reason: zh.slice(0, 200), reasonEn: en.slice(0, 200) }))
  const timing = await db.get(reportTiming, sent.timingId ?? '0')
  if (!timing) return drop(NOT_SENT.stopped)
  const caller = await readerOf(services, db, sent.userId!)
  if (!caller) return drop(NOT_SENT.gone)
  const call = callAs(services, db, caller)
  try {
    const { patch, notice, again } = await db.savepoint(() => {
      if (timing.reportId && !hasPermission(caller, reportView.code)) throw new Refused('forbidden')
      return timing.reportId
        ? sendReport(call, sent, timing)
        : sent.kind === 'alarm'
          ? sendAlarm(call, sent, timing)
          : sendList(call, sent, timing)
    })
    if (again) {
      await db.update(reportSent, id, patch)
      const runAt = new Date(services.now().getTime() + RETRY_MS)
      return await db.enqueue(reportSendQueue, { id }, { key: `${id}/${runAt.getTime()}`, runAt })
    }
    await close({ state: 'sent', ...patch })
    if (notice)
      await notifyPerson(db, services, {
        userId: caller.userId,
        template: 'report',
        content: notice,
        key: `report/${id}`,
      })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const isRight = ['forbidden', 'report_unknown', 'filter_hidden', 'report_view_gone'].includes(error.code)
    await drop(isRight ? NOT_SENT.rights : sentencesOf(error))
  }
}

/** Delivers one report to one person, with their present rights. An interrupted run is repeated as a whole. */
export const sendReportJob = defineModuleJob({
  queue: reportSendQueue,
  concurrency: 2,
  // A delivery may take as long as a query: many of one tenant must not delay those of others.
  fairByTenant: true,
  timeoutSeconds: 120,
  run: async ({ id }, { tenantId, services }) => {
    await services.own?.ready(tenantId)
    await services.unit({ tenantId }, (db) => step(db, services, id))
  },
})
