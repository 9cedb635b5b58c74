import { createHash } from 'node:crypto'

/** By length: to hash a text of four kilobytes costs more than to compare it with the few that are as long. */
const names = new Map<number, { text: string; name: string }[]>()
let namesCount = 0
const NAMES_MAX = 800

/** Prepared statement name for a text, while there are few enough of them. */
export function statementName(text: string): string | undefined {
  const asLong = names.get(text.length)
  const hit = asLong?.find((one) => one.text === text)
  if (hit) return hit.name
  if (namesCount >= NAMES_MAX) return undefined
  namesCount++
  const name = `s${createHash('sha1').update(text).digest('base64url').slice(0, 20)}`
  if (asLong) asLong.push({ text, name })
  else names.set(text.length, [{ text, name }])
  return name
}
