import { isSecretName } from '../../resource/secret-names.ts'

/** What stands in place of a secret. */
export const masked = '******'

const secretNames =
  /password|passwd|pwd|secret|token|authorization|bladeauth|cookie|apikey|privatekey|apiv3key|accesskey|captchacode|captchakey|ticket|credential/
const phoneNames = /phone|mobile|^tel$/
const numberNames = /bankaccount|bankcard|accountno$|cardno|cardnumber|idcard|idno$|idnumber|certno|licenseno/
const emailNames = /e?mail$/

const stringLengthMax = 2_000
const itemsMax = 100
const depthMax = 12

const jwt = /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/g
const bearer = /\b(bearer|basic|crypto)\s+[\w.~+/=-]{8,}/gi
const assigned = /\b([\w-]*(?:password|passwd|pwd|secret|token|api_?key)[\w-]*)=[^\s&"'<>]+/gi

export const maskPhone = (text: string) => text.replace(/\d(?=\d{4})/g, (digit, i: number) => (i < 3 ? digit : '*'))
const maskNumber = (text: string) => (text.length < 8 ? text : `${'*'.repeat(text.length - 4)}${text.slice(-4)}`)
const maskEmail = (text: string) => text.replace(/^(.)[^@]*/, '$1***')

/** Tokens and passwords that stand in the middle of a text. */
export const maskText = (text: string) =>
  text.replace(jwt, masked).replace(bearer, `$1 ${masked}`).replace(assigned, (_all, name: string) => `${name}=${masked}`)

const plainOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

function maskNamed(name: string, value: unknown, depth: number): unknown {
  const plain = plainOf(name)
  if (value === '' || value === null || value === undefined) return value
  if (secretNames.test(plain)) return masked
  if (typeof value !== 'string' && typeof value !== 'number') return maskAny(value, depth)
  if (phoneNames.test(plain)) return String(value).split(',').map(maskPhone).join(',')
  if (numberNames.test(plain)) return maskNumber(String(value))
  if (emailNames.test(plain)) return maskEmail(String(value))
  return maskAny(value, depth)
}

function maskAny(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(cut(value))
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsMax).map((item) => maskAny(item, depth + 1))
    return value.length > itemsMax ? [...items, `… ${value.length - itemsMax}`] : items
  }
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, isNamedSecret(value, name) ? masked : maskNamed(name, item, depth + 1)]))
}

/** A key and its value side by side, `{ paramKey: 'initPassword', paramValue }`: the key says what the value is. */
function isNamedSecret(pair: object, name: string): boolean {
  if (!/value$/i.test(name)) return false
  const fields = pair as Record<string, unknown>
  const key = fields[name.replace(/value$/i, (word) => (word === 'Value' ? 'Key' : 'key'))]
  return typeof key === 'string' && !!fields[name] && secretNames.test(plainOf(key))
}

/** Whether a text of a row is a secret, by its own name or by the key beside it. */
export const isSecretIn = (row: object, name: string): boolean => isSecretName(name) || isNamedSecret(row, name)

const cut = (text: string) => (text.length > stringLengthMax ? `${text.slice(0, stringLengthMax)}…` : text)

/** A copy fit for a log: secrets gone, personal numbers shortened, long and deep things cut. Works for headers too. */
export const mask = <T>(value: T): T => maskAny(value, 0) as T

/** The same for an address: passwords and tokens travel in query strings in this protocol. */
export function maskUrl(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return maskText(url)
  const pairs = url.slice(start + 1).split('&').map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    if (rest.length === 0) return maskText(pair)
    const value = decode(rest.join('='))
    const shown = maskNamed(decode(name), value, 0)
    return shown === value ? pair : `${name}=${encodeURIComponent(String(shown)).replaceAll('%2C', ',')}`
  })
  return `${maskText(url.slice(0, start))}?${pairs.join('&')}`
}

/** The same for a body kept as text: JSON is masked by name, anything else by pattern. */
export function maskBody(text: string): string {
  try {
    return JSON.stringify(mask(JSON.parse(text)))
  } catch {
    return maskText(cut(text))
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
