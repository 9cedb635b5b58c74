import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import { parseYuanToCents, formatYuanShort, formatYuan } from '#kit/fields/money/cents.ts'
import { type FieldProblem } from '#kit/fields/base/field-kind.ts'
import type { LocalizedText } from '#kit/resource/index.ts'

export const campaignTypes = ['fullReduction', 'percentage', 'fixedPrice', 'nthPiece', 'bundle'] as const
export type CampaignType = (typeof campaignTypes)[number]

/** A product of a bundle by barcode; `name` is only displayed. */
export type BundleItem = { upc: string; quantity: number; name?: string }

/**
 * The rule of a campaign as the server computes it: amounts in cents, rates in hundredths of a per cent still to pay
 * (8000: 80 %).
 */
export type CampaignRule =
  | { type: 'fullReduction'; tiers: readonly { over: number; off: number }[]; repeat: boolean }
  | { type: 'percentage'; rate: number; cap: number | null }
  | { type: 'fixedPrice'; price: number; maxPieces: number | null }
  | { type: 'nthPiece'; n: number; rate: number; mixed: boolean }
  | { type: 'bundle'; pieces: number; price: number; items: readonly BundleItem[] }

export type RuleOf<T extends CampaignType> = Extract<CampaignRule, { type: T }>

/** A rule as the wire carries it: yuan and per cent as decimal text. */
type RulesWire = Record<string, unknown>

const AMOUNT_MAX = 99_999_999
const PIECES_MAX = 99
export const TIERS_MAX = 5
export const ITEMS_MAX = 10

/** Names of a rule's numbers in forms and refusals. */
export const rulePartLabels = {
  over: { zh: '满', en: 'Minimum spend' },
  off: { zh: '减', en: 'Money off' },
  repeat: { zh: '每满都减', en: 'Repeat for every multiple' },
  rate: { zh: '付原价的百分比', en: 'Percentage of price paid' },
  cap: { zh: '最多减', en: 'Maximum discount' },
  unitPrice: { zh: '特价', en: 'Fixed price' },
  maxPieces: { zh: '每单限几件', en: 'Limit per order' },
  n: { zh: '第几件', en: 'Nth item' },
  nthRate: { zh: '这件付原价的百分比', en: 'Percentage paid for this item' },
  pieces: { zh: '任选几件', en: 'Number of items' },
  price: { zh: '一共卖', en: 'Bundle price' },
  items: { zh: '组合里的商品', en: 'Bundle products' },
  quantity: { zh: '件数', en: 'Pieces' },
} satisfies Record<string, LocalizedText>

/** What is wrong with one number of a rule; `at` is its place: `rate`, `tiers.1.off`, `items.0.quantity`. */
export type RuleProblem = { at: string; label: LocalizedText; problem: FieldProblem }

type Range = { min: number; max: number }
type Reader = {
  problems: RuleProblem[]
  wrong: (at: string, label: LocalizedText, code: FieldProblem['code'], params?: FieldProblem['params']) => number
}

function reader(): Reader {
  const problems: RuleProblem[] = []
  return {
    problems,
    wrong: (at, label, code, params) => (
      problems.push({ at, label, problem: { code, ...(params && { params }) } }),
      Number.NaN
    ),
  }
}

const isGiven = (given: unknown) =>
  given !== undefined && given !== null && given !== '' && given !== -1 && given !== '-1'

/** Decimal text with two places as a whole number of hundredths: cents, or hundredths of a per cent. */
function hundredths(
  { wrong }: Reader,
  given: unknown,
  at: string,
  label: LocalizedText,
  { min, max }: Range,
  code: 'not_money' | 'not_a_number' = 'not_money',
): number {
  if (!isGiven(given)) return wrong(at, label, 'required')
  const parsed = parseYuanToCents(given)
  if (parsed === undefined) return wrong(at, label, code, { decimals: 2 })
  if (parsed < min) return wrong(at, label, 'too_small', { min: formatYuan(min) })
  return parsed > max ? wrong(at, label, 'too_large', { max: formatYuan(max) }) : parsed
}

function whole({ wrong }: Reader, given: unknown, at: string, label: LocalizedText, { min, max }: Range): number {
  if (!isGiven(given)) return wrong(at, label, 'required')
  const number = typeof given === 'string' ? Number(given) : given
  if (typeof number !== 'number' || !Number.isInteger(number)) return wrong(at, label, 'not_an_integer')
  if (number < min) return wrong(at, label, 'too_small', { min })
  return number > max ? wrong(at, label, 'too_large', { max }) : number
}

function records(
  { wrong }: Reader,
  given: unknown,
  at: string,
  label: LocalizedText,
  max: number,
): Record<string, unknown>[] {
  if (!isGiven(given)) return []
  if (!Array.isArray(given) || !given.every((one) => typeof one === 'object' && one !== null))
    return (wrong(at, label, 'bad_format'), [])
  if (given.length > max) return (wrong(at, label, 'too_many', { max }), [])
  return given as Record<string, unknown>[]
}

const isTrue = (given: unknown) => given === true || given === 'true'
const AMOUNT: Range = { min: 0, max: AMOUNT_MAX }
const RATE: Range = { min: 0, max: 9_999 }

/** Adds the number of the step to a label when there are several. */
const tierPart = (at: number, part: LocalizedText, count: number): LocalizedText =>
  count > 1 ? { zh: `第 ${at + 1} 档的“${part.zh}”`, en: `Step ${at + 1}: ${part.en}` } : part

const ONE_STEP: LocalizedText = {
  zh: '{label}只能用于一档满减，请去掉其余各档或不选它',
  en: '{label} only works with a single level. Remove the other levels or clear it.',
}

function readTiers(r: Reader, given: RulesWire): CampaignRule {
  const rows = records(r, given.tiers, 'tiers', rulePartLabels.over, TIERS_MAX)
  if (!rows.length && !r.problems.length) r.wrong('tiers.0.over', rulePartLabels.over, 'required')
  const label = (at: number, part: 'over' | 'off') => tierPart(at, rulePartLabels[part], rows.length)
  const read = rows.map((one, at) => ({
    at,
    over: hundredths(r, one.over, `tiers.${at}.over`, label(at, 'over'), { min: 1, max: AMOUNT_MAX }),
    off: hundredths(r, one.off, `tiers.${at}.off`, label(at, 'off'), { min: 1, max: AMOUNT_MAX }),
  }))
  const tiers = read.toSorted((a, b) => a.over - b.over)
  for (const [n, { at, over, off }] of tiers.entries()) {
    const below = tiers[n - 1]
    if (off > over) r.wrong(`tiers.${at}.off`, label(at, 'off'), 'too_large', { max: formatYuan(over) })
    if (below && over <= below.over)
      r.wrong(`tiers.${at}.over`, label(at, 'over'), 'too_small', { min: formatYuan(below.over + 1) })
    else if (below && off <= below.off)
      r.wrong(`tiers.${at}.off`, label(at, 'off'), 'too_small', { min: formatYuan(below.off + 1) })
  }
  const repeat = isTrue(given.repeat)
  // With several steps it would be unclear which one repeats.
  if (repeat && tiers.length > 1)
    r.problems.push({ at: 'repeat', label: rulePartLabels.repeat, problem: { code: 'bad_format', words: ONE_STEP } })
  return { type: 'fullReduction', tiers: tiers.map(({ over, off }) => ({ over, off })), repeat }
}

function readBundle(r: Reader, given: RulesWire): CampaignRule {
  const rows = records(r, given.items, 'items', rulePartLabels.items, ITEMS_MAX)
  const items = rows
    .map((one, at) => {
      const upc = typeof one.upc === 'string' && /^[\w-]{1,64}$/.test(one.upc) ? one.upc : ''
      const name = typeof one.name === 'string' && one.name.isWellFormed() ? [...one.name].slice(0, 100).join('') : ''
      const label = { zh: name || upc, en: name || upc }
      if (!upc) r.wrong(`items.${at}.upc`, rulePartLabels.items, 'bad_format')
      else if (rows.findIndex((other) => isSameBarcode(String(other.upc), upc)) < at)
        r.wrong(`items.${at}.upc`, label, 'taken')
      return {
        upc,
        quantity: whole(
          r,
          one.quantity,
          `items.${at}.quantity`,
          { zh: `${label.zh}的${rulePartLabels.quantity.zh}`, en: `${rulePartLabels.quantity.en} of ${label.en}` },
          { min: 1, max: PIECES_MAX },
        ),
        ...(name && { name }),
      }
    })
    .sort((a, b) => (a.upc < b.upc ? -1 : 1))
  // `named` says that named products are meant even before the first is chosen.
  if (!rows.length && isTrue(given.named)) r.wrong('items', rulePartLabels.items, 'required')
  const pieces =
    rows.length || isTrue(given.named)
      ? items.reduce((sum, one) => sum + one.quantity, 0)
      : whole(r, given.pieces, 'pieces', rulePartLabels.pieces, { min: 2, max: PIECES_MAX })
  if (rows.length && pieces < 2)
    r.wrong('items.0.quantity', { zh: '组合的总件数', en: 'Total items in bundle' }, 'too_small', { min: 2 })
  return { type: 'bundle', pieces, price: hundredths(r, given.price, 'price', rulePartLabels.price, AMOUNT), items }
}

function read(r: Reader, type: CampaignType, given: RulesWire): CampaignRule {
  switch (type) {
    case 'fullReduction':
      return readTiers(r, given)
    case 'percentage':
      return {
        type,
        rate: hundredths(r, given.rate, 'rate', rulePartLabels.rate, RATE, 'not_a_number'),
        cap: isGiven(given.cap) ? hundredths(r, given.cap, 'cap', rulePartLabels.cap, AMOUNT) || null : null,
      }
    case 'fixedPrice':
      return {
        type,
        price: hundredths(r, given.price, 'price', rulePartLabels.unitPrice, AMOUNT),
        maxPieces: isGiven(given.maxPieces)
          ? whole(r, given.maxPieces, 'maxPieces', rulePartLabels.maxPieces, { min: 1, max: PIECES_MAX })
          : null,
      }
    case 'nthPiece':
      return {
        type,
        n: whole(r, given.n, 'n', rulePartLabels.n, { min: 2, max: PIECES_MAX }),
        rate: hundredths(r, given.rate, 'rate', rulePartLabels.nthRate, RATE, 'not_a_number'),
        mixed: isTrue(given.mixed),
      }
    case 'bundle':
      return readBundle(r, given)
  }
}

/** Parses a rule. Returns the rule, or the problems of its numbers. */
export function validateCampaignRule(
  type: string | null | undefined,
  given: unknown,
): { rule: CampaignRule } | { problems: RuleProblem[] } {
  if (
    !campaignTypes.includes(type as CampaignType) ||
    typeof given !== 'object' ||
    given === null ||
    Array.isArray(given)
  )
    return { problems: [{ at: '', label: { zh: '规则', en: 'Rules' }, problem: { code: 'bad_format' } }] }
  const r = reader()
  const rule = read(r, type as CampaignType, given as RulesWire)
  return r.problems.length ? { problems: r.problems } : { rule }
}

/** Parses a rule; undefined when it has a problem. */
export function parseCampaignRule(type: string | null | undefined, given: unknown): CampaignRule | undefined {
  const found = validateCampaignRule(type, given)
  return 'rule' in found ? found.rule : undefined
}

/** Converts a rule back to yuan and per cent. Equal rules give equal results. */
export function campaignRuleToWire(rule: CampaignRule): RulesWire {
  switch (rule.type) {
    case 'fullReduction':
      return {
        tiers: rule.tiers.map((one) => ({ over: formatYuan(one.over), off: formatYuan(one.off) })),
        repeat: rule.repeat,
      }
    case 'percentage':
      return { rate: formatYuan(rule.rate), cap: rule.cap === null ? '' : formatYuan(rule.cap) }
    case 'fixedPrice':
      return { price: formatYuan(rule.price), maxPieces: rule.maxPieces ?? '' }
    case 'nthPiece':
      return { n: rule.n, rate: formatYuan(rule.rate), mixed: rule.mixed }
    case 'bundle':
      return { pieces: rule.pieces, price: formatYuan(rule.price), items: rule.items }
  }
}

/** 8000 → "8" (Chinese "8 折": pay 80 %), 8500 → "8.5". */
const fold = (paid: number) => String(paid / 1000)
const percent = (paid: number) => String((10_000 - paid) / 100)

const NAMED = 3
/** "Cola + crisps ×2", or how many kinds there are when that would be too long. */
const setNames = (items: readonly BundleItem[], kinds: string) =>
  items.length <= NAMED && items.every((one) => one.name)
    ? items.map((one) => `${one.name}${one.quantity > 1 ? ` ×${one.quantity}` : ''}`).join(' + ')
    : `${items.length} ${kinds}`

/** Describes a rule as customers read it on the shelf. */
export function campaignPromiseText(rule: CampaignRule): LocalizedText {
  switch (rule.type) {
    case 'fullReduction':
      return reductionPromise(rule)
    case 'percentage':
      return percentagePromise(rule)
    case 'fixedPrice':
      return {
        zh: `特价 ${formatYuanShort(rule.price)} 元${rule.maxPieces ? `，每单限 ${rule.maxPieces} 件` : ''}`,
        en: `¥${formatYuanShort(rule.price)} each${rule.maxPieces ? `, at most ${rule.maxPieces} per order` : ''}`,
      }
    case 'nthPiece':
      return nthPiecePromise(rule)
    case 'bundle':
      return bundlePromise(rule)
  }
}

function reductionPromise({ tiers, repeat }: RuleOf<'fullReduction'>): LocalizedText {
  const each = repeat ? '每' : ''
  const every = repeat ? 'every' : 'from'
  return {
    zh: tiers.map((one) => `${each}满 ${formatYuanShort(one.over)} 减 ${formatYuanShort(one.off)}`).join('，'),
    en: tiers.map((one) => `¥${formatYuanShort(one.off)} off ${every} ¥${formatYuanShort(one.over)}`).join(', '),
  }
}

function percentagePromise({ rate, cap }: RuleOf<'percentage'>): LocalizedText {
  const paid = rate ? `打 ${fold(rate)} 折` : '免费'
  const atMost =
    cap === null
      ? { zh: '', en: '' }
      : { zh: `，最多减 ${formatYuanShort(cap)}`, en: `, at most ¥${formatYuanShort(cap)}` }
  return { zh: `${paid}${atMost.zh}`, en: `${percent(rate)}% off${atMost.en}` }
}

/** 3 → "3rd", 12 → "12th". */
const ordinal = (n: number) => `${n}${['th', 'st', 'nd', 'rd'][n % 10 < 4 && ~~(n / 10) !== 1 ? n % 10 : 0]}`

const nthPrice = (rate: number) => (rate === 0 ? '免费' : rate === 5000 ? '半价' : ` ${fold(rate)} 折`)

const nthPiecePromise = ({ n, rate, mixed }: RuleOf<'nthPiece'>): LocalizedText => ({
  zh: `${mixed ? '任选' : '同款'}第 ${n} 件${nthPrice(rate)}`,
  en:
    `${rate === 0 ? 'Free' : `${percent(rate)}% off`} every ${ordinal(n)} ` +
    `piece${mixed ? ', any mix' : ' of the same goods'}`,
})

const bundlePromise = ({ items, pieces, price }: RuleOf<'bundle'>): LocalizedText =>
  items.length
    ? {
        zh: `${setNames(items, '种商品')} 组合价 ${formatYuanShort(price)} 元`,
        en: `${setNames(items, 'goods')} together for ¥${formatYuanShort(price)}`,
      }
    : { zh: `任选 ${pieces} 件 ${formatYuanShort(price)} 元`, en: `Any ${pieces} for ¥${formatYuanShort(price)}` }
