import type { LocalizedText } from '#kit/resource/index.ts'

/** Value of a variable: any JSON. */
export type ExpressionValue =
  | null
  | boolean
  | number
  | string
  | readonly ExpressionValue[]
  | { readonly [key: string]: ExpressionValue }
export type ExpressionVariables = Readonly<Record<string, ExpressionValue>>

/** Thrown for an invalid expression, when a process is saved, with the reason in both languages. */
export class InvalidExpressionError extends Error {
  readonly why: LocalizedText
  constructor(zh: string, en: string) {
    super(en)
    this.why = { zh, en }
  }
}
/**
 * Thrown when an expression reads a variable that was never set: the step is refused instead of taking a wrong path.
 */
export class UndefinedVariableError extends Error {}
/** Thrown when values cannot be calculated with, such as text times number. */
export class ExpressionTypeError extends Error {}

/**
 * Evaluates an attribute of a process file: text with `${…}` (or `#{…}`) parts, as Flowable and Activiti write them. A
 * single expression keeps its type. The language is a subset of JUEL: literals, names, `a.b`, `a[i]`, arithmetic,
 * comparison, `and or not empty`, `?:`, and the functions `size contains lower`. No methods, no assignment, own
 * properties only.
 */
export function evaluateExpression(text: string, names: ExpressionVariables): ExpressionValue {
  const parts = partsOf(text)
  const [only] = parts
  if (parts.length === 1 && typeof only !== 'string') return only!(names)
  return parts.map((part) => (typeof part === 'string' ? part : expressionValueToText(part(names)))).join('')
}

/** Whether a text is a single `${…}` without other text: only then its value keeps its type. */
export function isSingleExpression(text: string): boolean {
  const [only, ...more] = partsOf(text)
  return !more.length && typeof only === 'function'
}

/** Throws `InvalidExpressionError` where the text cannot be read. */
export const checkExpression = (text: string): void => void partsOf(text)

type Read = (names: ExpressionVariables) => ExpressionValue
type Part = string | Read

/** Returns the variables an expression reads as paths: `before.salePrice` is `['before', 'salePrice']`. */
export function findVariablePaths(text: string): string[][] {
  const found: string[][] = []
  for (let from = nextOpening(text, 0); from < text.length;) {
    const { list, end } = signsOf(text, from + 2)
    for (const [at, sign] of list.entries()) {
      const isOwn = sign.type === 'name' && sign.text !== 'empty' && !Object.hasOwn(CONSTANTS, sign.text)
      if (!isOwn || list[at + 1]?.text === '(') continue
      if (list[at - 1]?.text === '.') found.at(-1)?.push(sign.text)
      else found.push([sign.text])
    }
    from = nextOpening(text, end)
  }
  return found
}

const unexpected = (text: string) => new InvalidExpressionError(`此处不能是“${text}”`, `"${text}" is not expected`)

const TEXT_MAX = 2000
const DEPTH_MAX = 40
const KEPT_MAX = 2000
const kept = new Map<string, readonly Part[]>()

function partsOf(text: string): readonly Part[] {
  const known = kept.get(text)
  if (known) return known
  if (text.length > TEXT_MAX)
    throw new InvalidExpressionError(`超过 ${TEXT_MAX} 个字符`, `more than ${TEXT_MAX} characters`)
  const parts: Part[] = []
  let from = 0
  while (from < text.length) {
    const opens = nextOpening(text, from)
    if (opens > from) parts.push(text.slice(from, opens))
    if (opens >= text.length) break
    const signs = signsOf(text, opens + 2)
    parts.push(parse(signs.list))
    from = signs.end
  }
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(text, parts)
  return parts
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length - 1; at++)
    if ((text[at] === '$' || text[at] === '#') && text[at + 1] === '{') return at
  return text.length
}

type Sign = { type: 'name' | 'number' | 'text' | 'sign'; text: string }

const WORDS: Record<string, string> = {
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  and: '&&',
  or: '||',
  not: '!',
  div: '/',
  mod: '%',
}
const SIGNS = ['==', '!=', '<=', '>=', '&&', '||', ...'<>+-*/%!?:.,()[]']
const LETTER = /[\p{L}_]/u
const MORE = /[\p{L}\p{N}_]/u
const DIGIT = /[0-9]/

/** Returns the tokens up to the closing brace and the position after it. */
function signsOf(text: string, from: number): { list: Sign[]; end: number } {
  const list: Sign[] = []
  let at = from
  while (at < text.length) {
    const sign = text[at]!
    if (sign === '}') return { list, end: at + 1 }
    if (sign <= ' ') at++
    else if (sign === '"' || sign === "'") {
      const read = quoted(text, at)
      list.push({ type: 'text', text: read.text })
      at = read.end
    } else if (LETTER.test(sign)) {
      const end = endOf(text, at, MORE)
      const word = text.slice(at, end)
      const means = Object.hasOwn(WORDS, word) && list.at(-1)?.text !== '.' ? WORDS[word]! : undefined
      list.push(means ? { type: 'sign', text: means } : { type: 'name', text: word })
      at = end
    } else if (DIGIT.test(sign)) {
      const end = endOf(text, at, /[0-9.]/)
      list.push({ type: 'number', text: text.slice(at, end) })
      at = end
    } else {
      const found = SIGNS.find((one) => text.startsWith(one, at))
      if (!found) throw new InvalidExpressionError(`不能使用符号 ${sign}`, `the sign ${sign} cannot be used`)
      list.push({ type: 'sign', text: found })
      at += found.length
    }
  }
  throw new InvalidExpressionError('缺少 }', '} is missing')
}

function endOf(text: string, from: number, sign: RegExp): number {
  let at = from
  while (at < text.length && sign.test(text[at]!)) at++
  return at
}

function quoted(text: string, from: number): { text: string; end: number } {
  let out = ''
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === text[from]) return { text: out, end: at + 1 }
    if (text[at] === '\\') at++
    out += text[at] ?? ''
  }
  throw new InvalidExpressionError('引号没有闭合', 'a quote is not closed')
}

type Signs = { list: readonly Sign[]; at: number; depth: number }

function parse(list: readonly Sign[]): Read {
  const signs: Signs = { list, at: 0, depth: 0 }
  const read = choice(signs)
  if (signs.at < list.length) throw unexpected(list[signs.at]!.text)
  return read
}

function took(signs: Signs, ...texts: string[]): string | undefined {
  const next = signs.list[signs.at]
  if (next?.type !== 'sign' || !texts.includes(next.text)) return undefined
  signs.at++
  return next.text
}

function must(signs: Signs, text: string): void {
  if (!took(signs, text)) throw new InvalidExpressionError(`缺少 ${text}`, `${text} is missing`)
}

function choice(signs: Signs): Read {
  if (++signs.depth > DEPTH_MAX) throw new InvalidExpressionError('嵌套过深', 'too deep')
  const test = either(signs, 0)
  let read = test
  if (took(signs, '?')) {
    const yes = choice(signs)
    must(signs, ':')
    const no = choice(signs)
    read = (names) => (truth(test(names)) ? yes(names) : no(names))
  }
  signs.depth--
  return read
}

const LEVELS = [['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']]
const WORKS: Record<string, (left: Read, right: Read) => Read> = {
  '||': (left, right) => (names) => truth(left(names)) || truth(right(names)),
  '&&': (left, right) => (names) => truth(left(names)) && truth(right(names)),
  '==': (left, right) => alike(left, right, true),
  '!=': (left, right) => alike(left, right, false),
  '<': (left, right) => (names) => order(left(names), right(names)) < 0,
  '>': (left, right) => (names) => order(left(names), right(names)) > 0,
  '<=': (left, right) => (names) => order(left(names), right(names)) <= 0,
  '>=': (left, right) => (names) => order(left(names), right(names)) >= 0,
  '+': (left, right) => (names) => finite(numberOf(left(names)) + numberOf(right(names))),
  '-': (left, right) => (names) => finite(numberOf(left(names)) - numberOf(right(names))),
  '*': (left, right) => (names) => finite(numberOf(left(names)) * numberOf(right(names))),
  '/': (left, right) => (names) => finite(numberOf(left(names)) / numberOf(right(names))),
  '%': (left, right) => (names) => finite(numberOf(left(names)) % numberOf(right(names))),
}

function either(signs: Signs, level: number): Read {
  const texts = LEVELS[level]
  if (!texts) return single(signs)
  let read = either(signs, level + 1)
  for (let sign = took(signs, ...texts); sign; sign = took(signs, ...texts))
    read = WORKS[sign]!(read, either(signs, level + 1))
  return read
}

function single(signs: Signs): Read {
  if (++signs.depth > DEPTH_MAX) throw new InvalidExpressionError('嵌套过深', 'too deep')
  const read = prefixed(signs)
  signs.depth--
  return read
}

function prefixed(signs: Signs): Read {
  const sign = took(signs, '!', '-')
  if (sign) {
    const inner = single(signs)
    return sign === '!' ? (names) => !truth(inner(names)) : (names) => -numberOf(inner(names))
  }
  const next = signs.list[signs.at]
  if (next?.type === 'name' && next.text === 'empty') {
    signs.at++
    const inner = orNothing(single(signs))
    return (names) => isEmpty(inner(names))
  }
  return path(signs)
}

function path(signs: Signs): Read {
  let read = primary(signs)
  for (let sign = took(signs, '.', '['); sign; sign = took(signs, '.', '[')) {
    const of = read
    if (sign === '.') {
      const next = signs.list[signs.at++]
      if (next?.type !== 'name') throw new InvalidExpressionError('“.” 之后缺少名称', 'a name is missing behind .')
      const key = next.text
      read = (names) => inside(of(names), key)
    } else {
      const index = choice(signs)
      must(signs, ']')
      read = (names) => inside(of(names), expressionValueToText(index(names)))
    }
  }
  if (took(signs, '(')) throw new InvalidExpressionError('不能调用方法', 'methods cannot be called')
  return read
}

const CONSTANTS: ExpressionVariables = { true: true, false: false, null: null }
const FUNCTIONS: Record<string, { takes: number; give: (...values: ExpressionValue[]) => ExpressionValue }> = {
  size: { takes: 1, give: (of) => sizeOf(of) },
  contains: { takes: 2, give: (list, one) => hasIn(list, one) },
  lower: { takes: 1, give: (of) => expressionValueToText(of).toLowerCase() },
}

/** Names of variables by their reader, so that `empty` and `== null` can accept one that was never set. */
const bare = new WeakMap<Read, string>()

function primary(signs: Signs): Read {
  const next = signs.list[signs.at]
  if (!next) throw new InvalidExpressionError('不完整', 'something is missing')
  if (took(signs, '(')) {
    const inner = choice(signs)
    must(signs, ')')
    return inner
  }
  signs.at++
  if (next.type === 'text') return () => next.text
  if (next.type === 'number') {
    const value = Number(next.text)
    if (Number.isNaN(value)) throw new InvalidExpressionError(`“${next.text}”不是数字`, `"${next.text}" is no number`)
    return () => value
  }
  if (next.type === 'sign') throw unexpected(next.text)
  if (Object.hasOwn(CONSTANTS, next.text)) return () => CONSTANTS[next.text]!
  if (took(signs, '(')) return called(signs, next.text)
  const read: Read = (names) => {
    if (!Object.hasOwn(names, next.text)) throw new UndefinedVariableError(next.text)
    return names[next.text]!
  }
  bare.set(read, next.text)
  return read
}

function called(signs: Signs, name: string): Read {
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : undefined
  if (!known) throw new InvalidExpressionError(`没有函数 ${name}`, `there is no function ${name}`)
  const given = [choice(signs)]
  while (took(signs, ',')) given.push(choice(signs))
  must(signs, ')')
  if (given.length !== known.takes)
    throw new InvalidExpressionError(`${name} 需要 ${known.takes} 个参数`, `${name} takes ${known.takes}`)
  return (names) => known.give(...given.map((one) => one(names)))
}

const orNothing = (read: Read): Read => {
  const name = bare.get(read)
  return name === undefined ? read : (names) => (Object.hasOwn(names, name) ? names[name]! : null)
}

const isNullLiteral = (read: Read): boolean => {
  try {
    return !bare.has(read) && read({}) === null
  } catch {
    return false
  }
}

function alike(left: Read, right: Read, wanted: boolean): Read {
  const [l, r] = [isNullLiteral(right) ? orNothing(left) : left, isNullLiteral(left) ? orNothing(right) : right]
  return (names) => isSame(l(names), r(names)) === wanted
}

function isSame(left: ExpressionValue, right: ExpressionValue): boolean {
  if (left === null || right === null) return left === right
  if (typeof left === typeof right) return typeof left === 'object' ? left === right : left === right
  if (typeof left === 'object' || typeof right === 'object') return false
  return expressionValueToText(left) === expressionValueToText(right)
}

function order(left: ExpressionValue, right: ExpressionValue): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  return numberOf(left) - numberOf(right)
}

function truth(value: ExpressionValue): boolean {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw new ExpressionTypeError(`${expressionValueToText(value)} is neither true nor false`)
}

function numberOf(value: ExpressionValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && value.trim() !== '') return finite(Number(value))
  throw new ExpressionTypeError(`${expressionValueToText(value)} is no number`)
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new ExpressionTypeError('no number')
  return value
}

function inside(of: ExpressionValue, key: string): ExpressionValue {
  if (Array.isArray(of)) return (DIGIT.test(key) && (of as readonly ExpressionValue[])[Number(key)]) || null
  if (of === null || typeof of !== 'object' || !Object.hasOwn(of, key)) return null
  return (of as Record<string, ExpressionValue>)[key]!
}

const isEmpty = (value: ExpressionValue): boolean =>
  value === null || value === '' || (typeof value === 'object' && !sizeOf(value))

function sizeOf(value: ExpressionValue): number {
  if (value === null) return 0
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (typeof value === 'object') return Object.keys(value).length
  throw new ExpressionTypeError(`${expressionValueToText(value)} has no size`)
}

function hasIn(list: ExpressionValue, one: ExpressionValue): boolean {
  if (Array.isArray(list)) return (list as readonly ExpressionValue[]).some((item) => isSame(item, one))
  return expressionValueToText(list).includes(expressionValueToText(one))
}

export const expressionValueToText = (value: ExpressionValue): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
