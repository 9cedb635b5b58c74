import { createHash } from 'node:crypto'

/** What a message consists of besides its signature; `fields` and `access_token` only where they are sent. */
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

/** JSON as the platform's own encoder writes it: ASCII alone, and a slash behind a backslash. */
export const platformJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[^\0-~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An answer: its fields beside each other, the body as the very text that was signed. */
export function answerText(form: Form): string {
  const { body, ...rest } = form
  return `{${Object.entries(rest)
    .map(([name, value]) => `${JSON.stringify(name)}:${platformJson(value)},`)
    .join('')}"body":${body}}`
}

/** The body of an answer letter for letter, to verify it: what comes as an object cannot be written again as it was. */
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
