import { sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { flowInstance } from './flow-instance.resource.ts'
import { existingUsers } from './check-people.ts'
import type { FlowContext } from './process-runtime.ts'
import { notifyCopyRecipients } from './notify-participants.ts'

type Act = { key?: string; name?: string; act: string; by: string | null; people?: readonly string[]; comment?: string }

/** Records an action on a task other than signing it, by a person or the timer. */
export async function recordTaskAction({ db, now }: FlowContext, instanceId: string, act: Act): Promise<void> {
  await db.run(sql`insert into flow_act (id, tenant_id, instance_id, key, name, act, user_id, people, comment,
      create_time)
    values (${newId()}, ${db.tenantId}, ${instanceId}, ${act.key ?? ''}, ${act.name ?? ''}, ${act.act}, ${act.by},
      ${[...(act.people ?? [])]}::bigint[], ${act.comment ?? ''}, ${now.toISOString()})`)
}

type Copied = { by: string | null; name: string; comment: string }

/** Sends a copy of an instance to people. Somebody who has one already gets it again as unread, not a second one. */
export async function copyProcessToUsers(
  ground: FlowContext,
  instance: RowOf<typeof flowInstance>,
  userIds: readonly string[],
  { by, name, comment }: Copied,
): Promise<void> {
  const { db, now } = ground
  const people = [...(await existingUsers(db, [...new Set(userIds)]))]
  for (const id of people)
    await db.run(sql`insert into flow_copy (id, tenant_id, instance_id, user_id, by_id, name, comment, create_time)
      values (${newId()}, ${db.tenantId}, ${instance.id}, ${id}, ${by}, ${name}, ${comment}, ${now.toISOString()})
      on conflict (tenant_id, instance_id, user_id) do update set by_id = excluded.by_id, name = excluded.name,
        comment = excluded.comment, read_time = null, create_time = excluded.create_time`)
  await notifyCopyRecipients(ground, instance, people)
}
