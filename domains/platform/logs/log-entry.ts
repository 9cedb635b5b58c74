import { hostname, networkInterfaces } from 'node:os'
import { mask, maskText } from '#kit/server/security/index.ts'
import type { OperationEntry } from '#kit/server/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'

/** A row by column; what is absent stays empty. */
export type LogRow = Record<string, string | number | null>

const TEXT_MAX = 4000
const HEAVY_MAX = 60_000

const serverHost = hostname()
const serverIp =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address ?? '127.0.0.1'
const env = process.env.NODE_ENV || 'production'

/** Text as the database can store it, and not more than is of use. */
export const clip = (value: unknown, max = TEXT_MAX): string =>
  String(value ?? '')
    .replaceAll('\u0000', '')
    .toWellFormed()
    .slice(0, max)

/** Arguments without secrets, as JSON text. */
const masked = (params: unknown): string => clip(JSON.stringify(mask(params)) ?? '', HEAVY_MAX)

/** "/api/blade-system/role/grant" is the function grant of module role in service blade-system. */
function placeOf(uri: string) {
  const [, service = '', ...rest] = uri.split('/').filter(Boolean)
  return {
    service_id: clip(service, 100),
    method_class: clip(rest.slice(0, -1).join('/'), 200),
    method_name: clip(rest.at(-1) ?? '', 200),
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
    method: clip(entry.method, 10),
    request_uri: clip(entry.uri),
    user_agent: clip(entry.userAgent, 500),
    remote_ip: clip(entry.ip, 64),
    params: masked(entry.params),
    time: String(entry.millis),
    create_by: clip(entry.caller?.account ?? '', 100),
    create_user: entry.caller?.userId || null,
    trace_id: clip(entry.traceId, 64),
  }
}

export const operationRow = (entry: OperationEntry): LogRow => ({
  ...commonOf(entry),
  type: '1',
  title: clip(entry.title, 200),
  http_status: entry.status,
  reason: clip(entry.reason ?? '', 100),
})

const root = `${process.cwd()}/`

/** Where an error came from: the first line of its stack that is ours. */
function originOf(stack: string): { file_name: string; line_number: number | null } {
  const frames = clip(stack, HEAVY_MAX)
    .split('\n')
    .filter((line) => /:\d+:\d+\)?\s*$/.test(line))
  const own = frames.find((line) => !line.includes('node_modules') && !line.includes('node:')) ?? frames[0] ?? ''
  const match = /(?<![^\s(])(?:file:\/\/)?([^\s(]+):(\d+):\d+\)?\s*$/.exec(own)
  return { file_name: clip((match?.[1] ?? '').replace(root, ''), 300), line_number: match ? Number(match[2]) : null }
}

/** The first line of what was said: what a list has room for. */
const summaryOf = (message: string): string =>
  clip(message.replaceAll(root, '').trimStart().split('\n', 1)[0]!.trim(), 300)

export function errorRow(entry: OperationEntry, error: unknown): LogRow {
  const { name, message, stack } = error instanceof Error ? error : { name: 'Error', message: String(error), stack: '' }
  const trace = maskText(clip(stack ?? '', HEAVY_MAX)).replaceAll(root, '')
  const said = maskText(clip(message, HEAVY_MAX))
  return {
    ...commonOf(entry),
    exception_name: clip(name, 200),
    summary: summaryOf(said),
    message: said,
    stack_trace: trace,
    ...originOf(stack ?? ''),
  }
}

export const usualRow = (
  entry: OperationEntry,
  usual: { level: 'info' | 'warn' | 'error'; id: string; data: unknown },
): LogRow => ({ ...commonOf(entry), log_level: usual.level, log_id: clip(usual.id, 200), log_data: masked(usual.data) })
