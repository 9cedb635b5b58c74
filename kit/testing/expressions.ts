import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { cpu } from './event-loop-block.ts'

/** A regular expression as it stands in a source file. */
type Expression = { file: string; line: number; pattern: string; flags: string }

type Node = { type?: string; start?: number; regex?: { pattern: string; flags: string }; [key: string]: unknown }

/** Every expression literal of a source file, found in its syntax tree: a division or a path in a text is none. */
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

/** One character for each thing an expression may stand on, and the words that stand in it. */
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

/** Short texts that, repeated, make an expression with too much choice try and try again. */
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

/** The shortest of a few runs in milliseconds of this thread's own processor time. */
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
/** What a linear expression never takes for so short a text, whatever else the machine does. */
const NOTICED_MS = 1.5

/** Grows the text by steps, so that an expression that doubles with each letter is caught before it never ends. */
function isNoticed(expression: Expression, hostile: (length: number) => string): boolean {
  return (
    [16, 19, 22, 200, 1_000, SHORT].some((length) => timeOf(expression, hostile(length), 1) > 20) ||
    timeOf(expression, hostile(LONG), 1) > NOTICED_MS
  )
}

/** What looked like more than linear time may have been a collection of garbage: four times as long it shows. */
function isStillWorse(expression: Expression, hostile: (length: number) => string, many: number): boolean {
  if (many > 50) return true
  const most = timeOf(expression, hostile(4 * LONG), 2)
  return most > 10 && most / many > 6
}

type Around = { start: string; end: string }

/**
 * What stands before and behind what is repeated. A beginning of another kind keeps an alternative that holds at the
 * beginning from eating all of it; an end of another kind undoes what an expression has taken for whole: a letter it
 * does not want, a line that goes on, what it wants but not there.
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

/** The texts an expression takes more than linear time for: with four times the length well over four times as long. */
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
