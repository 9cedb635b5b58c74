import { removeStoredValue, setStoredValue, getStoredRecord } from '../storage.ts'
import type { UntypedRow } from './form-values.ts'

/** What is typed, not saved; `was` is what the row had there, by which two people's changes are told apart later. */
export type FormDraft = { values: UntypedRow; was: UntypedRow; version: unknown }

const SOON = 150
const draftName = (key: string) => `draft:${key}`

/** What is about to be kept, by its key: two forms for a new row have one. */
const waiting = new Map<string, Set<ReturnType<typeof setTimeout>>>()

/**
 * Keeps on this machine what `typed` answers a moment later, and forgets what is kept where it answers nothing; what is
 * kept already keeps its time. Its answer takes the order back, as the next change does.
 */
export function saveFormDraftDebounced(key: string, typed: () => FormDraft | undefined): () => void {
  const ours = waiting.get(key) ?? new Set()
  waiting.set(key, ours)
  const timer = setTimeout(() => {
    ours.delete(timer)
    const content = typed()
    if (!content) return removeStoredValue(draftName(key))
    const kept = getStoredRecord(draftName(key))?.content
    if (JSON.stringify(kept) !== JSON.stringify(content)) setStoredValue(draftName(key), content)
  }, SOON)
  ours.add(timer)
  return () => {
    clearTimeout(timer)
    ours.delete(timer)
  }
}

/** The draft under a key, with when it was kept (ms since 1970). */
export function loadFormDraft(key: string): (FormDraft & { at: number }) | undefined {
  const record = getStoredRecord(draftName(key))
  const kept = record?.content as FormDraft | undefined
  if (!record || !kept?.values || !Object.keys(kept.values).length) return undefined
  return { values: kept.values, was: kept.was ?? {}, version: kept.version, at: record.datetime }
}

/** Forgets what was typed, and what was about to be kept: it is saved, or not wanted. */
export function deleteFormDraft(key: string): void {
  for (const timer of waiting.get(key) ?? []) clearTimeout(timer)
  waiting.delete(key)
  removeStoredValue(draftName(key))
}
