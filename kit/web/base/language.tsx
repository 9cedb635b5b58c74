import { useCallback, useSyncExternalStore } from 'react'
import { interpolate, type Lang, type LocalizedText } from '#kit/base/localized-text.ts'
import { setStoredValue, getStoredValue } from './storage.ts'

export type { Lang, LocalizedText } from '#kit/base/localized-text.ts'
type Values = Record<string, unknown>

const listeners = new Set<() => void>()
const stored = globalThis.localStorage ? getStoredValue<Lang>('language') : undefined
let current: Lang = stored === 'en' ? 'en' : 'zh'

/** Returns the current language, for code outside components; components use `useLanguage`. */
export const currentLanguage = () => current

/** Switches the language of the whole screen and stores it in the browser. */
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

/** Returns a text in the current language, with placeholders like {name} filled in. */
export function localizeForUser(words: LocalizedText, values?: Values) {
  return interpolate(words[current], values)
}

/** Returns `localizeForUser` for components, which render again when the language changes. */
export function useLocalize() {
  const language = useLanguage()
  // The function changes with the language, so that memoised children render again.
  return useCallback((words: LocalizedText, values?: Values) => interpolate(words[language], values), [language])
}

export type LocalizeFunction = ReturnType<typeof useLocalize>
