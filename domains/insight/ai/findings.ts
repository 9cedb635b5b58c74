import { truncateText } from '#kit/server/base/foreign-text.ts'
import { aiFindingTypes } from './dictionaries.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** Limits for model output, which is untrusted: only this file parses it. */
const ITEMS_MAX = 50
const TEXT_MAX = 200_000
const LABEL_MAX = 200
const SUMMARY_MAX = 500
const ADVICE_MAX = 300
const UPC_MAX = 64

type Box = { x: number; y: number; w: number; h: number }
export type ParsedFinding = {
  type: (typeof aiFindingTypes)[number]
  said: string
  /** In per cent. */
  confidence: number
  box: Box | null
  upc: string | null
  advice: string | null
}
export type ParsedRunOutput = {
  /** False if the output does not have the agreed form: the run counts as partial, with what could be read. */
  isWhole: boolean
  summary: string | null
  level: 'ok' | 'warn' | 'alarm' | null
  items: ParsedFinding[]
}

const NOTHING: ParsedRunOutput = { isWhole: false, summary: null, level: null, items: [] }
const LEVELS = ['ok', 'warn', 'alarm'] as const

/**
 * Returns a single line without control characters, direction marks and broken surrogates, cut to `max` characters;
 * null if nothing is left.
 */
export function sanitizeModelText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = truncateText(String(value), max * 4)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]+/gu, ' ')
    .trim()
  const signs = Array.from(text)
  return signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : text || null
}

/** Keys under which a workflow may return its result: the agreed one, that of structured output, and common ones. */
const PLACES = ['result', 'structured_output', 'text', 'output'] as const

/** Finds the result in the outputs: an object, its JSON, or JSON inside a code fence of a chat answer. */
function resultOf(outputs: unknown): unknown {
  if (typeof outputs !== 'object' || outputs === null) return undefined
  const given = outputs as Record<string, unknown>
  const candidates = [...PLACES.map((place) => given[place]), given]
    .map(parseJsonObject)
    .filter((one) => one !== undefined)
  return candidates.find((one) => Array.isArray(one.items)) ?? candidates[0]
}

type JsonObject = Record<string, unknown>
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseJsonObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'string') return isJsonObject(value) ? value : undefined
  if (value.length > TEXT_MAX) return undefined
  for (const part of partsOf(answerIn(value))) {
    try {
      const read: unknown = parseUntrustedJson(part.trim())
      if (isJsonObject(read)) return read
    } catch {
      // Not JSON: another part may be.
    }
  }
  return undefined
}

const THOUGHTS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<details', '</details>'],
] as const

/** Returns the text after the model's thoughts; empty if a thought has no end. */
function answerIn(text: string): string {
  for (const [start, end] of THOUGHTS) {
    const over = text.lastIndexOf(end)
    if (over !== -1) return text.slice(over + end.length)
    if (text.trimStart().startsWith(start)) return ''
  }
  return text
}

const FENCE = '```'
const FENCES_MAX = 20

/** Returns the whole text and then the contents of its code fences, in order. */
function partsOf(text: string): string[] {
  const inside = text.split(FENCE, 2 * FENCES_MAX).filter((_part, at) => at % 2 === 1)
  return [text, ...inside.map((part) => (part.startsWith('json') ? part.slice('json'.length) : part))]
}

const unitOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  // 60 may mean per cent or nonsense: only numbers from 0 to 1 are read.
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined
}

/** How far a box may exceed the picture, because its corners were rounded. */
const ROUNDING = 0.005

const places = (value: number) => Math.round(value * 10_000) / 10_000

function boxOf(value: unknown): Box | null {
  if (!Array.isArray(value) || value.length !== 4) return null
  const [x, y, w, h] = value.map(unitOf)
  if (x === undefined || y === undefined || w === undefined || h === undefined) return null
  if (x + w > 1 + ROUNDING || y + h > 1 + ROUNDING) return null
  const box = { x: places(x), y: places(y), w: places(Math.min(w, 1 - x)), h: places(Math.min(h, 1 - y)) }
  return box.w > 0 && box.h > 0 ? box : null
}

function foundOf(value: unknown): ParsedFinding | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const item = value as Record<string, unknown>
  const label = sanitizeModelText(item.label, LABEL_MAX)
  const confidence = unitOf(item.confidence)
  if (!label || confidence === undefined) return undefined
  const type = aiFindingTypes.find((one) => one === item.type) ?? 'other'
  return {
    type,
    said: label,
    confidence: Math.round(confidence * 10_000) / 100,
    box: boxOf(item.box),
    upc: sanitizeModelText(item.goodsUpc, UPC_MAX),
    advice: sanitizeModelText(item.advice, ADVICE_MAX),
  }
}

/** Parses the outputs of a run; never throws. */
export function parseRunOutput(outputs: unknown): ParsedRunOutput {
  const result = resultOf(outputs)
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return NOTHING
  const { summary, level, items } = result as Record<string, unknown>
  const given = Array.isArray(items) ? items : []
  const found = given.slice(0, ITEMS_MAX).map(foundOf)
  const known = LEVELS.find((one) => one === level) ?? null
  return {
    isWhole: Array.isArray(items) && known !== null && given.length <= ITEMS_MAX && !found.includes(undefined),
    summary: sanitizeModelText(summary, SUMMARY_MAX),
    level: known,
    items: found.filter((one) => one !== undefined),
  }
}

const OUTPUTS_MAX = 20_000

/** Returns the outputs for storage: unchanged if short, else their beginning as text. Null if there are none. */
export function toStorableRunOutputs(outputs: unknown): object | null {
  if (typeof outputs !== 'object' || outputs === null) return null
  const text = JSON.stringify(outputs).replaceAll('\\u0000', '').toWellFormed()
  if (text.length <= OUTPUTS_MAX && !/\\ud[89a-f]/i.test(text)) return JSON.parse(text) as object
  return { cut: sanitizeModelText(text, OUTPUTS_MAX / 4), characters: text.length }
}
