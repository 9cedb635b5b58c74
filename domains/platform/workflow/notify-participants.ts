import { notifyPerson } from '#domains/shops/shop-events/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { processOutcomeDictionary, type flowInstance } from './flow-instance.resource.ts'
import type { OpenTask } from './machine.ts'
import type { FlowContext } from './process-runtime.ts'

type Instance = RowOf<typeof flowInstance>
/** People notified of a task for a whole role; others find it in their list. */
const NOTIFIED_MAX = 30

const notifyUser = (
  { db, services }: FlowContext,
  userId: string,
  content: { zh: string; en: string },
): Promise<void> => notifyPerson(db, services, { userId, template: 'flow', content })

/**
 * Returns the people who can do a task: its assignee, else the candidates and holders of its roles, up to
 * `NOTIFIED_MAX`.
 */
async function peopleOf({ db }: FlowContext, task: OpenTask): Promise<string[]> {
  if (task.assignee) return [task.assignee]
  const rows = await db.query<{ id: string }>(sql`select u.id::text as id from sys_user u
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0 and coalesce(u.status, 1) = 1
      and (u.id::text = any(${task.users}) or exists (select 1 from sys_role r where r.tenant_id = u.tenant_id
        and r.is_deleted = 0 and r.id = any(u.role_id) and r.role_alias = any(${task.groups})))
    order by u.id limit ${NOTIFIED_MAX}`)
  return rows.map((row) => row.id)
}

/**
 * Notifies the people of new tasks, except who made the step (unless they started the process). Refuses a task that
 * nobody can claim.
 */
export async function notifyAssignees(
  ground: FlowContext,
  { name, startUserId }: Instance,
  tasks: readonly OpenTask[],
  nameOf: ReadonlyMap<string, string>,
): Promise<void> {
  for (const task of tasks) {
    const what = nameOf.get(task.id) ?? task.node
    const people = await peopleOf(ground, task)
    // The task would wait for ever, unnoticed.
    if (!people.length) throw new Refused('flow_nobody_to_claim', { node: what })
    for (const id of people)
      if (id !== ground.db.userId || id === startUserId)
        await notifyUser(ground, id, {
          zh: `${name}：“${what}”等您${task.assignee ? '办理' : '签收'}`,
          en: `${name}: "${what}" waits for you${task.assignee ? '' : ' or a colleague'}`,
        })
  }
}

export async function notifyTaskDue(
  ground: FlowContext,
  { name }: Instance,
  task: OpenTask,
  what: string,
): Promise<void> {
  for (const id of await peopleOf(ground, task))
    await notifyUser(ground, id, { zh: `${name}：“${what}”已到期`, en: `${name}: "${what}" is due` })
}

export async function remindAssignees(
  ground: FlowContext,
  { name }: Instance,
  task: OpenTask,
  what: string,
): Promise<void> {
  for (const id of await peopleOf(ground, task))
    await notifyUser(ground, id, { zh: `催办：${name}“${what}”`, en: `Please decide: ${name}, "${what}"` })
}

export async function notifyCopyRecipients(
  ground: FlowContext,
  { name }: Instance,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await notifyUser(ground, id, { zh: `抄送您：${name}`, en: `For your information: ${name}` })
}

export async function notifyInitiator(
  ground: FlowContext,
  { name, startUserId }: Instance,
  outcome: number,
): Promise<void> {
  const words = processOutcomeDictionary.entries.find((one) => one.key === String(outcome))
  if (startUserId && startUserId !== ground.db.userId && words)
    await notifyUser(ground, startUserId, { zh: `${name}：${words.zh}`, en: `${name}: ${words.en}` })
}
