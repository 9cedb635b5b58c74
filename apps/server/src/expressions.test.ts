import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expressionsOf, slownessOf } from '#tests/support/expressions.ts'

const root = join(import.meta.dirname, '../../..')
/** The server's source files: without browser files, tests and demo data. */
const files = globSync(
  ['apps/server/src/**/*.ts', 'kit/{fields,resource,server}/**/*.ts', 'domains/**/*.ts', 'simulators/**/*.ts'],
  {
    cwd: root,
    exclude: (path) => /node_modules|\.test(-d)?\.|\.web\.|\.page\.|\.panel\.|\.demo\./.test(path),
  },
).sort()

test('no expression of the server takes more than linear time, whatever text somebody sends', () => {
  const expressions = files.flatMap((file) => expressionsOf(root, file))
  expect(expressions.length).toBeGreaterThan(200)
  const seen = new Set<string>()
  const slow = expressions.flatMap((one) => {
    const key = `/${one.pattern}/${one.flags}`
    if (seen.has(key)) return []
    seen.add(key)
    const [worst] = slownessOf(one)
    return worst ? [`${one.file}:${one.line} ${key} ← ${worst}`] : []
  })
  expect(slow).toEqual([])
})

test('the measure tells expressions that take cubic, quadratic and doubling time from a linear one', () => {
  const of = (pattern: string) => slownessOf({ file: '', line: 0, pattern, flags: 'g' }).length > 0
  expect([of('\\b([\\w-]*(?:pwd|token)[\\w-]*)='), of('\\s+$'), of('^(a|a)*$')]).toEqual([true, true, true])
  expect([of('[\\w-]+'), of('^[.\\s]+')]).toEqual([false, false])
  // Slow only with a text before it, and only when the line goes on.
  expect([of('^[.\\s]+|[.\\s]+$'), of('(?:^|\\/)www\\/(.+?)\\/?$')]).toEqual([true, true])
})
