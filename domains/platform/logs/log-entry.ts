import { hostname, networkInterfaces } from 'node:os'
import { maskForLog, maskSecretsInText } from '#kit/server/base/mask.ts'
import type { OperationEntry } from '#kit/server/module/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'

/** A log row by column; missing columns stay null. */
export type LogRow = Record<string, string | number | null>

const TEXT_MAX = 4000
const HEAVY_MAX = 60_000

const serverHost = hostname()
const serverIp =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address ?? '127.0.0.1'
const env = process.env.NODE_ENV || 'production'

/** Converts a value to text the database can store, cut to `max`. */
export const sanitizeLogText = (value: unknown, max = TEXT_MAX): string =>
  String(value ?? '')
    .replaceAll('\u0000', '')
    .toWellFormed()
    .slice(0, max)

/** Returns parameters as JSON text, with secrets masked. */
const masked = (params: unknown): string => sanitizeLogText(JSON.stringify(maskForLog(params)) ?? '', HEAVY_MAX)

/**
 * Splits a path into service, module and function: `/api/blade-system/role/grant` is `grant` of `role` in
 * `blade-system`, as older clients show it.
 */
function placeOf(uri: string) {
  const [, service = '', ...rest] = uri.split('/').filter(Boolean)
  return {
    service_id: sanitizeLogText(service, 100),
    method_class: sanitizeLogText(rest.slice(0, -1).join('/'), 200),
    method_name: sanitizeLogText(rest.at(-1) ?? '', 200),
  }
}

function commonOf(entry: OperationEntry): LogRow {
  return {
    id: newId(),
    tenant_id: entry.tenantId,
    ...placeOf(entry.uri),
    server_host: serverHost,
    server_ip: serverIp,
    env,
    method: sanitizeLogText(entry.method, 10),
    request_uri: sanitizeLogText(entry.uri),
    user_agent: sanitizeLogText(entry.userAgent, 500),
    remote_ip: sanitizeLogText(entry.ip, 64),
    params: masked(entry.params),
    time: String(entry.millis),
    create_by: sanitizeLogText(entry.caller?.account ?? '', 100),
    create_user: entry.caller?.userId || null,
    trace_id: sanitizeLogText(entry.traceId, 64),
  }
}

export const operationLogRow = (entry: OperationEntry): LogRow => ({
  ...commonOf(entry),
  type: '1',
  title: sanitizeLogText(entry.title, 200),
  http_status: entry.status,
  reason: sanitizeLogText(entry.reason ?? '', 100),
})

const root = `${process.cwd()}/`

/** Returns file and line of the first stack frame in our own code. */
function originOf(stack: string): { file_name: string; line_number: number | null } {
  const frames = sanitizeLogText(stack, HEAVY_MAX)
    .split('\n')
    .filter((line) => /:\d+:\d+\)?\s*$/.test(line))
  const own = frames.find((line) => !line.includes('node_modules') && !line.includes('node:')) ?? frames[0] ?? ''
  const match = /(?<![^\s(])(?:file:\/\/)?([^\s(]+):(\d+):\d+\)?\s*$/.exec(own)
  return {
    file_name: sanitizeLogText((match?.[1] ?? '').replace(root, ''), 300),
    line_number: match ? Number(match[2]) : null,
  }
}

/** Returns the first line of a message, cut for a list. */
const summaryOf = (message: string): string =>
  sanitizeLogText(message.replaceAll(root, '').trimStart().split('\n', 1)[0]!.trim(), 300)

export function errorLogRow(entry: OperationEntry, error: unknown): LogRow {
  const { name, message, stack } = error instanceof Error ? error : { name: 'Error', message: String(error), stack: '' }
  const trace = maskSecretsInText(sanitizeLogText(stack ?? '', HEAVY_MAX)).replaceAll(root, '')
  const loggedMessage = maskSecretsInText(sanitizeLogText(message, HEAVY_MAX))
  return {
    ...commonOf(entry),
    exception_name: sanitizeLogText(name, 200),
    summary: summaryOf(loggedMessage),
    message: loggedMessage,
    stack_trace: trace,
    ...originOf(stack ?? ''),
  }
}

export const systemLogRow = (
  entry: OperationEntry,
  usual: { level: 'info' | 'warn' | 'error'; id: string; data: unknown },
): LogRow => ({
  ...commonOf(entry),
  log_level: usual.level,
  log_id: sanitizeLogText(usual.id, 200),
  log_data: masked(usual.data),
})
