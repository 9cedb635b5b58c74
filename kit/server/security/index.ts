export { createCaptchas } from './captcha.ts'
export type { Captchas } from './captcha.ts'
export {
  digestOf,
  DIGEST_COLUMNS,
  DIGESTS_HIDDEN,
  digestsOfRow,
  isSameSecret,
  isSecretOf,
  newSecret,
  replacesDigest,
} from './issued-secrets.ts'
export type { Digests } from './issued-secrets.ts'
export { jwtKeyTablesSql, openKeyring, rotateKeys } from './keyring.ts'
export type { Keyring } from './keyring.ts'
export { isSecretIn, mask, masked, maskPhone, maskText, maskUrl } from './mask.ts'
export { hashMd5, hashPassword, hashRandom, md5Hex, needsRehash, randomPassword, verifyPassword } from './passwords.ts'
export { createTickets } from './tickets.ts'
export { createTokens } from './tokens.ts'
export type { Identity, Tokens } from './tokens.ts'
