import { useCallback } from 'react'
import { interpolate } from '#kit/base/localized-text.ts'
import { currentLanguage, useLanguage } from '#kit/web/base/language.tsx'
import { englishShellWords } from './en.ts'
import { chineseShellWords } from './zh.ts'

export type ShellWordKey = keyof typeof chineseShellWords
type Values = Record<string, unknown>

const words = { zh: chineseShellWords, en: englishShellWords }

/** Returns a shell text in the current language, with placeholders like {name} filled in. */
export const t = (key: ShellWordKey, values?: Values) => interpolate(words[currentLanguage()][key], values)

/** Returns `t` for components, which render again when the language changes. */
export function useShellTranslation() {
  const language = useLanguage()
  return useCallback((key: ShellWordKey, values?: Values) => interpolate(words[language][key], values), [language])
}
