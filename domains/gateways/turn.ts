import { sql, type Db } from '#kit/server/database/db.ts'
import { selectList } from '#kit/server/database/rows.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { commandOf, FROM, OPEN, type Command, type CommandState } from './command.ts'
import { deviceCommand } from './device-command.resource.ts'

/** What is known of a command's new state. */
type News = {
  code?: number | null
  message?: string | null
  result?: unknown
  /** A sensor, a start or a version said so too. */
  isSeen?: boolean
}

/** Not carried out, whatever a sensor showed meanwhile. */
const UNDONE: readonly CommandState[] = ['refused', 'expired', 'canceled']
const isOpen = (state: CommandState) => OPEN.includes(state)

/** When a command in this state has to be looked at next. */
function dueOf(command: Command, state: CommandState, now: Date): Date | undefined {
  const declared = commandOf(command.method!)
  if (!isOpen(state) || !declared) return undefined
  return new Date(now.getTime() + (state === 'taken' ? declared.doneMs : declared.takenMs))
}

/**
 * Moves a command on, once: from states it may come from, in one statement, whoever says so first. What is late or said
 * twice changes nothing. Answers the command as it is now, or undefined when it was past that.
 */
export async function turn(
  db: Db,
  services: Services,
  id: string,
  state: Exclude<CommandState, 'asked'>,
  news: News = {},
): Promise<Command | undefined> {
  const now = services.now()
  const at = now.toISOString()
  const { code = null, message = null, result, isSeen } = news
  const command = await db.one<Command>(sql`update device_command r set state = ${state},
      code = coalesce(${code}::int, r.code), message = coalesce(${message}, r.message),
      result = coalesce(${result === undefined ? null : JSON.stringify(result)}::jsonb, r.result),
      sent_time = case when ${state} = 'sent' then ${at}::timestamptz else r.sent_time end,
      tries = r.tries + case when ${state} = 'sent' then 1 else 0 end,
      taken_time = case when ${state} = 'taken' then ${at}::timestamptz else r.taken_time end,
      end_time = case when ${!isOpen(state)} then ${at}::timestamptz else r.end_time end,
      seen_time = case when ${isSeen === true} then ${at}::timestamptz when ${UNDONE.includes(state)} then null
        else r.seen_time end,
      update_time = ${at}, version = r.version + 1
    where r.tenant_id = ${db.tenantId} and r.id = ${id} and r.state = any(${[...FROM[state]]}::text[])
    returning ${selectList(deviceCommand)}`)
  if (!command) return undefined
  await keepDue(db, command, dueOf(command, state, now))
  tell(db, command)
  if (!isOpen(state)) await commandOf(command.method!)?.ended?.(db, command, services)
  return command
}

/** A sensor, or something like it, shows what was said to be done. */
export async function seen(db: Db, services: Services, id: string): Promise<void> {
  const at = services.now().toISOString()
  const command = await db.one<Command>(sql`update device_command r set seen_time = ${at}, version = r.version + 1
    where r.tenant_id = ${db.tenantId} and r.id = ${id} and r.seen_time is null
    and r.state in ('sent', 'taken', 'done', 'unknown') returning ${selectList(deviceCommand)}`)
  if (command) tell(db, command)
}

/** Sent once more: the device drops what it has already. */
export async function sentAgain(db: Db, services: Services, command: Command): Promise<void> {
  await db.run(sql`update device_command set tries = tries + 1
    where tenant_id = ${db.tenantId} and id = ${command.id}`)
  await keepDue(db, command, dueOf(command, 'sent', services.now()))
}

/** Not begun with by the device from this moment, in milliseconds since 1970. */
export async function expiryOf(db: Db, id: string): Promise<number> {
  const row = await db.one<{ at: number }>(sql`select (extract(epoch from expire_time) * 1000)::bigint as at
    from device_command where tenant_id = ${db.tenantId} and id = ${id}`)
  return row!.at
}

export async function keepDue(db: Db, { id, linkId }: Command, due: Date | undefined): Promise<void> {
  if (!due) await db.run(sql`delete from device_command_due where tenant_id = ${db.tenantId} and id = ${id}`)
  else
    await db.run(sql`insert into device_command_due (id, tenant_id, link_id, due_time)
      values (${id}, ${db.tenantId}, ${linkId}, ${due.toISOString()})
      on conflict (tenant_id, id) do update set due_time = excluded.due_time`)
}

/**
 * Browsers and waiting calls hear of it; who asked hears it also without a right to the list of all commands.
 */
export function tell(db: Db, command: Command): void {
  publishChanged({ db }, deviceCommand, [command])
  if (command.userId) db.publish('deviceCommand.step', { id: command.id }, { userIds: [command.userId] })
}
