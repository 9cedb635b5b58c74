import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const ROOT = new URL('../', import.meta.url)
const SOURCES = '{apps,kit,domains,simulators,scripts,bench,tests}/**/*.{ts,tsx}'
const isSkipped = (file: string): boolean => /\/(dist|node_modules)\//.test(file) || file.startsWith('scripts/naming')

/** Words of a private dialect that must not be part of identifiers (docs/style.md). */
const WORDS = [
  'breath breaths ride rides lend lent told tell tells said hear hears heard asked settle settled deed deeds nameable',
  'naming namings furnish roomiest patience pulse beat there beside ahead behind street tally arrive arrives wish',
  'crowd crowded softly truly likeness undertaker rehearse rehearses rehearsal rehearsed disown lapse feel whose whom',
  'nobody somebody carry forget forgets way ways odd room rooms',
].flatMap((line) => line.split(' '))

/** Names that say too little for a type at the top of a module. */
const TYPES = (
  'Asked Place Ask Found Told Known Said Held Waiting Kept Shown Named Standing Made Deed Look Taken Sent Wanted ' +
  'Thing Stuff Data Info'
).split(' ')
const FUNCTIONS = (
  'ask settle say take tell turn send write note look answer follow begin lookAt hear giveBack carryOut ' + 'keep goOn'
).split(' ')

/** Returns how often each refused word (`word:`) and name (`name:`) is declared. */
function refusedNames(): Record<string, number> {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const file of globSync(SOURCES, { cwd: ROOT.pathname }).filter((one) => !isSkipped(one)))
    for (const key of refusedIn(readFileSync(new URL(file, ROOT), 'utf8'))) count(key)
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Returns the refused words and names that a source text declares. Functions, types, classes, constants and variables
 * count; keys of objects do not, since columns and API fields keep their names.
 */
function refusedIn(code: string): string[] {
  const found: string[] = []
  for (const [, indent, kind, name] of code.matchAll(DECLARED)) {
    for (const word of wordsOf(name!)) if (WORDS.includes(word)) found.push(`word:${word}`)
    if (indent) continue
    if ((kind === 'type' || kind === 'class') && TYPES.includes(name!)) found.push(`name:${name}`)
    if (/function|const/.test(kind!) && FUNCTIONS.includes(name!)) found.push(`name:${name}`)
  }
  return found
}

const DECLARED =
  /^( *)(?:export )?(?:default )?(?:abstract )?(?:async )?(function\*?|const|let|class|type|enum) ([A-Za-z_$][\w$]*)/gm

/** Splits a name: `hasPaidBack` into has, paid and back; `SENT_MAX` into sent and max. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[ _$]+/)
    .map((word) => word.toLowerCase())

const CEILINGS = new URL('naming-ceilings.json', import.meta.url)

describe('names', () => {
  test('are refused for a word of them, whatever its case and its place', () => {
    const code = 'export const rideOf = 1\nconst TOLD_MAX = 2\n  let isBesideIt = 3\nconst { told } = row\n'
    expect(refusedIn(code)).toEqual(['word:ride', 'word:told', 'word:beside'])
    expect(refusedIn("type Row = { told: string }\nconst bridge = 'ride'\n// const ride = 1\n")).toEqual([])
  })

  test('are refused alone at the top of a module, and not within a function', () => {
    const code = 'type Found = {}\nexport async function turn() {\n  const turn = 1\n}\n'
    expect(refusedIn(code)).toEqual(['name:Found', 'name:turn'])
  })

  test('use no more of the refused words than before', () => {
    const now = refusedNames()
    if (process.env.NAMES_RECOUNT) writeFileSync(CEILINGS, `${JSON.stringify(now, null, 2)}\n`)
    const ceilings = JSON.parse(readFileSync(CEILINGS, 'utf8')) as Record<string, number>
    // Choose the term of the field. When a count fell, record it with NAMES_RECOUNT=1.
    expect(Object.entries(now).filter(([key, count]) => count > (ceilings[key] ?? 0))).toEqual([])
  })
})
