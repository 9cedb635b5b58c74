import type { PatchOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { serve } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { systemWords, systemWordsIn } from '#kit/server/system-words.ts'
import { reasonIn, type Command } from '#domains/devices/device-messaging/api.ts'
import { doorControlLog } from './door-control-log.resource.ts'
import { refusals } from './entry.ts'

const CLEARED_UP = systemWords({
  zh: '先前未确认，设备后来说明',
  en: 'Not confirmed at first, reported later by the device',
})

export const doorControlLogServer = serve(doorControlLog, {
  present: (wire, rows, { lang }) => {
    rows.forEach(({ message }, at) => {
      if (message) wire[at]!.message = refusals[message]?.[lang] ?? systemWordsIn(reasonIn(message, lang), lang)
    })
  },
})

/** Writes down a command to a door with what became of it, or another opening. */
export async function logDoor(db: Db, command: PatchOf<typeof doorControlLog> & { shopId: string }): Promise<string> {
  const row = await db.insert(doorControlLog, command)
  publishChanged({ db }, doorControlLog, [row])
  return row.id
}

/** A command as it ended. One that was unknown and is cleared up has both rows: the log is never changed. */
export async function logCommand(db: Db, command: Command, action: string, now: Date): Promise<void> {
  const at = await db.one<{ asked: number; isKnown: boolean }>(sql`
    select (extract(epoch from create_time) * 1000)::bigint as asked, exists (select 1 from door_control_log
      where tenant_id = ${db.tenantId} and command_id = ${command.id}::text) as is_known
    from device_command where tenant_id = ${db.tenantId} and id = ${command.id}`)
  await logDoor(db, {
    shopId: command.shopId!,
    doorNo: String((command.params as { doorNo?: number }).doorNo),
    action,
    source: command.source,
    userId: command.userId,
    result: command.state,
    reason: command.reason,
    message: command.message ?? (at!.isKnown ? CLEARED_UP : null),
    costMs: Math.max(0, now.getTime() - Number(at!.asked)),
    visitId: command.visitId,
    clientId: command.clientId,
    commandId: command.id,
  })
}
