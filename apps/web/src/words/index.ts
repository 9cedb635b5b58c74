import { useCallback } from 'react'
import { interpolate } from '#kit/resource/localized-text.ts'
import { currentLanguage, useLanguage } from '#kit/web/language.tsx'
import { englishShellWords } from './en.ts'
import { chineseShellWords } from './zh.ts'

export type ShellWordKey = keyof typeof chineseShellWords
type Values = Record<string, unknown>

const words = { zh: chineseShellWords, en: englishShellWords }

/** The sentence under a key, holes like {name} filled. */
export const t = (key: ShellWordKey, values?: Values) => interpolate(words[currentLanguage()][key], values)

/** `t`, and the component is drawn anew when the language changes. */
export function useShellTranslation() {
  const language = useLanguage()
  return useCallback((key: ShellWordKey, values?: Values) => interpolate(words[language][key], values), [language])
}
