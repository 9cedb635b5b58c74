import { createHash } from 'node:crypto'

/** The signed fields of a message; `fields` and `access_token` only when they were sent. */
const NAMES = ['cmd', 'timestamp', 'version', 'ticket', 'source', 'encrypt', 'body', 'fields', 'access_token']

type Form = Record<string, string>

export function signed(form: Form, secret: string): Form {
  const pairs = Object.entries({ ...form, secret })
    .filter(([name]) => name === 'secret' || NAMES.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  return { ...form, sign: createHash('md5').update(pairs.join('&')).digest('hex').toUpperCase() }
}

export const isRightlySigned = ({ sign, ...form }: Form, secret: string): boolean => signed(form, secret).sign === sign

/** Encodes JSON as the platform does: ASCII only, with `/` written as `\/`. */
export const platformJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[^\0-~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns an answer as JSON, with the body as the exact text that was signed. */
export function answerText(form: Form): string {
  const { body, ...rest } = form
  return `{${Object.entries(rest)
    .map(([name, value]) => `${JSON.stringify(name)}:${platformJson(value)},`)
    .join('')}"body":${body}}`
}

/** Returns the exact text of an answer's body, for its signature: parsed and encoded again it could differ. */
export function bodyTextOf(answer: string): string {
  const start = answer.indexOf('"body":') + '"body":'.length
  let depth = 0
  let isText = false
  for (let at = start; at < answer.length; at++) {
    const sign = answer[at]
    if (sign === '\\') at++
    else if (sign === '"') isText = !isText
    else if (!isText && sign === '{') depth++
    else if (!isText && sign === '}' && --depth === 0) return answer.slice(start, at + 1)
  }
  return ''
}
