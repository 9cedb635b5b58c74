import { maskMobileNumbers, createMaskLookup } from '../../fields/base/masks.ts'
import { maskFunctions, type MaskName } from '../../fields/base/mask-functions.ts'
import { isSecretFieldName, normalizeFieldName } from '../../fields/base/secret-names.ts'

/** Shown in place of a secret. */
export const SECRET_MASK = '******'

/** Field names that are secret only in logs: headers, one-time codes. */
const logSecrets = /authorization|authcode|bladeauth|cookie|captchacode|captchakey|ticket/
/** Secret only as whole names, as they also occur within others (`shipping`, `design`). */
const logWords = /^(?:(?:pin|otp)(?:code)?|x?sign|signature)$/
const numberNames = /bankaccount|bankcard|accountno$|cardno|cardnumber|idcard|idno$|idnumber|certno|licenseno/
const emailNames = /e?mail$/

const stringLengthMax = 2_000
/** Longest text searched for secrets by pattern, such as a stack trace; the rest is cut off first. */
const textLengthMax = 60_000
const urlLengthMax = 8_000
const itemsMax = 100
const keysMax = 200
const valuesMax = 5_000
const depthMax = 12

// Each pattern starts at the edge of a run of its own characters, so that no run is scanned twice.
const dotted = /(?<![\w.-])[\w-]+(?:\.[\w-]*){2,}/g
const bearer = /\b(bearer|basic|crypto)\s+[\w.~+/=-]{8,}/gi
const inAddress = /(:\/\/[^\s:@/]{0,64}:)[^\s@/]{1,256}@/g
/** A name and its assignment: `pwd=`, `"pwd": `, also in JSON nested within a text, `\\"pwd\\":`. */
const assigned = /(?<![\w-])([\w-]+)\\*["']?\s*[:=]\s*/g
const opening = /(\\*)(["'])/y
const bareValue = /[^\s&"'<>]+/y
const bareJsonValue = /[^\s&"'<>,;}\]\\]+/y

export const maskPhone = maskFunctions.phone
const maskNumber = (text: string) => (text.length < 8 ? text : `${'*'.repeat(text.length - 4)}${text.slice(-4)}`)
const maskEmail = (text: string) => text.replace(/^(.)[^@]*/, '$1***')

/** Quick check: without one of these the text contains nothing to mask. */
const mayHold = /[.:=@]|bearer|basic|crypto/i

/**
 * Masks phone numbers, tokens and passwords within a text, in time proportional to its length, at most `textLengthMax`.
 */
export function maskSecretsInText(text: string): string {
  const looked = maskMobileNumbers(cut(text, textLengthMax))
  if (!mayHold.test(looked)) return looked
  return maskAssigned(looked.replace(dotted, maskJwt).replace(bearer, `$1 ${SECRET_MASK}`)).replace(
    inAddress,
    `$1${SECRET_MASK}@`,
  )
}

/** Masks a JWT within a dotted run, keeping what is before and after it. */
function maskJwt(run: string): string {
  const parts = run.split('.')
  const at = parts.findIndex((part, index) => index < parts.length - 2 && parts[index + 1] !== '' && isJwtHead(part))
  if (at < 0) return run
  const before = parts[at]!.slice(0, parts[at]!.indexOf('eyJ'))
  const after = parts
    .slice(at + 3)
    .map((part) => `.${part}`)
    .join('')
  return `${parts
    .slice(0, at)
    .map((part) => `${part}.`)
    .join('')}${before}${SECRET_MASK}${after}`
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

/** Range of the assigned value: a quoted text up to its end, or everything without a gap. */
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
 * Position of the quote that ends a text opened with this many backslashes; quotes within have more. The text's end if
 * there is none.
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

/** Values still to be visited, so that a huge body does not block the process. */
type Budget = { left: number }

type NamedValue = { name: string; value: unknown; mask: MaskName | undefined }

function maskNamed({ name, value, mask: declared }: NamedValue, depth: number, budget: Budget): unknown {
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

/** Whether a value is secret by the key field beside it: `{ paramKey: 'initPassword', paramValue }`. */
function isNamedSecret(pair: object, name: string): boolean {
  if (!/value$/i.test(name)) return false
  const fields = pair as Record<string, unknown>
  const key = fields[name.replace(/value$/i, (word) => (word === 'Value' ? 'Key' : 'key'))]
  return typeof key === 'string' && !!fields[name] && isSecretWord(key)
}

/** Whether a row's value is secret, by its own name or by the key field beside it. */
export const isSecretInRow = (row: object, name: string): boolean => isSecretFieldName(name) || isNamedSecret(row, name)

const cut = (text: string, max = stringLengthMax) => (text.length > max ? `${text.slice(0, max)}…` : text)

/**
 * Returns a copy for logging: secrets masked, personal numbers shortened, long and deep values cut. Also for headers.
 */
export const maskForLog = <T>(value: T): T => maskAny(value, 0, { left: valuesMax }) as T

/** Masks a URL; in this protocol query strings carry passwords and tokens. */
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
