import { removeStoredValue, setStoredValue, getStoredRecord } from '../base/storage.ts'
import type { UntypedRow } from '../row/form-values.ts'

/**
 * Unsaved input of a form. `was` holds the row's values of the same fields, to detect changes by other people later.
 */
export type FormDraft = { values: UntypedRow; was: UntypedRow; version: unknown }

const SOON = 150
const draftName = (key: string) => `draft:${key}`

/** Timers of drafts about to be stored, by key; two forms for a new row share one key. */
const waiting = new Map<string, Set<ReturnType<typeof setTimeout>>>()

/**
 * Stores the draft that `typed` returns in this browser shortly afterwards, or deletes the stored one if `typed`
 * returns nothing. An unchanged draft keeps its time. Returns a function that cancels it.
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

/** Returns the draft under a key with the time it was stored (ms since 1970); undefined without one. */
export function loadFormDraft(key: string): (FormDraft & { at: number }) | undefined {
  const record = getStoredRecord(draftName(key))
  const kept = record?.content as FormDraft | undefined
  if (!record || !kept?.values || !Object.keys(kept.values).length) return undefined
  return { values: kept.values, was: kept.was ?? {}, version: kept.version, at: record.datetime }
}

/** Deletes the draft under a key and cancels pending stores, after the form was saved or discarded. */
export function deleteFormDraft(key: string): void {
  for (const timer of waiting.get(key) ?? []) clearTimeout(timer)
  waiting.delete(key)
  removeStoredValue(draftName(key))
}
