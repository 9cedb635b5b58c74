import type { PatchOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { serve } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineSystemText, translateSystemText } from '#kit/server/base/system-words.ts'
import { commandReasonText, type DeviceCommand } from '#domains/devices/device-messaging/api.ts'
import { doorControlLog } from './door-control-log.resource.ts'
import { entryRefusalTexts } from './entry.ts'

const CLEARED_UP = defineSystemText({
  zh: '先前未确认，设备后来说明',
  en: 'Not confirmed at first, reported later by the device',
})

export const doorControlLogServer = serve(doorControlLog, {
  present: (wire, rows, { lang }) => {
    rows.forEach(({ message }, at) => {
      if (message)
        wire[at]!.message =
          entryRefusalTexts[message]?.[lang] ?? translateSystemText(commandReasonText(message, lang), lang)
    })
  },
})

/** Logs a door command with its result, or another opening. Returns the row's id. */
export async function writeDoorLog(
  db: Db,
  command: PatchOf<typeof doorControlLog> & { shopId: string },
): Promise<string> {
  const row = await db.insert(doorControlLog, command)
  publishRowsChanged({ db }, doorControlLog, [row])
  return row.id
}

/**
 * Logs how a command ended. A command whose unknown result is cleared up gets a second row, as the log is append-only.
 */
export async function writeDoorCommandLog(db: Db, command: DeviceCommand, action: string, now: Date): Promise<void> {
  const at = await db.one<{ asked: number; isKnown: boolean }>(sql`
    select (extract(epoch from create_time) * 1000)::bigint as asked, exists (select 1 from door_control_log
      where tenant_id = ${db.tenantId} and command_id = ${command.id}::text) as is_known
    from device_command where tenant_id = ${db.tenantId} and id = ${command.id}`)
  await writeDoorLog(db, {
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
