import { expect, test } from 'vitest'
import { englishShellWords } from './en.ts'
import { t } from './index.ts'
import { chineseShellWords } from './zh.ts'

const holesOf = (sentence: string) => [...sentence.matchAll(/\{+\w+\}+/g)].map(String).sort((a, b) => (a < b ? -1 : 1))

test('a sentence has the same holes in both languages, and what is said fills them', () => {
  const keys = Object.keys(chineseShellWords) as (keyof typeof chineseShellWords)[]
  expect(
    keys.filter((key) => holesOf(chineseShellWords[key]).join() !== holesOf(englishShellWords[key]).join()),
  ).toEqual([])
  const values = Object.fromEntries(
    keys.flatMap((key) => holesOf(chineseShellWords[key]).map((hole) => [hole.replace(/[{}]/g, ''), 7])),
  )
  expect(keys.map((key) => t(key, values)).filter((sentence) => /[{}]/.test(sentence))).toEqual([])
  expect(t('info.rule.length', { length: 8 })).toBe('至少 8 位')
})
