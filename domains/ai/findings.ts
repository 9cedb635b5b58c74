import { findingTypes } from './dictionaries.ts'

/** What a model says is data: read by this, bounded by this, and by nothing else. */
const ITEMS_MAX = 50
const TEXT_MAX = 200_000
const SAID_MAX = 200
const SUMMARY_MAX = 500
const ADVICE_MAX = 300
const UPC_MAX = 64

type Box = { x: number; y: number; w: number; h: number }
export type Found = {
  type: (typeof findingTypes)[number]
  said: string
  /** Per cent. */
  confidence: number
  box: Box | null
  upc: string | null
  advice: string | null
}
export type Reading = {
  /** False where it is not what was agreed: the run is kept as incomplete, with what can be read. */
  isWhole: boolean
  summary: string | null
  level: 'ok' | 'warn' | 'alarm' | null
  items: Found[]
}

const NOTHING: Reading = { isWhole: false, summary: null, level: null, items: [] }
const LEVELS = ['ok', 'warn', 'alarm'] as const

/** A line of text without control characters, direction marks and half characters, cut where it is too long. */
export function plainText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
    .slice(0, max * 4)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]+/gu, ' ')
    .trim()
  const signs = Array.from(text)
  return signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : text || null
}

/** Whatever the workflow ended with: an object, its JSON, or that within a fence of a chat answer. */
function resultOf(outputs: unknown): unknown {
  if (typeof outputs !== 'object' || outputs === null) return undefined
  const given = outputs as Record<string, unknown>
  const value = given.result ?? given.text ?? given.output ?? (given.items ? given : undefined)
  if (typeof value !== 'string') return value
  if (value.length > TEXT_MAX) return undefined
  const bare = value.replace(/^[\s\S]*?```(?:json)?\s*([\s\S]*?)```[\s\S]*$/, '$1').trim()
  try {
    return JSON.parse(bare)
  } catch {
    return undefined
  }
}

const unitOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.min(1, Math.max(0, number)) : undefined
}

const places = (value: number) => Math.round(value * 10_000) / 10_000

function boxOf(value: unknown): Box | null {
  if (!Array.isArray(value) || value.length !== 4) return null
  const [x, y, w, h] = value.map(unitOf)
  if (x === undefined || y === undefined || w === undefined || h === undefined) return null
  const box = { x: places(x), y: places(y), w: places(Math.min(w, 1 - x)), h: places(Math.min(h, 1 - y)) }
  return box.w > 0 && box.h > 0 ? box : null
}

function foundOf(value: unknown): Found | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const item = value as Record<string, unknown>
  const said = plainText(item.label, SAID_MAX)
  const confidence = unitOf(item.confidence)
  if (!said || confidence === undefined) return undefined
  const type = findingTypes.find((one) => one === item.type) ?? 'other'
  return {
    type,
    said,
    confidence: Math.round(confidence * 10_000) / 100,
    box: boxOf(item.box),
    upc: plainText(item.goodsUpc, UPC_MAX),
    advice: plainText(item.advice, ADVICE_MAX),
  }
}

/** What can be read of what a run ended with. Never throws, whatever it is. */
export function readResult(outputs: unknown): Reading {
  const result = resultOf(outputs)
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return NOTHING
  const { summary, level, items } = result as Record<string, unknown>
  const given = Array.isArray(items) ? items : []
  const found = given.slice(0, ITEMS_MAX).map(foundOf)
  const known = LEVELS.find((one) => one === level) ?? null
  return {
    isWhole: Array.isArray(items) && known !== null && given.length <= ITEMS_MAX && !found.includes(undefined),
    summary: plainText(summary, SUMMARY_MAX),
    level: known,
    items: found.filter((one) => one !== undefined),
  }
}

const OUTPUTS_MAX = 20_000

/** What is kept of the outputs word for word: all of them where that is short, else their beginning as a text. */
export function keptOutputs(outputs: unknown): object | null {
  if (typeof outputs !== 'object' || outputs === null) return null
  const text = JSON.stringify(outputs).replaceAll('\\u0000', '').toWellFormed()
  if (text.length <= OUTPUTS_MAX && !/\\ud[89a-f]/i.test(text)) return JSON.parse(text) as object
  return { cut: plainText(text, OUTPUTS_MAX / 4), characters: text.length }
}
