import { formatDecimal, parseDecimal } from '#kit/fields/field-kind.ts'
import type { Words } from '#kit/resource/index.ts'

export const campaignTypes = ['fullReduction', 'percentage', 'fixedPrice', 'nthPiece', 'bundle'] as const
export type CampaignType = (typeof campaignTypes)[number]

/** What a campaign does, inside: amounts in cents, rates in hundredths of a per cent that is still paid (8000: pays 80 %). */
export type CampaignRule =
  | { type: 'fullReduction'; tiers: readonly { over: number; off: number }[]; repeat: boolean }
  | { type: 'percentage'; rate: number; cap: number | null }
  | { type: 'fixedPrice'; price: number; maxPieces: number | null }
  | { type: 'nthPiece'; n: number; rate: number; mixed: boolean }
  | { type: 'bundle'; pieces: number; price: number; items: readonly { upc: string; quantity: number }[] }

/** A rule as the wire carries it: yuan and per cent as decimal text. */
export type RulesWire = Record<string, unknown>

const AMOUNT_MAX = 99_999_999
const PIECES_MAX = 99
export const TIERS_MAX = 5
export const ITEMS_MAX = 10

class Wrong extends Error {}
const wrong = (): never => {
  throw new Wrong()
}

const cents = (given: unknown): number => {
  const parsed = parseDecimal(given, 2)
  return parsed === undefined || parsed < 0 || parsed > AMOUNT_MAX ? wrong() : parsed
}
const whole = (given: unknown, min: number, max: number): number => {
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : wrong()
}
const rate = (given: unknown): number => {
  const parsed = parseDecimal(given, 2)
  return parsed === undefined || parsed < 0 || parsed >= 10_000 ? wrong() : parsed
}
const isGiven = (given: unknown) => given !== undefined && given !== null && given !== '' && given !== -1 && given !== '-1'
const optional = <V>(given: unknown, parse: (given: unknown) => V): V | null => (isGiven(given) ? parse(given) : null)
const records = (given: unknown, max: number): Record<string, unknown>[] =>
  Array.isArray(given) && given.length <= max && given.every((one) => typeof one === 'object' && one !== null) ? (given as Record<string, unknown>[]) : wrong()

function parse(type: CampaignType, given: RulesWire): CampaignRule {
  if (type === 'fullReduction') {
    const tiers = records(given.tiers, TIERS_MAX).map((one) => ({ over: cents(one.over), off: cents(one.off) })).sort((a, b) => a.over - b.over)
    const isSteps = tiers.every((one, at) => one.over > 0 && one.off > 0 && one.off <= one.over && (!at || (one.over > tiers[at - 1]!.over && one.off > tiers[at - 1]!.off)))
    if (!tiers.length || !isSteps) wrong()
    const repeat = given.repeat === true || given.repeat === 'true'
    return { type, tiers, repeat: repeat && tiers.length === 1 }
  }
  if (type === 'percentage') return { type, rate: rate(given.rate), cap: optional(given.cap, cents) || null }
  if (type === 'fixedPrice') return { type, price: cents(given.price), maxPieces: optional(given.maxPieces, (one) => whole(one, 1, PIECES_MAX)) }
  if (type === 'nthPiece') return { type, n: whole(given.n, 2, PIECES_MAX), rate: rate(given.rate), mixed: given.mixed === true || given.mixed === 'true' }
  const items = records(isGiven(given.items) ? given.items : [], ITEMS_MAX).map((one) => ({ upc: typeof one.upc === 'string' && /^[\w-]{1,64}$/.test(one.upc) ? one.upc : wrong(), quantity: whole(one.quantity, 1, PIECES_MAX) })).sort((a, b) => (a.upc < b.upc ? -1 : 1))
  if (new Set(items.map((one) => one.upc)).size !== items.length) wrong()
  const pieces = items.length ? items.reduce((sum, one) => sum + one.quantity, 0) : whole(given.pieces, 2, PIECES_MAX)
  if (pieces < 2) wrong()
  return { type, pieces, price: cents(given.price), items }
}

/** Reads a rule from the wire; undefined when it is not whole or makes no sense. */
export function parseRules(type: string | null | undefined, given: unknown): CampaignRule | undefined {
  if (!campaignTypes.includes(type as CampaignType) || typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  try {
    return parse(type as CampaignType, given as RulesWire)
  } catch (error) {
    if (error instanceof Wrong) return undefined
    throw error
  }
}

const yuan = (amount: number) => formatDecimal(amount, 2)

/** The same back onto the wire, in one form for one meaning. */
export function rulesWire(rule: CampaignRule): RulesWire {
  switch (rule.type) {
    case 'fullReduction':
      return { tiers: rule.tiers.map((one) => ({ over: yuan(one.over), off: yuan(one.off) })), repeat: rule.repeat }
    case 'percentage':
      return { rate: yuan(rule.rate), cap: rule.cap === null ? '' : yuan(rule.cap) }
    case 'fixedPrice':
      return { price: yuan(rule.price), maxPieces: rule.maxPieces ?? '' }
    case 'nthPiece':
      return { n: rule.n, rate: yuan(rule.rate), mixed: rule.mixed }
    case 'bundle':
      return { pieces: rule.pieces, price: yuan(rule.price), items: rule.items }
  }
}

const short = (amount: number) => (amount % 100 ? yuan(amount) : String(amount / 100))
/** 8000 → "8" as in 8 折, 8500 → "8.5". */
const fold = (paid: number) => String(paid / 1000)
const percent = (paid: number) => String((10_000 - paid) / 100)

/** What a rule promises, as a customer would read it on the shelf. */
export function rulePromise(rule: CampaignRule): Words {
  switch (rule.type) {
    case 'fullReduction': {
      const each = rule.repeat ? '每' : ''
      return {
        zh: rule.tiers.map((one) => `${each}满 ${short(one.over)} 减 ${short(one.off)}`).join('，'),
        en: rule.tiers.map((one) => `¥${short(one.off)} off ${rule.repeat ? 'every' : 'from'} ¥${short(one.over)}`).join(', '),
      }
    }
    case 'percentage':
      return {
        zh: `${rule.rate ? `打 ${fold(rule.rate)} 折` : '免费'}${rule.cap === null ? '' : `，最多减 ${short(rule.cap)}`}`,
        en: `${percent(rule.rate)}% off${rule.cap === null ? '' : `, at most ¥${short(rule.cap)}`}`,
      }
    case 'fixedPrice':
      return {
        zh: `特价 ${short(rule.price)} 元${rule.maxPieces ? `，每单限 ${rule.maxPieces} 件` : ''}`,
        en: `¥${short(rule.price)} each${rule.maxPieces ? `, at most ${rule.maxPieces} per order` : ''}`,
      }
    case 'nthPiece':
      return {
        zh: `${rule.mixed ? '任选' : '同款'}第 ${rule.n} 件${rule.rate === 0 ? '免费' : rule.rate === 5000 ? '半价' : ` ${fold(rule.rate)} 折`}`,
        en: `${rule.rate === 0 ? 'Free' : `${percent(rule.rate)}% off`} every ${rule.n}${['th', 'st', 'nd', 'rd'][rule.n % 10 < 4 && ~~(rule.n / 10) !== 1 ? rule.n % 10 : 0]} piece${rule.mixed ? ', any mix' : ' of the same goods'}`,
      }
    case 'bundle':
      return rule.items.length
        ? { zh: `${rule.items.length} 种商品组合价 ${short(rule.price)} 元`, en: `The set of ${rule.items.length} for ¥${short(rule.price)}` }
        : { zh: `任选 ${rule.pieces} 件 ${short(rule.price)} 元`, en: `Any ${rule.pieces} for ¥${short(rule.price)}` }
  }
}
