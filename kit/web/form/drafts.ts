import { removeStored, setStored, storedRecordOf } from '../storage.ts'
import type { Row } from './form-values.ts'

/** What is typed, not saved; `was` is what the row had there, by which two people's changes are told apart later. */
export type KeptDraft = { values: Row; was: Row; version: unknown }

const SOON = 150
const draftName = (key: string) => `draft:${key}`

/** What is about to be kept, by its key: two forms for a new row have one. */
const waiting = new Map<string, Set<ReturnType<typeof setTimeout>>>()

/**
 * Keeps on this machine what `typed` answers a moment later, and forgets what is kept where it answers nothing; what is
 * kept already keeps its time. Its answer takes the order back, as the next change does.
 */
export function saveDraftDebounced(key: string, typed: () => KeptDraft | undefined): () => void {
  const ours = waiting.get(key) ?? new Set()
  waiting.set(key, ours)
  const timer = setTimeout(() => {
    ours.delete(timer)
    const content = typed()
    if (!content) return removeStored(draftName(key))
    const kept = storedRecordOf(draftName(key))?.content
    if (JSON.stringify(kept) !== JSON.stringify(content)) setStored(draftName(key), content)
  }, SOON)
  ours.add(timer)
  return () => {
    clearTimeout(timer)
    ours.delete(timer)
  }
}

/** The draft under a key, with when it was kept (ms since 1970). */
export function loadDraft(key: string): (KeptDraft & { at: number }) | undefined {
  const record = storedRecordOf(draftName(key))
  const kept = record?.content as KeptDraft | undefined
  if (!record || !kept?.values || !Object.keys(kept.values).length) return undefined
  return { values: kept.values, was: kept.was ?? {}, version: kept.version, at: record.datetime }
}

/** Forgets what was typed, and what was about to be kept: it is saved, or not wanted. */
export function deleteDraft(key: string): void {
  for (const timer of waiting.get(key) ?? []) clearTimeout(timer)
  waiting.delete(key)
  removeStored(draftName(key))
}
