import { globSync, readFileSync } from 'node:fs'

const ROOT = new URL('../', import.meta.url)
const SOURCES = '{apps,kit,domains}/**/*.{ts,tsx}'
const isTest = (file: string): boolean =>
  /\.(test|test-d|child)\.|\/test-|\/(testing|gallery|dist|node_modules)\//.test(file)
const EXPORTED = /^export (?:default )?(?:async )?(?:function\*?|const|let|class|type|enum) ([A-Za-z_$][\w$]*)/gm

type ExportedName = { name: string; file: string }

/** Every name the product's own files export, tests aside, in the order of their paths. */
export function exportedNames(): ExportedName[] {
  return globSync(SOURCES, { cwd: ROOT.pathname })
    .filter((file) => !isTest(file))
    .sort()
    .flatMap((file) => namesIn(readFileSync(new URL(file, ROOT), 'utf8')).map((name) => ({ name, file })))
}

/** The names a source text exports where it declares them, each once. */
export const namesIn = (code: string): string[] => [...new Set([...code.matchAll(EXPORTED)].map(([, name]) => name!))]

/** Draws `count` different entries. The same seed draws the same ones of the same list. */
export function sampleBySeed<T>(list: readonly T[], count: number, seed: number): T[] {
  const random = mulberry32(seed)
  const left = [...list]
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [drawn] = left.splice(Math.floor(random() * left.length), 1)
    return drawn!
  })
}

/** A small generator of numbers from 0 up to 1 that a seed determines. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
