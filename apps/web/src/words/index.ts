import { addWords } from '#kit/web/words.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

export type ShellWord = keyof typeof zh
export const { t, useT } = addWords('shell', { zh, en })
