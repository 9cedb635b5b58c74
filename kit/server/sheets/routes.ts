import sql from 'sql-template-tag'
import { startedTaskSchema } from '../../resource/row-schema.ts'
import { f } from '../../resource/f.ts'
import { permissionCodeOf } from '../../resource/define-resource.ts'
import { BACKGROUND_TASKS_LABEL, localize } from '../../base/localized-text.ts'
import { findServedResource } from '../resource/custom-fields.ts'
import { type OneTimeTickets, createOneTimeTickets } from '../security/tickets.ts'
import { defineRefusals, Refused, type CodesOf } from '../base/refused.ts'
import {
  defineModuleJob,
  defineRoute,
  type Call,
  type Route,
  type ModuleJob,
  type ServedResource,
} from '../module/module.ts'
import type { Services } from '../module/services.ts'
import { exportSheetJob, handleExportCall } from './export.ts'
import {
  applyImportTask,
  buildErrorWorkbook,
  runImportJob,
  handleImportCall,
  loadImportTaskRows,
  SHEET_UPLOAD_BYTES_MAX,
} from './import.ts'
import {
  ARCHIVE_FILE,
  taskFileKey,
  deleteTaskFiles,
  requireTaskStillAllowed,
  updateBackgroundTask,
  requireTaskOwner,
  requireTaskOfCaller,
  findTasksOfCaller,
  enqueueBackgroundTask,
  requireTaskDataStillVisible,
  taskToWire,
  type BackgroundTask,
  ZIP,
} from './tasks.ts'
import { handleImportTemplateCall } from './template.ts'
import { attachmentHeaders, downloadResponse, XLSX_CONTENT_TYPE } from './write-sheet.ts'
import { defineQueue } from '../jobs/index.ts'
import { backgroundTaskTopic } from '../../resource/kit-topics.ts'

/** Deletes the files of a task that is gone. */
const fileDeletionQueue = defineQueue<{ tenantId: string; id: string }>('kit.forget')

const refusals = defineRefusals({
  task_not_now: { zh: '任务当前状态不能这样操作', en: 'This is not possible in the current status of the task' },
  sheet_written_meanwhile: {
    status: 409,
    zh: '同一份表格在核对之后已经写入过，请重新上传核对',
    en:
      'This sheet has already been imported since it was checked. Upload it again to check it against ' +
      'the current data.',
  },
  row_broke: { zh: '这一行没有写入，请稍后重试', en: 'This row was not imported. Try again later.' },
  link_spent: {
    zh: '下载链接已失效，请重新下载',
    en: 'This download link has expired. Download again.',
    status: 404,
  },
})

declare module '../base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

const words = (served: ServedResource, zh: string, en: string) => ({
  zh: `${served.resource.label.zh}${zh}`,
  en: `${served.resource.label.en}: ${en}`,
})

/** Whether a resource can be exported (if it has a list) and imported (if people submit rows). */
export const sheetCapabilities = ({ resource, hooks }: ServedResource) => ({
  export: resource.buttons.export && !hooks.without?.includes('list'),
  import: resource.buttons.import && !hooks.without?.includes('submit'),
})

/** Export and import routes of a resource. */
export function sheetRoutes(served: ServedResource): Route[] {
  const { resource } = served
  const has = sheetCapabilities(served)
  return [
    ...(has.export
      ? [
          defineRoute({
            method: 'POST',
            path: `${resource.path}/export`,
            title: words(served, '导出', 'export'),
            can: permissionCodeOf(resource, 'export'),
            documentedInput: { columns: f.text({ label: { zh: '列', en: 'Columns' }, max: 4000 }) },
            answers: startedTaskSchema,
            handle: (call) => handleExportCall(served, call),
          }),
        ]
      : []),
    ...(has.import
      ? [
          defineRoute({
            method: 'GET',
            path: `${resource.path}/import-template`,
            title: words(served, '导入模板', 'import template'),
            can: permissionCodeOf(resource, 'import'),
            tx: false,
            answersAs: { type: XLSX_CONTENT_TYPE },
            handle: (call) => handleImportTemplateCall(served, call),
          }),
          defineRoute({
            method: 'POST',
            path: `${resource.path}/import`,
            title: words(served, '导入', 'import'),
            can: permissionCodeOf(resource, 'import'),
            uploadMaxBytes: SHEET_UPLOAD_BYTES_MAX,
            answers: startedTaskSchema,
            handle: (call) => handleImportCall(served, call),
          }),
        ]
      : []),
  ]
}

const own = { signedIn: "tasks of one's own" } as const
const tickets = new WeakMap<Services, OneTimeTickets>()
const ticketsOf = (services: Services): OneTimeTickets =>
  tickets.get(services) ?? tickets.set(services, createOneTimeTickets(services.shared)).get(services)!
const PURPOSE = 'task file'

const servedOf = (call: Call, task: BackgroundTask): ServedResource => {
  const served = findServedResource(task.resource, call)
  if (!served) throw new Refused('task_gone')
  return served
}

async function ticketFor(call: Call, what: string): Promise<{ ticket: string }> {
  const task = await requireTaskOfCaller(call.db, call.caller, call.query.id)
  // Files that the caller may no longer export are refused as well.
  await requireTaskStillAllowed(call.services, call.caller, servedOf(call, task), task.kind)
  const isReady =
    task.kind !== 'import'
      ? task.state === 'done' && what === 'file'
      : what === 'errors' && ['checked', 'done'].includes(task.state)
  if (!isReady) throw new Refused('task_not_now')
  const { caller } = call
  requireTaskDataStillVisible(task, servedOf(call, task).resource, caller)
  return {
    ticket: await ticketsOf(call.services).issue(PURPOSE, {
      tenantId: caller.tenantId,
      userId: caller.userId,
      id: task.id,
      what,
      lang: call.lang,
    }),
  }
}

/** A small file created within a request and delivered by ticket. */
type MadeFile = { name: string; extension: string; type: string; content: Buffer }

/** Stores a small file under a one-time ticket; an answer with the ticket makes the browser download it. */
export const issueFileTicket = (services: Services, { content, ...file }: MadeFile): Promise<string> =>
  ticketsOf(services).issue(PURPOSE, { ...file, what: MADE, content: content.toString('base64') })

const MADE = 'made'
type Grant = { tenantId: string; userId: string; id: string; what: string; lang: 'zh' | 'en' }

async function download(call: Call): Promise<unknown> {
  const { services } = call
  const given = (await ticketsOf(services).redeem(PURPOSE, call.query.ticket ?? '')) as
    | Grant
    | (Omit<MadeFile, 'content'> & { what: typeof MADE; content: string })
    | undefined
  if (!given) throw new Refused('link_spent')
  if ('extension' in given)
    return call.reply({
      headers: attachmentHeaders(given.name, given.extension, given.type),
      body: Buffer.from(given.content, 'base64'),
    })
  const grant = given
  const { tenantId, userId, lang } = grant
  const as = { ...call, caller: { ...call.caller, tenantId, userId }, lang }
  const task = await services.unit({ tenantId }, (db) => requireTaskOfCaller(db, as.caller, grant.id))
  await services.own?.ready(tenantId)
  // The ticket tells who requested it; whether they still may is checked again.
  requireTaskDataStillVisible(task, servedOf(as, task).resource, await requireTaskOwner(services, task))
  const title = localize(servedOf(as, task).resource.label, lang)
  if (grant.what === 'errors')
    return call.reply(
      downloadResponse(`${title} ${lang === 'zh' ? '错误' : 'errors'}`, await buildErrorWorkbook(as, task)),
    )
  const isArchive = task.kind === 'archive'
  const file = await services.files.get(taskFileKey(task, isArchive ? ARCHIVE_FILE : 'file.xlsx'))
  if (!file) throw new Refused('task_gone')
  const name = `${title} ${task.createTime.slice(0, 16).replace(/[^\d]/g, '')}`
  return call.reply({
    headers: {
      ...(isArchive ? attachmentHeaders(name, 'zip', ZIP) : attachmentHeaders(name)),
      'content-length': String(file.size),
    },
    body: file.stream,
  })
}

const whole = (text: string | undefined, fallback: number, max: number) =>
  Math.min(max, Math.max(1, /^\d{1,6}$/.test(text ?? '') ? Number(text) : fallback))

export const backgroundTaskRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/kit/tasks',
    title: BACKGROUND_TASKS_LABEL,
    can: own,
    handle: async (call) =>
      (await findTasksOfCaller(call.db, call.caller)).map((task) => taskToWire(call.services, task, call.lang)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/kit/tasks/:id',
    title: { zh: '任务', en: 'Task' },
    can: own,
    handle: async (call) =>
      taskToWire(call.services, await requireTaskOfCaller(call.db, call.caller, call.query.id), call.lang),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/kit/tasks/:id/rows',
    title: { zh: '导入明细', en: 'Import rows' },
    can: own,
    handle: async (call) => {
      const task = await requireTaskOfCaller(call.db, call.caller, call.query.id)
      const served = servedOf(call, task)
      await requireTaskStillAllowed(call.services, call.caller, served, task.kind)
      requireTaskDataStillVisible(task, served.resource, call.caller)
      return loadImportTaskRows(call, task, {
        current: whole(call.query.current, 1, 100_000),
        size: whole(call.query.size, 20, 200),
        state: call.query.state,
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/kit/tasks/:id/apply',
    title: { zh: '写入导入数据', en: 'Apply import' },
    can: own,
    handle: async (call) => {
      const task = await requireTaskOfCaller(call.db, call.caller, call.query.id, 'forUpdate')
      await requireTaskStillAllowed(call.services, call.caller, servedOf(call, task), task.kind)
      await applyImportTask(call.db, task)
      await enqueueBackgroundTask(call.db, task)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/kit/tasks/:id/retry',
    title: { zh: '重试任务', en: 'Retry task' },
    can: own,
    handle: async (call) => {
      const task = await requireTaskOfCaller(call.db, call.caller, call.query.id, 'forUpdate')
      if (['done', 'checked'].includes(task.state)) throw new Refused('task_not_now')
      const isApplying = task.result.written !== undefined || (task.kind === 'import' && task.total !== null)
      if (task.state === 'failed')
        await updateBackgroundTask(call.db, task, { state: isApplying ? 'applying' : 'running', problem: null })
      await enqueueBackgroundTask(call.db, task)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/kit/tasks/:id/remove',
    title: { zh: '删除任务', en: 'Delete task' },
    can: own,
    handle: async (call) => {
      const task = await requireTaskOfCaller(call.db, call.caller, call.query.id, 'forUpdate')
      await call.db.run(
        sql`delete from background_task_row where tenant_id = ${task.tenantId} and task_id = ${task.id}`,
      )
      await call.db.run(sql`delete from background_task where tenant_id = ${task.tenantId} and id = ${task.id}`)
      await call.db.enqueue(fileDeletionQueue, { tenantId: task.tenantId, id: task.id })
      call.db.publish(backgroundTaskTopic, { id: task.id }, { userIds: [task.userId] })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/kit/tasks/:id/ticket',
    title: { zh: '下载任务结果', en: 'Download task result' },
    can: own,
    handle: (call) => ticketFor(call, 'file'),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/kit/tasks/:id/errors',
    title: { zh: '下载导入错误', en: 'Download failed rows' },
    can: own,
    handle: (call) => ticketFor(call, 'errors'),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/kit/download/:ticket',
    title: { zh: '下载', en: 'Download' },
    can: { open: 'a ticket worth one use says what is fetched and for whom' },
    tx: false,
    handle: download,
  }),
]

const KEPT_DAYS = 7

export const backgroundTaskJobs: readonly ModuleJob[] = [
  exportSheetJob,
  runImportJob,
  defineModuleJob({
    queue: fileDeletionQueue,
    run: (task, { services }) => deleteTaskFiles(services, task),
  }),
  defineModuleJob({
    queue: defineQueue('kit.purge'),
    cron: '40 3 * * *',
    run: async (_none, { services }) => {
      const old = await services.unit({ crossTenantReason: 'tasks of all tenants grow old' }, async (db) => {
        const rows = await db.query<{ id: string; tenantId: string }>(
          sql`select id::text as id, tenant_id from background_task
            where create_time < now() - make_interval(days => ${KEPT_DAYS})`,
        )
        const ids = rows.map(({ id }) => id)
        await db.run(sql`delete from background_task_row where task_id = any(${ids}::bigint[])`)
        await db.run(sql`delete from background_task where id = any(${ids}::bigint[])`)
        return rows
      })
      for (const task of old) await deleteTaskFiles(services, task)
    },
  }),
]
