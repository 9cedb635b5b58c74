import { awaitBatch, sql, type Db } from '#kit/server/database/db.ts'
import { sentencesOf } from '#kit/server/request/envelope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { LocalizedText } from '#kit/resource/index.ts'
import { ProcessFaultCollector } from './faults.ts'
import type { ProcessGraph, ProcessNode } from './graph.ts'

/** Returns the names of a comma list; none for an expression, whose value is not known yet. */
const namesIn = (text: string | undefined): string[] =>
  text && !/[$#][{]/.test(text)
    ? text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean)
    : []
/** Whether a list of people has any entry, name or expression. */
const hasPeople = (text: string | undefined): boolean => !!text?.replace(/[,\s]/g, '')

const peopleOf = ({ assignee, users, escalateTo, copyTo }: ProcessNode): string[] =>
  [assignee, users, escalateTo, copyTo].flatMap(namesIn)

/**
 * Checks the assignees of a process. Refuses tasks without any and with unknown people. Returns warnings for roles
 * nobody holds now, which somebody may by the time it runs.
 */
export async function checkProcessAssignees(db: Db, { nodes }: ProcessGraph): Promise<LocalizedText[]> {
  const tasks = Object.values(nodes).filter(({ type }) => type === 'user')
  const faults = new ProcessFaultCollector()
  for (const { name, assignee, users, groups } of tasks)
    if (![assignee, users, groups].some(hasPeople)) faults.add('flow_task_for_nobody', { node: name })
  const ids = [...new Set(tasks.flatMap(peopleOf))]
  const aliases = [...new Set(tasks.flatMap(({ groups }) => namesIn(groups)))]
  const [people, held] = await awaitBatch([existingUsers(db, ids), aliasesHeld(db, aliases)])
  for (const task of tasks)
    if (peopleOf(task).some((id) => !people.has(id))) faults.add('flow_person_unknown', { node: task.name })
  faults.refuse()
  const hasNoAssignee = ({ assignee, users, groups }: ProcessNode) => {
    const names = namesIn(groups)
    return !hasPeople(assignee) && !hasPeople(users) && names.length > 0 && names.every((one) => !held.has(one))
  }
  return tasks
    .filter(hasNoAssignee)
    .map(({ name, groups }) =>
      sentencesOf(new Refused('flow_roles_empty', { node: name, roles: namesIn(groups).join(', ') })),
    )
}

/** Returns those of the ids that are users of the tenant, enabled or not. */
export async function existingUsers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const rows = await db.query<{ id: string }>(sql`select id::text as id from sys_user
    where tenant_id = ${db.tenantId} and is_deleted = 0 and id::text = any(${ids})`)
  return new Set(rows.map(({ id }) => id))
}

async function aliasesHeld(db: Db, aliases: readonly string[]): Promise<Set<string>> {
  if (!aliases.length) return new Set()
  const rows = await db.query<{ alias: string }>(sql`select distinct r.role_alias as alias from sys_role r
    join sys_user u on u.tenant_id = r.tenant_id and r.id = any(u.role_id) and u.is_deleted = 0
      and coalesce(u.status, 1) = 1
    where r.tenant_id = ${db.tenantId} and r.is_deleted = 0 and r.role_alias = any(${aliases})`)
  return new Set(rows.map(({ alias }) => alias))
}
