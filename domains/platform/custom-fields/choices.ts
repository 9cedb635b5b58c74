import type { CustomFieldChoice } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'

const CHOICES_MAX = 50
const NAME_MAX = 30
const COLOURS = new Set(['success', 'processing', 'warning', 'error'])

const named = (given: unknown): string => (typeof given === 'string' ? given.trim() : '')

/**
 * Returns the choices of a field to store, from those a form or client sent. A choice keeps its key for good. A missing
 * one is marked as no longer offered, and keeps its name for rows that have it. Refuses choices without a name in
 * either language or with another's name.
 */
export function parseCustomFieldChoices(given: unknown, was: unknown): CustomFieldChoice[] {
  const old = (Array.isArray(was) ? was : []) as CustomFieldChoice[]
  const sent = Array.isArray(given) ? (given as Partial<CustomFieldChoice>[]) : []
  if (!sent.length) throw new Refused('own_choices_needed', {}, { field: 'options' })
  if (sent.length > CHOICES_MAX) throw new Refused('own_choices_many', { max: CHOICES_MAX }, { field: 'options' })
  let last = Math.max(0, ...old.map(({ key }) => Number(key.slice(1)) || 0))
  const [zh, en] = [new Set<string>(), new Set<string>()]
  const entries = sent.map((one, at): CustomFieldChoice => {
    const entry = { zh: named(one?.zh), en: named(one?.en) }
    const isWrong = [entry.zh, entry.en].some((name) => !name || [...name].length > NAME_MAX)
    if (isWrong || zh.has(entry.zh) || en.has(entry.en.toLowerCase()))
      throw new Refused('own_choices_wrong', { at: at + 1, max: NAME_MAX }, { field: 'options' })
    zh.add(entry.zh)
    en.add(entry.en.toLowerCase())
    const known = old.find(({ key }) => key === one.key)
    return {
      key: known?.key ?? `c${++last}`,
      ...entry,
      ...(COLOURS.has(one.colour ?? '') ? { colour: one.colour! } : {}),
      ...(one.isOff === true ? { isOff: true } : {}),
    }
  })
  const gone = old.filter(({ key }) => !entries.some((one) => one.key === key))
  return [...entries, ...gone.map((one) => ({ ...one, isOff: true }))]
}
