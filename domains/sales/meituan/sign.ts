import { createHash, timingSafeEqual } from 'node:crypto'

/** Parameters left out of the signature: the signature itself, and pictures. */
const UNSIGNED = new Set(['sig', 'img_data'])

/** Returns the text to be signed: the address without its query, then all parameters sorted by name, not encoded. */
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

/** Whether `params.sig` is the signature of this address and these parameters with `secret`. */
export function isMeituanSignatureValid(
  url: string,
  params: Readonly<Record<string, string>>,
  secret: string,
): boolean {
  const [right, given] = [Buffer.from(sign(url, params, secret)), Buffer.from((params.sig ?? '').toLowerCase())]
  return right.length === given.length && timingSafeEqual(right, given)
}
