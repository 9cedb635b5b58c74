import { createHash, timingSafeEqual } from 'node:crypto'

/** Neither what is computed nor pictures are part of what is signed. */
const UNSIGNED = new Set(['sig', 'img_data'])

/** What is signed: the address without its query, then all parameters by their names, as plain text. */
export function meituanTextToSign(url: string, params: Readonly<Record<string, string>>): string {
  const names = Object.keys(params)
    .filter((name) => !UNSIGNED.has(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
  return `${url}?${names.map((name) => `${name}=${params[name]}`).join('&')}`
}

export const sign = (url: string, params: Readonly<Record<string, string>>, secret: string): string =>
  createHash('md5')
    .update(`${meituanTextToSign(url, params)}${secret}`, 'utf8')
    .digest('hex')

/** Whether `params.sig` was made over this address and these parameters by who knows the secret. */
export function isSigned(url: string, params: Readonly<Record<string, string>>, secret: string): boolean {
  const [right, given] = [Buffer.from(sign(url, params, secret)), Buffer.from((params.sig ?? '').toLowerCase())]
  return right.length === given.length && timingSafeEqual(right, given)
}
