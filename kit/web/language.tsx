import { useCallback, useSyncExternalStore } from 'react'
import { interpolate } from '#kit/resource/localized-text.ts'
import type { Lang, LocalizedText } from '#kit/resource/localized-text.ts'
import { keep, recall } from './storage.ts'

export type { Lang, LocalizedText } from '#kit/resource/localized-text.ts'
type Values = Record<string, unknown>

const listeners = new Set<() => void>()
const stored = globalThis.localStorage ? recall<Lang>('language') : undefined
let current: Lang = stored === 'en' ? 'en' : 'zh'

/** The language of the screen now. Outside components; inside use useLang. */
export const lang = () => current

/** Switches the language of the whole screen and remembers it. */
export function setLang(next: Lang) {
  if (next === current) return
  current = next
  keep('language', next)
  for (const listener of listeners) listener()
}

export function onLang(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLang = () => useSyncExternalStore<Lang>(onLang, lang, () => 'zh')

/** The words in the language of the screen, holes like {name} filled. */
export function say(words: LocalizedText, values?: Values) {
  return interpolate(words[current], values)
}

/** `say`, and the component is drawn anew when the language changes. */
export function useSay() {
  const language = useLang()
  // The language is in the list so that memoised children notice the change.
  return useCallback((words: LocalizedText, values?: Values) => interpolate(words[language], values), [language])
}

export type Say = ReturnType<typeof useSay>
