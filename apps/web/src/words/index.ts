import { useCallback } from 'react'
import { interpolate } from '#kit/resource/localized-text.ts'
import { lang, useLang } from '#kit/web/language.tsx'
import { en } from './en.ts'
import { zh } from './zh.ts'

export type ShellWord = keyof typeof zh
type Values = Record<string, unknown>

const words = { zh, en }

/** The sentence under a key, holes like {name} filled. */
export const t = (key: ShellWord, values?: Values) => interpolate(words[lang()][key], values)

/** `t`, and the component is drawn anew when the language changes. */
export function useT() {
  const language = useLang()
  return useCallback((key: ShellWord, values?: Values) => interpolate(words[language][key], values), [language])
}
