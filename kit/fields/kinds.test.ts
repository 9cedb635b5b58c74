import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { fieldKinds } from './kinds.ts'

const root = join(import.meta.dirname, '../..')
/** The files directly in kit/fields, which alone may look a kind up by its name. */
const LOOKED_UP = /^kit\/fields\/[^/]+$/
const sources = (): string[] =>
  globSync('{kit,domains,apps,simulators,scripts}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /node_modules|\/dist\//.test(path),
  }).filter((file) => !LOOKED_UP.test(file) && !/\.test(-d)?\.tsx?$/.test(file))

const name = `['"](?:${[...fieldKinds.keys()].join('|')})['"]`
/** Ways of asking a field for the name of its kind, or of comparing a kind with a name. */
const KIND_NAME_CHECKS = [
  /\bfield\w*[!?]?\.kind\b/g,
  /\bfields?\[[^\]]*\][!?]?\.kind\b/g,
  /\{[^{}]*\bkind\b[^{}]*\} = \(?field\b/g,
  new RegExp(`\\bkind\\b[!?)]*\\s*[!=]==?\\s*${name}`, 'g'),
  new RegExp(`${name}\\s*[!=]==?[^\\n]*\\bkind\\b`, 'g'),
  new RegExp(`${name}[^()\\[]*\\]\\s*\\.includes\\([^)\\n]*\\bkind\\b`, 'g'),
  /\.has\([^()\n]*\bkind\)/g,
]
const kindNameChecksIn = (text: string): string[] => KIND_NAME_CHECKS.flatMap((pattern) => text.match(pattern) ?? [])

test('what a kind is like is asked of the kind: nobody goes by its name', () => {
  const found = sources().flatMap((file) =>
    kindNameChecksIn(readFileSync(join(root, file), 'utf8')).map((ask) => [file, ask]),
  )
  expect(found).toEqual([])
})

test('a name of a kind is noticed wherever it is asked for', () => {
  for (const ask of [
    "if (field.kind === 'money') return",
    'REFERENCES.has(field?.kind)',
    'REFERENCES.has(one.kind)',
    'WIDTHS[field.kind] ?? 18',
    "resource.fields[key]?.kind === 'refs'",
    'const { kind } = field',
    "one.kind === 'richText'",
    "['dict', 'dicts'].includes(one.kind)",
  ])
    expect([ask, kindNameChecksIn(ask).length > 0]).toEqual([ask, true])
  for (const other of ["task.kind === 'export'", 'kindOf(field).many', "f.text({ kind: 'text' })"])
    expect([other, kindNameChecksIn(other)]).toEqual([other, []])
})

test('what a kind is like can be asked on either side and by declarations, without a circle', () => {
  const known = new Set<string>()
  const visit = (file: string) => {
    if (known.has(file)) return
    known.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, isType, from] of text.matchAll(/^import (type )?[^'"]*?['"]([^'"]+)['"]/gm))
      if (!isType) visit(from!.startsWith('.') ? join(dirname(file), from!) : from!)
  }
  visit(join(import.meta.dirname, 'kinds.ts'))
  const own = [...known].map((file) => relative(root, file))
  expect(own.filter((file) => !/^kit\/fields\/[\w/-]+\.ts$/.test(file))).toEqual([])
  expect(own.length).toBeGreaterThan(fieldKinds.size)
})
