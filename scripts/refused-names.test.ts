import { globSync, readFileSync } from 'node:fs'
import { RuleTester } from 'oxlint/plugins-dev'
import { describe, expect, it, test } from 'vitest'
import plugin from './refused-names-plugin.ts'
import { refusedWordIn } from './refused-names.ts'

const ROOT = new URL('../', import.meta.url)
const FILES = '{apps,kit,domains,simulators,scripts,bench,tests,docs}/**/*.{ts,tsx,mjs,css,md}'
/** Decisions keep the words of their time. */
const isSkipped = (file: string): boolean => /(^|\/)(dist|node_modules|decisions)\//.test(file)

RuleTester.describe = describe
RuleTester.it = it
const refuses = (name: string, code: string, ...names: string[]) => ({
  name,
  code,
  filename: 'a.ts',
  errors: names.map((one) => new RegExp(`"${one}"`)),
})

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run('a name', plugin.rules['no-refused-words'], {
  valid: [
    { name: 'may contain a refused word as part of another', code: "const bridge = 'ride'; const untoldWealth = 1" },
    { name: 'is free as the key of an object', code: 'const row = { told: 1, whose() {} }' },
    {
      name: 'is free where it takes a key out of an object',
      code: 'const { told } = row; const f = ({ whose }) => whose',
    },
    {
      name: 'is free within a function though it says little',
      code: 'function work() { const turn = 1; return turn }',
    },
  ],
  invalid: [
    refuses(
      'is refused for a word of it, whatever its case and place',
      'export const rideOf = 1; const TOLD_MAX = 2; let isBesideIt',
      'rideOf',
      'TOLD_MAX',
      'isBesideIt',
    ),
    refuses('is refused as a parameter', 'const f = (asked: string, [said]: string[]) => 1', 'asked', 'said'),
    refuses('is refused in the type of a function', 'type Listener = (told: string) => void', 'told'),
    refuses(
      'is refused where it renames a key or an import',
      "import { a as lend } from 'a'; const { b: way } = c",
      'lend',
      'way',
    ),
    refuses(
      'is refused for a type, a class and a function',
      'type Deed = 1; class Room {} function settleAll() {}',
      'Deed',
      'Room',
      'settleAll',
    ),
    refuses(
      'is refused at the top of a module when it says too little',
      'type Found = {}; export function turn() {}',
      'Found',
      'turn',
    ),
  ],
})

test('no file and no folder is called by a refused word', () => {
  const files = globSync(FILES, { cwd: ROOT.pathname }).filter((file) => !isSkipped(file))
  expect(files.length).toBeGreaterThan(2000)
  expect(files.flatMap((file) => (refusedWordIn(file) ? [`${file}: ${refusedWordIn(file)}`] : []))).toEqual([])
})

/** Second names of things, and the name the glossary has. */
const SECOND_NAMES = {
  resource: /\bfamil(?:y|ies)\b/i,
  module: /\brooms\b/i,
  'entry file': /\bmodules?['’]s? (?:\w+ )?doors?\b|\bdoors? of (?:a|the|another) module\b/i,
  'test tenants, simulation': /\bstreets?\b/i,
  'demo data': /\bstor(?:y|ies)\b/i,
  batch: /\bbreaths?\b/i,
  'cross-tenant query': /\bcrossings?\b/i,
  retention: /\bforgets\b/i,
  'system-updated': /\bmoves \(of a field\)/i,
}

test('documents call each thing by the name the glossary has', () => {
  const files = ['*.md', 'docs/**/*.md', 'domains/**/README.md'].flatMap((form) =>
    globSync(form, { cwd: ROOT.pathname }),
  )
  const faults = files
    .filter((file) => !isSkipped(file) && !/^CHANGELOG|^docs\/derived\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, ROOT), 'utf8')
      const prose = text.replace(/^( *)```[^]*?^\1```/gm, '').replace(/`[^`]*`|\]\([^)]*\)/g, '')
      return Object.entries(SECOND_NAMES).flatMap(([name, second]) =>
        second.test(prose) ? [`${file}: "${second.exec(prose)![0]}" is "${name}"`] : [],
      )
    })
  expect(faults).toEqual([])
})
