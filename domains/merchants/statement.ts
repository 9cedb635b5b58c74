import { setImmediate } from 'node:timers/promises'
import type { Words } from '#kit/resource/index.ts'

import { isDay } from '#kit/fields/date/date.ts'

/** One line of the payment platform's statement; amounts in cents. */
export type StatementLine = {
  kind: 'pay' | 'refund'
  time: string
  transactionNo: string
  orderNo: string
  refundNo: string
  amount: number
  fee: number
}

/**
 * Headings of the trade bill this reads (WeChat Pay v3, tradebill); it is read by heading, as kinds of bill differ in
 * their columns.
 */
const NEEDED = [
  '交易时间',
  '微信订单号',
  '商户订单号',
  '交易状态',
  '应结订单金额',
  '商户退款单号',
  '退款金额',
  '手续费',
] as const

const centsOf = (text: string): number => {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,5}))?$/.exec(text.trim() || '0')
  if (!match)
    throw new StatementProblem({ zh: `“${text.slice(0, 20)}”不是金额`, en: `“${text.slice(0, 20)}” is no amount` })
  // In digits: 0.145 × 100 is a little less than 14.5.
  const [whole, rest] = [`${match[3] ?? ''}00`.slice(0, 2), (match[3] ?? '').charAt(2)]
  const cents = Number(match[2]) * 100 + Number(whole) + (rest >= '5' ? 1 : 0)
  return match[1] ? -cents : cents
}

/** Why a statement cannot be read; the words are for whoever uploaded it. */
export class StatementProblem extends Error {
  readonly words: Words
  constructor(words: Words) {
    super(words.zh)
    this.words = words
  }
}

const isTime = (text: string) => /^.{10} ([01]\d|2[0-3])(:[0-5]\d){2}$/.test(text) && isDay(text.slice(0, 10))

const SUMS = '总交易单数'
/** Longer lines are nobody's: the longest the platform writes has some hundred signs. */
const LINE_MAX = 10_000
/** So many lines are read at once; others are answered in between. */
const STRETCH = 2_000

/** Cells of one line: each begins with a back-tick, so that a comma inside a name does not split it. */
const cellsOf = (line: string): string[] =>
  (line.startsWith('`') ? line.slice(1).split(',`') : line.split(',')).map((cell) =>
    cell.replace(/^[`"]|"$/g, '').trim(),
  )

/**
 * Reads a statement as the payment platform gives it: UTF-8 with or without a mark, CRLF, a heading, lines beginning
 * with a back-tick, and two lines of sums that must agree with the lines. Throws StatementProblem.
 */
export async function parseStatement(text: string): Promise<StatementLine[]> {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim())
  requireShort(lines)
  const at = columnsOf(lines[0] ?? '')
  const end = lines.findIndex((line, n) => n > 0 && line.includes(SUMS) && cellsOf(line)[0] === SUMS)
  const body = lines.slice(1, end < 0 ? undefined : end)
  const all: StatementLine[] = []
  for (let from = 0; from < body.length; from += STRETCH) {
    for (const line of body.slice(from, from + STRETCH)) all.push(...lineOf(line, at))
    await setImmediate()
  }
  if (end >= 0) requireSum(lines[end + 1] ?? '', body.length)
  return all
}

function requireShort(lines: readonly string[]): void {
  const long = lines.find((line) => line.length > LINE_MAX)
  if (long)
    throw new StatementProblem({
      zh: `“${long.slice(0, 20)}”这一行过长`,
      en: `the line “${long.slice(0, 20)}” is too long`,
    })
}

type Columns = Record<(typeof NEEDED)[number], number>

/** Where the heading has what is read; refuses one that lacks any of it. */
function columnsOf(line: string): Columns {
  const heading = cellsOf(line)
  const at = Object.fromEntries(NEEDED.map((name) => [name, heading.indexOf(name)])) as Columns
  const missing = NEEDED.filter((name) => at[name] < 0)
  if (missing.length)
    throw new StatementProblem({
      zh: `没有这些列：${missing.join('、')}`,
      en: `it lacks the columns ${missing.join(', ')}`,
    })
  return at
}

/** A payment or a refund; nothing for trades that moved no money. */
function lineOf(line: string, at: Columns): StatementLine[] {
  const cells = cellsOf(line)
  const cell = (name: (typeof NEEDED)[number]) => cells[at[name]] ?? ''
  const state = cell('交易状态')
  if (!isTime(cell('交易时间')))
    throw new StatementProblem({
      zh: `“${cell('交易时间').slice(0, 20)}”不是交易时间`,
      en: `“${cell('交易时间').slice(0, 20)}” is no time of a trade`,
    })
  const base = { time: cell('交易时间'), transactionNo: cell('微信订单号'), orderNo: cell('商户订单号') }
  if (state === 'REFUND')
    return [
      {
        ...base,
        kind: 'refund',
        refundNo: cell('商户退款单号'),
        amount: centsOf(cell('退款金额')),
        fee: centsOf(cell('手续费')),
      },
    ]
  if (state === 'SUCCESS')
    return [{ ...base, kind: 'pay', refundNo: '', amount: centsOf(cell('应结订单金额')), fee: centsOf(cell('手续费')) }]
  return []
}

function requireSum(line: string, trades: number): void {
  const [count] = cellsOf(line)
  if (Number(count) !== trades)
    throw new StatementProblem({
      zh: `总交易单数 ${count} ≠ ${trades} 笔明细`,
      en: `its sum says ${count} trades, there are ${trades}`,
    })
}
