import { forget, keep, recordOf } from '../storage.ts'
import type { Row } from './form-values.ts'

/** What is typed, not saved; `was` is what the row had there, by which two people's changes are told apart later. */
export type Kept = { values: Row; was: Row; version: unknown }

const SOON = 150
const draftName = (key: string) => `draft:${key}`

/** What is about to be kept, by its key. */
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Keeps on this machine what `typed` answers a moment after the last change, or forgets what is kept where it answers
 * nothing. Its answer takes the order back.
 */
export function keepDraftSoon(key: string, typed: () => Kept | undefined | 'as it is'): () => void {
  clearTimeout(waiting.get(key))
  const timer = setTimeout(() => {
    const content = typed()
    if (content === 'as it is') return
    if (content) keep(draftName(key), content)
    else forget(draftName(key))
  }, SOON)
  waiting.set(key, timer)
  return () => clearTimeout(timer)
}

/** The draft under a key, with when it was kept (ms since 1970). */
export function keptDraft(key: string): (Kept & { at: number }) | undefined {
  const record = recordOf(draftName(key))
  const kept = record?.content as Kept | undefined
  if (!record || !kept?.values || !Object.keys(kept.values).length) return undefined
  return { values: kept.values, was: kept.was ?? {}, version: kept.version, at: record.datetime }
}

/** Forgets what was typed, and what was about to be kept: it is saved, or not wanted. */
export function forgetDraft(key: string): void {
  clearTimeout(waiting.get(key))
  waiting.delete(key)
  forget(draftName(key))
}
