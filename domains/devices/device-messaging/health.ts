/** What a heartbeat tells (docs/gateways.md, Topics). */
const FIELDS = ['bootId', 'uptime', 'fw', 'cpu', 'mem', 'disk', 'temp', 'net', 'queued'] as const
const TEXT_MAX = 64
const PARTS_MAX = 8

/**
 * Returns a number, boolean or shortened text without characters PostgreSQL refuses, or undefined for anything else.
 */
const figure = (value: unknown): number | string | boolean | undefined => {
  if (typeof value === 'string') return value.slice(0, TEXT_MAX).replaceAll('\0', '').toWellFormed()
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean' ? value : undefined
}

/** Sanitises a group of values, such as `{ used, total }`. */
function figures(value: object): Record<string, unknown> {
  const named = Object.entries(value).slice(0, PARTS_MAX)
  return Object.fromEntries(named.map(([name, one]) => [figure(name), figure(one)]))
}

/**
 * Returns the known fields of a heartbeat, sanitised. The heartbeats of all devices are written with one statement,
 * which no single one may break.
 */
export function sanitizeDeviceHealth(reported: Record<string, unknown>): Record<string, unknown> {
  const known = FIELDS.map((name) => {
    const value = reported[name]
    return [name, typeof value === 'object' && value !== null ? figures(value) : figure(value)] as const
  })
  return Object.fromEntries(known.filter(([, value]) => value !== undefined))
}
