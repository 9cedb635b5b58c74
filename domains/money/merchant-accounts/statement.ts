import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { LocalizedText } from '#kit/resource/index.ts'

import { isCalendarDay } from '#kit/fields/date/days.ts'

/** A line of WeChat Pay's trade bill; amounts in cents. */
export type StatementLine = {
  kind: 'pay' | 'refund'
  time: string
  transactionNo: string
  orderNo: string
  refundNo: string
  /** WeChat Pay's own number of the refund. */
  refundThere: string
  amount: number
  fee: number
}

/**
 * Required columns of the trade bill (WeChat Pay v3, tradebill). Read by heading, as types of bill differ in columns.
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

/** Optional column: not all types of bill have it. */
const REFUND_NO_COLUMN = '微信退款单号'

const centsOf = (text: string): number => {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,5}))?$/.exec(text.trim() || '0')
  if (!match)
    throw new StatementUnreadableError({
      zh: `“${text.slice(0, 20)}”不是金额`,
      en: `“${text.slice(0, 20)}” is no amount`,
    })
  // Computed from the digits: 0.145 × 100 as a float is slightly less than 14.5.
  const [whole, rest] = [`${match[3] ?? ''}00`.slice(0, 2), (match[3] ?? '').charAt(2)]
  const cents = Number(match[2]) * 100 + Number(whole) + (rest >= '5' ? 1 : 0)
  return match[1] ? -cents : cents
}

/** Thrown when a statement cannot be read; `words` is shown to the person who uploaded it. */
export class StatementUnreadableError extends Error {
  readonly words: LocalizedText
  constructor(words: LocalizedText) {
    super(words.zh)
    this.words = words
  }
}

const isTime = (text: string) => /^.{10} ([01]\d|2[0-3])(:[0-5]\d){2}$/.test(text) && isCalendarDay(text.slice(0, 10))

/** Maximum characters of a line: real ones have a few hundred. */
const LINE_MAX = 10_000
/** Lines handled at once; then other requests get a turn. */
const STRETCH = 500
/** First cell of the two total lines at the end: of the trade bill and of the fund flow. */
const SUMS = ['总交易单数', '资金流水总笔数']

/** Cells of a line. Each begins with a back-tick, so commas inside a name do not split it. */
const cellsOf = (line: string): string[] =>
  (line.startsWith('`') ? line.slice(1).split(',`') : line.split(',')).map((cell) =>
    cell.replace(/^[`"]|"$/g, '').trim(),
  )

/**
 * Parses a trade bill: with or without BOM and with any line endings (as saved by other programs). Checks that the
 * number of lines agrees with the totals. Throws StatementUnreadableError.
 */
export async function parseStatement(given: string | Chunks): Promise<StatementLine[]> {
  const all: StatementLine[] = []
  for await (const part of readTradeBill(typeof given === 'string' ? [given] : given)) all.push(...part)
  return all
}

const PIECE_BYTES = 1024 * 1024

/** Decodes an uploaded file: UTF-8, or GBK as WeChat Pay's pages and Excel write it. */
export async function* decodeUploadedText(bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'gb18030')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    await setImmediate()
  }
  yield decoder.decode()
}

type Chunks = AsyncIterable<string> | Iterable<string>

/** Parses a trade bill of any length in parts; yields some lines at a time, amounts in cents. */
export async function* readTradeBill(chunks: Chunks): AsyncGenerator<StatementLine[]> {
  for await (const part of readRows(chunks, NEEDED, [REFUND_NO_COLUMN])) yield part.flatMap(tradeOf)
}

/** A line of a fund flow in cents: `amount` is the change of the account, `balance` the account afterwards. */
export type FundFlowLine = {
  time: string
  bizNo: string
  flowNo: string
  type: string
  amount: number
  balance: number
  voucherNo: string
}

const FLOW_NEEDED = [
  '记账时间',
  '微信支付业务单号',
  '资金流水单号',
  '业务类型',
  '收支类型',
  '收支金额(元)',
  '账户结余(元)',
  '业务凭证号',
] as const

/** Parses a fund flow (WeChat Pay v3, fundflowbill and sub-merchant-fundflowbill) in the same way. */
export async function* readFundFlow(chunks: Chunks): AsyncGenerator<FundFlowLine[]> {
  for await (const part of readRows(chunks, FLOW_NEEDED)) yield part.map(flowOf)
}

type Cell<N extends string> = (name: N) => string

/**
 * Yields the lines below the heading as functions from column name to cell. Refuses a file without a needed column or
 * with a wrong number of lines.
 */
async function* readRows<N extends string, M extends string = never>(
  chunks: Chunks,
  needed: readonly N[],
  also: readonly M[] = [],
): AsyncGenerator<Cell<N | M>[]> {
  let at: Record<N | M, number> | undefined
  let [count, sums] = [0, '']
  let isEnd = false
  for await (const lines of stretches(chunks)) {
    const rows: Cell<N | M>[] = []
    for (const line of lines) {
      if (!at) at = columnsOf(line, needed, also)
      else if (isEnd) sums ||= line
      else if (isSums(line)) isEnd = true
      else {
        const [cells, places] = [cellsOf(line), at]
        rows.push((name) => cells[places[name]] ?? '')
      }
    }
    count += rows.length
    yield rows
    await setImmediate()
  }
  if (!at) columnsOf('', needed, also)
  if (isEnd) requireSum(sums, count)
}

/** Characters split into lines at once, as a chunk may consist of nothing but line ends. */
const SLICE = 128 * 1024

async function* slices(chunks: Chunks): AsyncGenerator<string> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SLICE) {
      yield chunk.slice(at, at + SLICE)
      await setImmediate()
    }
}

/** Line ends of any system. A `\r\n` cut by a chunk border gives an empty line, which is skipped. */
const LINE_END = /\r\n?|\n/

/** Yields non-empty lines in groups of at most `STRETCH`. */
async function* stretches(chunks: Chunks): AsyncGenerator<string[]> {
  let [lines, rest, isFirst]: [string[], string, boolean] = [[], '', true]
  const keep = (line: string) => {
    requireShort(line)
    if (line.trim()) lines.push(line)
  }
  for await (const chunk of slices(chunks)) {
    const parts = `${rest}${isFirst ? chunk.replace(/^\uFEFF/, '') : chunk}`.split(LINE_END)
    isFirst = false
    rest = parts.pop()!
    requireShort(rest)
    for (const part of parts) {
      keep(part)
      if (lines.length < STRETCH) continue
      yield lines
      lines = []
    }
  }
  keep(rest)
  if (lines.length) yield lines
}

const isSums = (line: string) => SUMS.some((name) => line.includes(name)) && SUMS.includes(cellsOf(line)[0]!)

function requireShort(line: string): void {
  if (line.length > LINE_MAX)
    throw new StatementUnreadableError({
      zh: `“${line.slice(0, 20)}”这一行过长`,
      en: `the line “${line.slice(0, 20)}” is too long`,
    })
}

/** Returns the positions of the columns in the heading; refuses a heading without a needed one. */
function columnsOf<N extends string, M extends string>(
  line: string,
  needed: readonly N[],
  also: readonly M[],
): Record<N | M, number> {
  const heading = cellsOf(line)
  const at = Object.fromEntries([...needed, ...also].map((name) => [name, heading.indexOf(name)])) as Record<
    N | M,
    number
  >
  const missing = needed.filter((name) => at[name] < 0)
  if (missing.length)
    throw new StatementUnreadableError({
      zh: `没有这些列：${missing.join('、')}`,
      en: `it lacks the columns ${missing.join(', ')}`,
    })
  return at
}

function requireTime(time: string): void {
  if (!isTime(time))
    throw new StatementUnreadableError({
      zh: `“${time.slice(0, 20)}”不是交易时间`,
      en: `“${time.slice(0, 20)}” is no time of a trade`,
    })
}

/** Refuses a trade without number: two of them could not be told apart. */
function requireNumber({ transactionNo, time }: Pick<StatementLine, 'transactionNo' | 'time'>): void {
  if (!transactionNo)
    throw new StatementUnreadableError({
      zh: `${time} 的一笔交易没有微信订单号`,
      en: `the trade of ${time} has no transaction number`,
    })
}

const flowOf = (cell: Cell<(typeof FLOW_NEEDED)[number]>): FundFlowLine => {
  requireTime(cell('记账时间'))
  const amount = centsOf(cell('收支金额(元)'))
  return {
    time: cell('记账时间'),
    bizNo: cell('微信支付业务单号'),
    flowNo: cell('资金流水单号'),
    type: cell('业务类型'),
    amount: cell('收支类型') === '支出' ? -amount : amount,
    balance: centsOf(cell('账户结余(元)')),
    voucherNo: cell('业务凭证号'),
  }
}

/** State of a payment that was reversed at the till. */
const TAKEN_BACK = 'REVOKED'

/** Returns the payment or refund in a row; none for a payment reversed before money moved. Refuses other states. */
function tradeOf(cell: Cell<(typeof NEEDED)[number] | typeof REFUND_NO_COLUMN>): StatementLine[] {
  const state = cell('交易状态')
  requireTime(cell('交易时间'))
  const base = { time: cell('交易时间'), transactionNo: cell('微信订单号'), orderNo: cell('商户订单号') }
  const isBack = state === TAKEN_BACK && centsOf(cell('退款金额')) !== 0
  if (isBack || state === 'REFUND' || state === 'SUCCESS') requireNumber(base)
  if (state === 'REFUND' || isBack)
    return [
      {
        ...base,
        kind: 'refund',
        refundNo: cell('商户退款单号'),
        refundThere: cell(REFUND_NO_COLUMN),
        amount: centsOf(cell('退款金额')),
        fee: centsOf(cell('手续费')),
      },
    ]
  if (state === 'SUCCESS')
    return [
      {
        ...base,
        kind: 'pay',
        refundNo: '',
        refundThere: '',
        amount: centsOf(cell('应结订单金额')),
        fee: centsOf(cell('手续费')),
      },
    ]
  if (state === TAKEN_BACK) return []
  throw new StatementUnreadableError({
    zh: `交易状态“${state.slice(0, 20)}”不认识`,
    en: `the state of a trade “${state.slice(0, 20)}” is not known`,
  })
}

function requireSum(line: string, trades: number): void {
  const [count] = cellsOf(line)
  if (Number(count) !== trades)
    throw new StatementUnreadableError({
      zh: `合计的笔数 ${count} ≠ ${trades} 笔明细`,
      en: `its sum says ${count}, its lines are ${trades}`,
    })
}
