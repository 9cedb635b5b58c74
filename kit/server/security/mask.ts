import { maskMobileNumbers, maskFunctions, createMaskLookup, type MaskName } from '../../fields/masks.ts'
import { isSecretFieldName, normalizeFieldName } from '../../fields/secret-names.ts'

/** What stands in place of a secret. */
export const SECRET_MASK = '******'

/** Names that are secret in a log beside those that are secret everywhere: headers, one-time words. */
const logSecrets = /authorization|authcode|bladeauth|cookie|captchacode|captchakey|ticket/
/** Whole names: the words stand in others too (`shipping`, `design`). */
const logWords = /^(?:(?:pin|otp)(?:code)?|x?sign|signature)$/
const numberNames = /bankaccount|bankcard|accountno$|cardno|cardnumber|idcard|idno$|idnumber|certno|licenseno/
const emailNames = /e?mail$/

const stringLengthMax = 2_000
/** A text that is masked by pattern, such as a stack; the rest is cut off before it is looked at. */
const textLengthMax = 60_000
const urlLengthMax = 8_000
const itemsMax = 100
const keysMax = 200
const valuesMax = 5_000
const depthMax = 12

// Each of these begins at the edge of a run of the letters it goes on with, so that no run is walked twice.
const dotted = /(?<![\w.-])[\w-]+(?:\.[\w-]*){2,}/g
const bearer = /\b(bearer|basic|crypto)\s+[\w.~+/=-]{8,}/gi
const inAddress = /(:\/\/[^\s:@/]{0,64}:)[^\s@/]{1,256}@/g
/** A name and what binds a value to it: `pwd=`, `"pwd": `, and the same in a JSON text within another, `\\"pwd\\":`. */
const assigned = /(?<![\w-])([\w-]+)\\*["']?\s*[:=]\s*/g
const opening = /(\\*)(["'])/y
const bareValue = /[^\s&"'<>]+/y
const bareJsonValue = /[^\s&"'<>,;}\]\\]+/y

export const maskPhone = maskFunctions.phone
const maskNumber = (text: string) => (text.length < 8 ? text : `${'*'.repeat(text.length - 4)}${text.slice(-4)}`)
const maskEmail = (text: string) => text.replace(/^(.)[^@]*/, '$1***')

/** Without one of these a text has nothing of what is looked for below. */
const mayHold = /[.:=@]|bearer|basic|crypto/i

/**
 * Tokens and passwords that stand in the middle of a text. Takes time in proportion to its length, and looks at so much
 * of it at most.
 */
export function maskSecretsInText(text: string): string {
  const looked = maskMobileNumbers(cut(text, textLengthMax))
  if (!mayHold.test(looked)) return looked
  return maskAssigned(looked.replace(dotted, maskJwt).replace(bearer, `$1 ${SECRET_MASK}`)).replace(
    inAddress,
    `$1${SECRET_MASK}@`,
  )
}

/** A token among words with dots: its three parts go, whatever stands before and behind. */
function maskJwt(run: string): string {
  const parts = run.split('.')
  const at = parts.findIndex((part, index) => index < parts.length - 2 && parts[index + 1] !== '' && isJwtHead(part))
  if (at < 0) return run
  const before = parts[at]!.slice(0, parts[at]!.indexOf('eyJ'))
  const behind = parts
    .slice(at + 3)
    .map((part) => `.${part}`)
    .join('')
  return `${parts
    .slice(0, at)
    .map((part) => `${part}.`)
    .join('')}${before}${SECRET_MASK}${behind}`
}

const isJwtHead = (part: string): boolean => part.includes('eyJ') && part.length - part.indexOf('eyJ') >= 13

function maskAssigned(text: string): string {
  let out = ''
  let from = 0
  for (const found of text.matchAll(assigned)) {
    if (found.index < from || !isSecretWord(found[1]!)) continue
    const begin = found.index + found[0].length
    const value = valueAt(text, begin, found[0])
    if (!value) continue
    out += text.slice(from, value.begin) + SECRET_MASK
    from = value.end
  }
  return out + text.slice(from)
}

/** What is set there: a text in quotes, to their end, or whatever stands there without a gap. */
function valueAt(text: string, begin: number, binding: string): { begin: number; end: number } | undefined {
  opening.lastIndex = begin
  const quoted = opening.exec(text)
  if (quoted)
    return { begin: opening.lastIndex, end: closingOf(text, opening.lastIndex, quoted[2]!, quoted[1]!.length) }
  const bare = binding.includes('=') ? bareValue : bareJsonValue
  bare.lastIndex = begin
  return bare.test(text) ? { begin, end: bare.lastIndex } : undefined
}

/**
 * The quote that ends a text whose own stood behind so many backslashes; one within it stands behind more. The end
 * where none does.
 */
function closingOf(text: string, begin: number, quote: string, backslashes: number): number {
  for (let at = text.indexOf(quote, begin); at >= 0; at = text.indexOf(quote, at + 1)) {
    let first = at
    while (first > begin && text[first - 1] === '\\') first--
    const before = at - first
    if (before >= backslashes && (before - backslashes) % (2 * (backslashes + 1)) === 0) return at - backslashes
  }
  return text.length
}

const isSecretWord = (name: string): boolean =>
  isSecretFieldName(name) || logSecrets.test(normalizeFieldName(name)) || logWords.test(normalizeFieldName(name))

/** How much of a thing is still looked at: one body of many small values must not hold everybody up either. */
type Budget = { left: number }

type Named = { name: string; value: unknown; mask: MaskName | undefined }

function maskNamed({ name, value, mask: declared }: Named, depth: number, budget: Budget): unknown {
  if (value === '' || value === null || value === undefined) return value
  if (isSecretWord(name)) return SECRET_MASK
  if (typeof value !== 'string' && typeof value !== 'number') return maskAny(value, depth, budget)
  const plain = normalizeFieldName(name)
  const text = cut(String(value))
  if (declared) return text.split(',').map(maskFunctions[declared]).join(',')
  if (numberNames.test(plain)) return maskNumber(text)
  if (emailNames.test(plain)) return maskEmail(text)
  return maskAny(value, depth, budget)
}

function maskAny(value: unknown, depth: number, budget: Budget): unknown {
  if (budget.left-- <= 0) return '…'
  if (typeof value === 'string') return cut(maskSecretsInText(value.slice(0, 2 * stringLengthMax)))
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsMax).map((item) => maskAny(item, depth + 1, budget))
    return value.length > itemsMax ? [...items, `… ${value.length - itemsMax}`] : items
  }
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`
  const entries = Object.entries(value)
  const maskOf = createMaskLookup(entries)
  const shown = entries
    .slice(0, keysMax)
    .map(([name, item]) => [
      cut(name, 200),
      isNamedSecret(value, name)
        ? SECRET_MASK
        : maskNamed({ name, value: item, mask: maskOf(name) }, depth + 1, budget),
    ])
  return Object.fromEntries(entries.length > keysMax ? [...shown, ['…', entries.length - keysMax]] : shown)
}

/** A key and its value side by side, `{ paramKey: 'initPassword', paramValue }`: the key says what the value is. */
function isNamedSecret(pair: object, name: string): boolean {
  if (!/value$/i.test(name)) return false
  const fields = pair as Record<string, unknown>
  const key = fields[name.replace(/value$/i, (word) => (word === 'Value' ? 'Key' : 'key'))]
  return typeof key === 'string' && !!fields[name] && isSecretWord(key)
}

/** Whether a text of a row is a secret, by its own name or by the key beside it. */
export const isSecretInRow = (row: object, name: string): boolean => isSecretFieldName(name) || isNamedSecret(row, name)

const cut = (text: string, max = stringLengthMax) => (text.length > max ? `${text.slice(0, max)}…` : text)

/** A copy fit for a log: secrets gone, personal numbers shortened, long and deep things cut. Works for headers too. */
export const maskForLog = <T>(value: T): T => maskAny(value, 0, { left: valuesMax }) as T

/** The same for an address: passwords and tokens travel in query strings in this protocol. */
export function maskUrl(whole: string): string {
  const url = cut(whole, urlLengthMax)
  const start = url.indexOf('?')
  if (start < 0) return maskSecretsInText(url)
  const all = url.slice(start + 1).split('&')
  const maskOf = createMaskLookup(all.map((pair) => [decode(pair.split('=')[0]!), 1]))
  const pairs = all.map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    if (rest.length === 0) return maskSecretsInText(pair)
    const value = decode(rest.join('='))
    const named = { name: decode(name), value, mask: maskOf(decode(name)) }
    const shown = maskNamed(named, 0, { left: valuesMax })
    return shown === value ? pair : `${name}=${encodeURIComponent(String(shown)).replaceAll('%2C', ',')}`
  })
  return `${maskSecretsInText(url.slice(0, start))}?${pairs.join('&')}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
