import { empty } from 'sql-template-tag'
import { sql, type Db } from '#kit/server/database/db.ts'
import { resourceColumnsSql } from '#kit/server/database/row-sql.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  DEVICE_REPLY_CODE,
  findCommandDefinition,
  COMMAND_STATES_BEFORE,
  OPEN_COMMAND_STATES,
  methodsCompletedByHello,
  methodsConfirmedByServer,
  type DeviceCommand,
  type CommandState,
  type DeviceLink,
} from './command.ts'
import { deviceCommand } from './device-command.resource.ts'
import { commandStepTopic } from './command-topic.ts'

/** What else to record with a command's new state. */
type TransitionDetails = {
  code?: number | null
  message?: string | null
  result?: unknown
  /** Whether a sensor, a new start or a version confirms it. */
  isSeen?: boolean
  /**
   * The device that reports the state. Only its own commands change. Its "done" is ignored where the server or a hello
   * has to confirm the end.
   */
  saidBy?: DeviceLink
}

/** States in which the command was not carried out, whatever a sensor has shown. They clear `seen_time`. */
const UNDONE: readonly CommandState[] = ['refused', 'expired', 'canceled']
const isOpen = (state: CommandState) => OPEN_COMMAND_STATES.includes(state)

/** Returns when a command in this state is checked next, or undefined when it has ended. */
function nextCheckAt(command: DeviceCommand, state: CommandState, now: Date): Date | undefined {
  const declared = findCommandDefinition(command.method!)
  if (!isOpen(state) || !declared) return undefined
  return new Date(now.getTime() + (state === 'taken' ? declared.completionTimeoutMs : declared.ackTimeoutMs))
}

/**
 * Moves a command to `state` if its current state allows that. One conditional UPDATE, so late and repeated reports
 * change nothing. Returns the command, or undefined when unchanged.
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
  const senderCondition = saidBy
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
      any(${[...COMMAND_STATES_BEFORE[state]]}::text[]) ${senderCondition}
    returning ${resourceColumnsSql(deviceCommand)}`)
  if (!command) return undefined
  db.waitUntil(scheduleCommandCheck(db, command, nextCheckAt(command, state, now)))
  publishCommandChanged(db, command)
  if (!isOpen(state)) await findCommandDefinition(command.method!)?.ended?.(db, command, services)
  return command
}

/**
 * Commits asynchronously (`synchronous_commit = off`), for what a device reports again after a crash of the database,
 * such as its presence.
 */
export const enableAsyncCommit = (db: Db): void =>
  db.waitUntil(db.run(sql`select set_config('synchronous_commit', 'off', true)`))

/**
 * Ends a command as done because the server has received its result. Returns false when the command had ended already.
 */
export const completeCommandOnServer = async (
  db: Db,
  services: Services,
  id: string,
  result: object,
): Promise<boolean> =>
  (await transitionCommand(db, services, id, 'done', { code: DEVICE_REPLY_CODE.done, result, isSeen: true })) !==
  undefined

/** Records that a sensor, a new start or a version has confirmed a command. */
export async function confirmCommandBySensor(db: Db, services: Services, id: string): Promise<void> {
  const at = services.now().toISOString()
  const command = await db.one<DeviceCommand>(sql`update device_command r set seen_time = ${at}, version = r.version + 1
    where r.tenant_id = ${db.tenantId} and r.id = ${id} and r.seen_time is null
    and r.state in ('sent', 'taken', 'done', 'unknown') returning ${resourceColumnsSql(deviceCommand)}`)
  if (command) publishCommandChanged(db, command)
}

/**
 * Cancels commands no device has acknowledged. Unsent ones become `canceled`; sent ones expire and are not resent. A
 * late acknowledgement still counts.
 */
export async function cancelCommands(db: Db, services: Services, ids: readonly string[]): Promise<void> {
  for (const id of ids) await transitionCommand(db, services, id, 'canceled')
  await db.run(sql`update device_command set expire_time = least(expire_time, ${services.now().toISOString()})
    where tenant_id = ${db.tenantId} and id = any(${[...ids]}::bigint[]) and state = 'sent'`)
}

/** Counts a resend and schedules the next check. The device drops a command it has already received. */
export async function recordCommandResend(db: Db, services: Services, command: DeviceCommand): Promise<void> {
  await db.run(sql`update device_command set tries = tries + 1
    where tenant_id = ${db.tenantId} and id = ${command.id}`)
  await scheduleCommandCheck(db, command, nextCheckAt(command, 'sent', services.now()))
}

/** Returns when a command expires, in milliseconds since 1970. A device must not begin with it after that. */
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

/**
 * Notifies browsers and waiting calls of a command's new state. The user who requested it is notified even without
 * permission to list commands.
 */
export function publishCommandChanged(db: Db, command: DeviceCommand): void {
  const { id, state, userId } = command
  publishRowsChanged({ db }, deviceCommand, [command])
  db.publish(commandStepTopic, { id, state }, { userIds: userId ? [userId] : [] })
}
