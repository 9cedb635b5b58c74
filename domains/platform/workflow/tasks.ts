import { findUserNames } from '#domains/platform/identity/api.ts'
import type { Lang } from '#kit/resource/index.ts'
import { empty, sql, type Sql } from '#kit/server/database/db.ts'
import { containsTextSql, parsePageRequest } from '#kit/server/query/filters.ts'
import { pageEnvelope, type ListPage } from '#kit/server/resource/list-of.ts'
import type { Call } from '#kit/server/module/module.ts'
import { flowChange } from './flow-change.resource.ts'
import { processCategoryLabel } from './flow-fields.ts'

type TaskListRow = {
  id: string
  node: string
  name: string
  state: string
  assignee: string | null
  comment: string
  isPassed: boolean | null
  claimTime: string | null
  createTime: string
  endTime: string | null
  dueTime: string | null
  instanceId: string
  instanceName: string
  processKey: string
  processId: string
  processVersion: number
  category: string
  businessTable: string | null
  businessId: string | null
  isEnded: boolean
  outcome: number | null
  owner: string | null
  changeState: number | null
  changeWhy: string | null
  changeWhyEn: string | null
}

const OF_INSTANCE = sql`i.id::text as instance_id, i.name as instance_name, i.process_definition_key as process_key,
  i.process_definition_id::text as process_id, i.process_version, i.category, i.business_table,
  i.business_id::text as business_id, i.end_time is not null as is_ended, i.outcome, c.state as change_state,
  c.outcome as change_why, c.outcome_en as change_why_en`
/** SQL join: the change request an instance decides on (alias `c`). */
const CHANGED = sql`left join flow_change c on c.tenant_id = i.tenant_id and c.id = i.business_id
  and i.business_table = ${flowChange.table}`
const TASKS = sql`select t.id::text as id, t.node, t.name, t.state, t.assignee::text as assignee, t.comment,
  t.is_passed, t.claim_time, t.create_time, t.end_time, t.due_time, t.owner::text as owner, ${OF_INSTANCE}
  from flow_task t join flow_instance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
  ${CHANGED}`
/** SQL: instances in the form of tasks, for the list of processes somebody started. */
const SENT = sql`select i.id::text as id, '' as node, i.name, 'sent' as state, null::text as assignee, '' as comment,
  null::boolean as is_passed, null::timestamptz as claim_time, i.start_time as create_time, i.end_time,
  null::timestamptz as due_time, null::text as owner, ${OF_INSTANCE} from flow_instance i ${CHANGED}`
/** SQL: copies in the form of tasks. */
const COPIES = sql`select k.id::text as id, '' as node, k.name,
  case when k.read_time is null then 'unread' else 'read' end as state,
  k.by_id::text as assignee, k.comment, null::boolean as is_passed, null::timestamptz as claim_time, k.create_time,
  k.read_time as end_time, null::timestamptz as due_time, null::text as owner, ${OF_INSTANCE}
  from flow_copy k join flow_instance i on i.tenant_id = k.tenant_id and i.id = k.instance_id ${CHANGED}`

const WAITING = 'todo'
const STATUS_BY_STATE: Record<string, string> = {
  open: WAITING,
  done: 'finish',
  dropped: 'finish',
  sent: 'finish',
  read: 'read',
  unread: 'unread',
}

/** Converts tasks to the protocol of older clients (wire contract §20.1, BladeFlow). */
async function shown(call: Call, rows: readonly TaskListRow[]): Promise<Record<string, unknown>[]> {
  const { db, lang, services } = call
  await services.labels.ready(db.tenantId)
  const names = await findUserNames(
    db,
    rows.flatMap((row) => [row.assignee ?? [], row.owner ?? []].flat()),
  )
  return rows.map((row) => ({
    taskId: row.id,
    taskName: row.name,
    taskDefinitionKey: row.node,
    ...peopleIn(row, names),
    outcome: row.outcome ?? 0,
    category: row.category,
    categoryName: processCategoryLabel(services.labels, db.tenantId, row.category, lang),
    ...timesIn(row),
    executionId: row.instanceId,
    processInstanceId: row.instanceId,
    historyProcessInstanceId: row.instanceId,
    processDefinitionId: row.processId,
    processDefinitionKey: row.processKey,
    processDefinitionName: row.instanceName,
    processDefinitionVersion: row.processVersion,
    processIsFinished: row.isEnded ? 'finished' : 'unfinished',
    businessTable: row.businessTable ?? '',
    businessId: row.businessId ?? '',
    status: row.state === 'open' && !row.assignee ? 'claim' : STATUS_BY_STATE[row.state],
    comment: row.comment,
    pass: row.isPassed ?? false,
    ...changeIn(row, lang),
  }))
}

const peopleIn = ({ assignee, owner }: TaskListRow, names: ReadonlyMap<string, string>) => ({
  assignee: assignee ?? '',
  assigneeName: names.get(assignee ?? '') ?? '',
  owner: owner ?? '',
  ownerName: names.get(owner ?? '') ?? '',
})

const timesIn = ({ createTime, endTime, claimTime, dueTime }: TaskListRow) => ({
  createTime,
  endTime: endTime ?? '',
  claimTime: claimTime ?? '',
  dueTime: dueTime ?? '',
  historyTaskEndTime: endTime ?? '',
})

/** Returns state and reason of the change request; state -1 without one. */
const changeIn = ({ changeState, changeWhy, changeWhyEn }: TaskListRow, lang: Lang) => ({
  changeState: changeState ?? -1,
  changeWhy: (lang === 'en' && changeWhyEn) || changeWhy || '',
})

/** SQL condition of the filters common to all task lists. */
const filterSql = ({ query }: Call): Sql =>
  sql`${query.category ? sql` and i.category = ${query.category}` : empty}${
    query.processDefinitionName ? sql` and ${containsTextSql(sql`i.name`, query.processDefinitionName)}` : empty
  }`

const candidate = ({ caller }: Call): Sql => sql`t.tenant_id = ${caller.tenantId} and i.tenant_id = ${caller.tenantId}
  and t.state = 'open' and t.assignee is null
  and (t.users && ${[caller.userId]}::text[] or t.groups && ${[...caller.roleAliases]}::text[])`
const mine = ({ caller }: Call, state: string): Sql => sql`t.tenant_id = ${caller.tenantId}
  and i.tenant_id = ${caller.tenantId} and t.assignee = ${caller.userId} and t.state = ${state}`

/** Maximum number of open tasks, all returned as one page (wire contract §20.2). */
const WAITING_MAX = 1000

async function whole(call: Call, where: Sql): Promise<ListPage> {
  const rows = await call.db.query<TaskListRow>(
    sql`${TASKS} where ${where}${filterSql(call)} order by t.create_time desc, t.id desc limit ${WAITING_MAX}`,
  )
  return pageEnvelope(await shown(call, rows), rows.length, { current: 1, size: Math.max(rows.length, 1) })
}

async function paged(call: Call, select: Sql, where: Sql, order: Sql): Promise<ListPage> {
  const page = parsePageRequest(call.query)
  const rows = await call.db.query<TaskListRow & { total: number }>(
    sql`select q.*, (count(*) over ())::int as total from (${select} where ${where}${filterSql(call)}) q
      order by ${order} limit ${page.size} offset ${(page.current - 1) * page.size}`,
  )
  return pageEnvelope(await shown(call, rows), rows[0]?.total ?? 0, page)
}

export const listClaimableTasks = (call: Call): Promise<ListPage> => whole(call, candidate(call))
export const listOpenTasks = (call: Call): Promise<ListPage> => whole(call, mine(call, 'open'))
export const listDoneTasks = (call: Call): Promise<ListPage> =>
  paged(call, TASKS, mine(call, 'done'), sql`q.end_time desc, q.id desc`)
export const listStartedProcesses = (call: Call): Promise<ListPage> =>
  paged(
    call,
    SENT,
    sql`i.tenant_id = ${call.caller.tenantId} and i.start_user_id = ${call.caller.userId}`,
    sql`q.create_time desc, q.id desc`,
  )
export const listCopiedProcesses = (call: Call): Promise<ListPage> =>
  paged(
    call,
    COPIES,
    sql`k.tenant_id = ${call.caller.tenantId} and i.tenant_id = ${call.caller.tenantId}
      and k.user_id = ${call.caller.userId}`,
    sql`q.create_time desc, q.id desc`,
  )
