/** What a heartbeat tells (docs/gateways.md, Topics). */
const FIELDS = ['bootId', 'uptime', 'fw', 'cpu', 'mem', 'disk', 'temp', 'net', 'queued'] as const
const TEXT_MAX = 64
const PARTS_MAX = 8

/** A number, a word or a yes; what a text column would not take is no word. */
const figure = (value: unknown): number | string | boolean | undefined => {
  if (typeof value === 'string') return value.slice(0, TEXT_MAX).replaceAll('\0', '').toWellFormed()
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean' ? value : undefined
}

/** Figures by their names, such as `{ used, total }`. */
function figures(value: object): Record<string, unknown> {
  const named = Object.entries(value).slice(0, PARTS_MAX)
  return Object.fromEntries(named.map(([name, one]) => [figure(name), figure(one)]))
}

/**
 * How a device says it is, as far as it is of use. Heartbeats of all devices are written with one statement: what one
 * of them says must not be able to spoil it.
 */
export function sanitizeDeviceHealth(said: Record<string, unknown>): Record<string, unknown> {
  const known = FIELDS.map((name) => {
    const value = said[name]
    return [name, typeof value === 'object' && value !== null ? figures(value) : figure(value)] as const
  })
  return Object.fromEntries(known.filter(([, value]) => value !== undefined))
}
