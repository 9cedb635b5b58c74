import { useCallback, useSyncExternalStore } from 'react'
import { interpolate } from '#kit/resource/localized-text.ts'
import type { Lang, LocalizedText } from '#kit/resource/localized-text.ts'
import { setStoredValue, getStoredValue } from './storage.ts'

export type { Lang, LocalizedText } from '#kit/resource/localized-text.ts'
type Values = Record<string, unknown>

const listeners = new Set<() => void>()
const stored = globalThis.localStorage ? getStoredValue<Lang>('language') : undefined
let current: Lang = stored === 'en' ? 'en' : 'zh'

/** The language of the screen now. Outside components; inside use useLanguage. */
export const currentLanguage = () => current

/** Switches the language of the whole screen and remembers it. */
export function setLanguage(next: Lang) {
  if (next === current) return
  current = next
  setStoredValue('language', next)
  for (const listener of listeners) listener()
}

export function onLanguageChange(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLanguage = () => useSyncExternalStore<Lang>(onLanguageChange, currentLanguage, () => 'zh')

/** The words in the language of the screen, holes like {name} filled. */
export function localize(words: LocalizedText, values?: Values) {
  return interpolate(words[current], values)
}

/** `localize`, and the component is drawn anew when the language changes. */
export function useLocalize() {
  const language = useLanguage()
  // The language is in the list so that memoised children notice the change.
  return useCallback((words: LocalizedText, values?: Values) => interpolate(words[language], values), [language])
}

export type LocalizeFunction = ReturnType<typeof useLocalize>
