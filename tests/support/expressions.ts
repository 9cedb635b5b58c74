import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { cpu } from './event-loop-block.ts'

/** A regular expression literal in a source file. */
type Expression = { file: string; line: number; pattern: string; flags: string }

type Node = { type?: string; start?: number; regex?: { pattern: string; flags: string }; [key: string]: unknown }

/** Returns all regular expression literals of a source file, from its syntax tree. */
export function expressionsOf(root: string, file: string): Expression[] {
  const source = readFileSync(`${root}/${file}`, 'utf8')
  const found: Expression[] = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const { type, regex, start } = node as Node
    if (type === 'Literal' && regex) found.push({ file, line: source.slice(0, start).split('\n').length, ...regex })
    else for (const value of Object.values(node)) walk(value)
  }
  walk(parseSync(file, source).program.body)
  return found
}

/** Returns texts that parts of the expression match: a character per class, and the words in it. */
function atomsOf({ pattern }: Expression): string[] {
  const escapes: Record<string, string> = { d: '1', w: 'a', s: ' ', D: 'x', S: 'x', W: '-', n: '\n', t: '\t', r: '\r' }
  const plain = pattern
    .replace(/\\[pP]\{[^}]*\}/g, '中')
    .replace(/\\u\{?([0-9a-f]{4,5})\}?/gi, (_all, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/\\x([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)|\{\d+,?\d*\}/g, ' ')
    .replace(/\\([bB])/g, '')
    .replace(/\\(.)/g, (_all, one: string) => escapes[one] ?? one)
  const words = plain.match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  return [...new Set(['a', 'A', '1', ' ', '-', '.', '\n', ...words, ...plain])].slice(0, 60)
}

/** Returns short texts that, repeated, can make an ambiguous expression backtrack. */
function pumpsOf(expression: Expression): string[] {
  const atoms = atomsOf(expression)
  const words = atoms.filter((atom) => atom.length > 1).slice(0, 12)
  const single = atoms.filter((atom) => atom.length === 1)
  const rare = single.filter((atom) => !/[a-z]/i.test(atom)).slice(0, 14)
  const pairs = [...words, 'a', '1'].flatMap((word) => rare.map((one) => `${word}${one}`))
  return [
    ...new Set([...atoms, ...pairs, ...rare.flatMap((one) => rare.filter((two) => two < one).map((two) => one + two))]),
  ]
}

/** Returns the shortest CPU time in ms of some runs. */
function timeOf({ pattern, flags }: Expression, text: string, runs = 3): number {
  const expression = new RegExp(pattern, /[gy]/.test(flags) ? flags : `${flags}g`)
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const began = cpu()
    text.replace(expression, '')
    least = Math.min(least, cpu() - began)
  }
  return least
}

const SHORT = 4_000
const LONG = 4 * SHORT
/** CPU time that a linear expression never needs for such a short text. */
const NOTICED_MS = 1.5

/**
 * Tries longer and longer texts, so that an exponential expression is found before it runs for ever. Returns whether it
 * seems slow.
 */
function isNoticed(expression: Expression, hostile: (length: number) => string): boolean {
  return (
    [16, 19, 22, 200, 1_000, SHORT].some((length) => timeOf(expression, hostile(length), 1) > 20) ||
    timeOf(expression, hostile(LONG), 1) > NOTICED_MS
  )
}

/** Repeats with four times the length: otherwise it was only garbage collection. */
function isStillWorse(expression: Expression, hostile: (length: number) => string, many: number): boolean {
  if (many > 50) return true
  const most = timeOf(expression, hostile(4 * LONG), 2)
  return most > 10 && most / many > 6
}

type Around = { start: string; end: string }

/**
 * Returns what to put before and after the repeated text. Another beginning keeps an alternative that matches at the
 * start from consuming everything; another end makes the match fail late: an unwanted character, another line, a wanted
 * text elsewhere.
 */
function aroundsOf(expression: Expression): Around[] {
  const atoms = atomsOf(expression)
  const words = atoms.filter((atom) => atom.length > 1).slice(0, 2)
  const rare = atoms.filter((atom) => atom.length === 1 && !/[a-z0-9\s]/i.test(atom)).slice(0, 3)
  const starts = ['', 'x', ...words, ...rare]
  const ends = ['\u0000', '\n\u0000', 'x', ...words.slice(0, 1)]
  return [
    ...starts.map((start) => ({ start, end: '\u0000' })),
    ...ends.slice(1).flatMap((end) => ['', 'x'].map((start) => ({ start, end }))),
  ]
}

/**
 * Returns a text for which an expression takes more than linear time, with the times measured; nothing when there is
 * none.
 */
export function slownessOf(expression: Expression): string[] {
  const arounds = aroundsOf(expression)
  const atoms = new Set(atomsOf(expression))
  const few = arounds.filter(({ start, end }) => ['', 'x'].includes(start) && end !== 'x')
  for (const pump of pumpsOf(expression)) {
    for (const { start, end } of atoms.has(pump) ? arounds : few) {
      const hostile = (length: number) => `${start}${pump.repeat(Math.ceil(length / pump.length))}${end}`
      if (!isNoticed(expression, hostile)) continue
      const few = timeOf(expression, hostile(22), 2)
      if (few > 10)
        return [`${JSON.stringify(start + pump)}…${JSON.stringify(end)} ${few.toFixed(1)} ms for 22 letters`]
      const [some, many] = [timeOf(expression, hostile(SHORT)), timeOf(expression, hostile(LONG), 2)]
      if (many > NOTICED_MS && many / some > 8 && isStillWorse(expression, hostile, many))
        return [`${JSON.stringify(start + pump)}…${JSON.stringify(end)} ${some.toFixed(1)} → ${many.toFixed(1)} ms`]
    }
  }
  return []
}
