import { empty } from 'sql-template-tag'
import { sql, type Db } from '#kit/server/database/db.ts'
import { selectListSql } from '#kit/server/database/rows.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import {
  DEVICE_REPLY_CODE,
  findCommandDefinition,
  COMMAND_STATES_BEFORE,
  OPEN_COMMAND_STATES,
  methodsCompletedByHello,
  methodsConfirmedByServer,
} from './command.ts'
import type { DeviceCommand, CommandState, DeviceLink } from './command.ts'
import { deviceCommand } from './device-command.resource.ts'

/** What is known of a command's new state. */
type TransitionDetails = {
  code?: number | null
  message?: string | null
  result?: unknown
  /** A sensor, a start or a version said so too. */
  isSeen?: boolean
  /** The device whose own word it is: of another's commands it says nothing, and of some its "done" proves nothing. */
  saidBy?: DeviceLink
}

/** Not carried out, whatever a sensor showed meanwhile. */
const UNDONE: readonly CommandState[] = ['refused', 'expired', 'canceled']
const isOpen = (state: CommandState) => OPEN_COMMAND_STATES.includes(state)

/** When a command in this state has to be looked at next. */
function nextCheckAt(command: DeviceCommand, state: CommandState, now: Date): Date | undefined {
  const declared = findCommandDefinition(command.method!)
  if (!isOpen(state) || !declared) return undefined
  return new Date(now.getTime() + (state === 'taken' ? declared.completionTimeoutMs : declared.ackTimeoutMs))
}

/**
 * Moves a command on, once: from states it may come from, in one statement, whoever says so first. What is late or said
 * twice changes nothing. Answers the command as it is now, or undefined when it was past that.
 */
export async function transitionCommand(
  db: Db,
  services: Services,
  id: string,
  state: Exclude<CommandState, 'asked'>,
  news: TransitionDetails = {},
): Promise<DeviceCommand | undefined> {
  const now = services.now()
  const at = now.toISOString()
  const { code = null, message = null, result, isSeen, saidBy } = news
  const said = saidBy
    ? sql`and r.link_id = ${saidBy.id} and r.client_id = ${saidBy.clientId}
        and (${state !== 'done'} or r.method <> all(${methodsConfirmedByServer()}::text[])
        and (r.seen_time is not null or r.method <> all(${methodsCompletedByHello()}::text[])))`
    : empty
  const command = await db.one<DeviceCommand>(sql`update device_command r set state = ${state},
      code = coalesce(${code}::int, r.code), message = coalesce(${message}, r.message),
      result = coalesce(${result === undefined ? null : JSON.stringify(result)}::jsonb, r.result),
      sent_time = case when ${state} = 'sent' then ${at}::timestamptz else r.sent_time end,
      tries = r.tries + case when ${state} = 'sent' then 1 else 0 end,
      taken_time = case when ${state} = 'taken' then ${at}::timestamptz else r.taken_time end,
      end_time = case when ${!isOpen(state)} then ${at}::timestamptz else r.end_time end,
      seen_time = case when ${isSeen === true} then ${at}::timestamptz when ${UNDONE.includes(state)} then null
        else r.seen_time end,
      update_time = ${at}, version = r.version + 1
    where r.tenant_id = ${db.tenantId} and r.id = ${id} and r.state =
      any(${[...COMMAND_STATES_BEFORE[state]]}::text[]) ${said}
    returning ${selectListSql(deviceCommand)}`)
  if (!command) return undefined
  db.waitUntil(scheduleCommandCheck(db, command, nextCheckAt(command, state, now)))
  publishCommandChanged(db, command)
  if (!isOpen(state)) await findCommandDefinition(command.method!)?.ended?.(db, command, services)
  return command
}

/**
 * For what is heard again when the database loses its last moments, such as who is there: its commit does not wait for
 * the disk.
 */
export const enableAsyncCommit = (db: Db): void =>
  db.waitUntil(db.run(sql`select set_config('synchronous_commit', 'off', true)`))

/** It is done because what it brought is here; false when it is over already and nothing may come any more. */
export const completeCommandOnServer = async (
  db: Db,
  services: Services,
  id: string,
  result: object,
): Promise<boolean> =>
  (await transitionCommand(db, services, id, 'done', { code: DEVICE_REPLY_CODE.done, result, isSeen: true })) !==
  undefined

/** A sensor, or something like it, shows what was said to be done. */
export async function confirmCommandBySensor(db: Db, services: Services, id: string): Promise<void> {
  const at = services.now().toISOString()
  const command = await db.one<DeviceCommand>(sql`update device_command r set seen_time = ${at}, version = r.version + 1
    where r.tenant_id = ${db.tenantId} and r.id = ${id} and r.seen_time is null
    and r.state in ('sent', 'taken', 'done', 'unknown') returning ${selectListSql(deviceCommand)}`)
  if (command) publishCommandChanged(db, command)
}

/**
 * Takes back what no device has taken yet: what never left is canceled, what may be on its way is not sent again. A
 * device that has it all the same says so, and is believed.
 */
export async function cancelCommands(db: Db, services: Services, ids: readonly string[]): Promise<void> {
  for (const id of ids) await transitionCommand(db, services, id, 'canceled')
  await db.run(sql`update device_command set expire_time = least(expire_time, ${services.now().toISOString()})
    where tenant_id = ${db.tenantId} and id = any(${[...ids]}::bigint[]) and state = 'sent'`)
}

/** Sent once more: the device drops what it has already. */
export async function recordCommandResend(db: Db, services: Services, command: DeviceCommand): Promise<void> {
  await db.run(sql`update device_command set tries = tries + 1
    where tenant_id = ${db.tenantId} and id = ${command.id}`)
  await scheduleCommandCheck(db, command, nextCheckAt(command, 'sent', services.now()))
}

/** Not begun with by the device from this moment, in milliseconds since 1970. */
export async function findCommandExpiryMs(db: Db, id: string): Promise<number> {
  const row = await db.one<{ at: number }>(sql`select (extract(epoch from expire_time) * 1000)::bigint as at
    from device_command where tenant_id = ${db.tenantId} and id = ${id}`)
  return row!.at
}

export async function scheduleCommandCheck(
  db: Db,
  { id, linkId }: DeviceCommand,
  due: Date | undefined,
): Promise<void> {
  if (!due) await db.run(sql`delete from device_command_due where tenant_id = ${db.tenantId} and id = ${id}`)
  else
    await db.run(sql`insert into device_command_due (id, tenant_id, link_id, due_time)
      values (${id}, ${db.tenantId}, ${linkId}, ${due.toISOString()})
      on conflict (tenant_id, id) do update set due_time = excluded.due_time`)
}

export const COMMAND_STEP_CHANNEL = 'deviceCommand.step'

/**
 * Browsers and waiting calls hear of it; who asked hears it also without a right to the list of all commands.
 */
export function publishCommandChanged(db: Db, command: DeviceCommand): void {
  const { id, state, userId } = command
  publishRowsChanged({ db }, deviceCommand, [command])
  db.publish(COMMAND_STEP_CHANNEL, { id, state }, { userIds: userId ? [userId] : [] })
}
