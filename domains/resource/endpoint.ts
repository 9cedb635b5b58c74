import { isIP } from 'node:net'
import type { Field, Resource } from '#kit/resource/index.ts'
import type { Caller } from '#kit/server/caller.ts'
import { Refused } from '#kit/server/refused.ts'
import './refusals.ts'

const PRIVATE = [/^localhost$/i, /\.localhost$/i, /\.local$/i, /\.internal$/i, /^0\./, /^10\./, /^127\./, /^169\.254\./, /^172\.(1[6-9]|2\d|3[01])\./, /^192\.168\./, /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./, /^::1?$/, /^f[cd]/i, /^fe80/i, /^::ffff:/i]

/** Whether an address names a host of the internal network, by its own words. */
export function isPrivate(endpoint: string): boolean {
  const text = /^https?:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`
  if (!URL.canParse(text)) return true
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '')
  const isName = isIP(host) === 0
  return PRIVATE.some((pattern) => pattern.test(host)) || (isName && !host.includes('.'))
}

/** Tenants name providers outside; only the platform may point the server at hosts beside it. */
export function requireOutside(caller: Caller, resource: Resource<any, any>, endpoint: string | null | undefined): void {
  if (!caller.isPlatform && endpoint && isPrivate(endpoint)) throw new Refused('endpoint_private', { label: (resource.fields.endpoint as Field).label })
}
