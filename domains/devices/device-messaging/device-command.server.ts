import { sql, readBatch } from '#kit/server/database/db.ts'
import { f } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import type { Lang } from '#kit/base/localized-text.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve } from '#kit/server/module/module.ts'
import { COMMAND_NOT_ACCEPTED_MESSAGE, COMMAND_TOO_LARGE_MESSAGE } from './request-command.ts'
import { ALREADY_APPLIED_MESSAGE, findCommandDefinition } from './command.ts'
import { deviceCommand } from './device-command.resource.ts'

/** Sentences for the codes that are stored as a command's message. */
const REASONS: Record<string, { zh: string; en: string }> = {
  device_offline: { zh: '设备离线', en: 'Device offline' },
  device_busy: { zh: '上一操作还在执行', en: 'Still running the previous command' },
  commands_too_fast: { zh: '操作太频繁', en: 'Too many commands' },
  [COMMAND_TOO_LARGE_MESSAGE]: { zh: '内容过大，没有发出', en: 'Too large, not sent' },
  [COMMAND_NOT_ACCEPTED_MESSAGE]: {
    zh: '消息服务器拒绝，不再重发',
    en: 'Rejected by the message broker, not sent again',
  },
  [ALREADY_APPLIED_MESSAGE]: { zh: '本来就是这样，没有执行', en: 'Already in this state, not run' },
  nothing_came: { zh: '设备说已完成，但什么也没有送到', en: 'The device reported done but delivered nothing' },
}

/** Returns the stored message of a command as a sentence: the sentence of its code, else the device's own text. */
export const commandReasonText = (message: string | null, lang: Lang): string =>
  REASONS[message ?? '']?.[lang] ?? message ?? ''

export const deviceCommandServer = serve(deviceCommand, {
  without: ['submit', 'remove'],
  present: (wire, rows, { lang }) => {
    rows.forEach((row, at) => {
      const declared = findCommandDefinition(row.method!)
      if (declared?.auditParams && wire[at]!.params !== undefined) wire[at]!.params = declared.auditParams(row.params)
      wire[at]!.title = (declared?.summary?.(row.params) ?? declared?.label)?.[lang] ?? row.method
      // Omits absent numbers, which would travel as -1 and read as a code or a percentage.
      for (const key of ['code', 'percent'] as const) if (row[key] === null) delete wire[at]![key]
      if (row.message) wire[at]!.message = commandReasonText(row.message, lang)
    })
  },
})

export const deviceCommandRoutes = [
  defineRoute({
    method: 'GET',
    path: `${deviceCommand.path}/steps`,
    title: { zh: '指令步骤', en: 'Command steps' },
    can: { signedIn: 'only commands of devices in scope; whoever may give one sees what becomes of it' },
    tx: false,
    input: { id: f.ref('', { label: deviceCommand.label, required: true }) },
    handle: async (call) => {
      const mine = visibleRowsSql(deviceCommandServer, call)
      const ms = (column: string) => sql([`(extract(epoch from r.${column}) * 1000)::bigint`])
      const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
        sql`select r.id, r.user_id, r.method, r.params, r.state, r.code, r.message, r.result, r.step, r.percent,
          ${ms('create_time')} as asked, ${ms('sent_time')} as sent, ${ms('taken_time')} as taken,
          ${ms('end_time')} as ended, ${ms('seen_time')} as seen, ${ms('expire_time')} as expires,
          l.name as link_name, l.state as link_state
        from (select r.* ${mine} and r.id = ${call.input.id}) r
        left join device_link l on l.tenant_id = r.tenant_id and l.id = r.link_id`,
      ])
      const row = rows![0]
      if (!row) throw new Refused('not_found', { label: deviceCommand.label })
      const declared = findCommandDefinition(String(row.method))
      const words = declared?.summary?.(row.params) ?? declared?.label
      const reason = REASONS[String(row.message)]?.[call.lang] ?? row.message
      const { userId, params, result, ...steps } = row
      // Parameters and result are only for the user who requested the command and for people who may list commands.
      const isWhole = String(userId) === call.caller.userId || hasPermission(call.caller, deviceCommand.code)
      const whole = isWhole ? { params: declared?.auditParams?.(params) ?? params, result } : {}
      return {
        ...steps,
        ...whole,
        message: reason,
        title: words?.[call.lang] ?? row.method,
        now: call.services.now().getTime(),
      }
    },
  }),
]
