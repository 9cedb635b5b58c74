export { createCaptchas } from './captcha.ts'
export type { Captchas } from './captcha.ts'
export {
  digestSecret,
  SECRET_DIGEST_COLUMNS,
  HIDDEN_DIGEST_COLUMNS,
  selectDigestsSql,
  equalsInConstantTime,
  matchesSecretDigest,
  newSecret,
  replaceDigestSql,
} from './issued-secrets.ts'
export type { SecretDigests } from './issued-secrets.ts'
export { jwtKeyTablesSql, openKeyring, rotateKeys } from './keyring.ts'
export type { Keyring } from './keyring.ts'
export {
  hashPasswordMd5,
  hashPassword,
  hashGeneratedPassword,
  md5Hex,
  needsRehash,
  randomPassword,
  verifyPassword,
} from './passwords.ts'
export { createOneTimeTickets } from './tickets.ts'
export { createTokenService } from './tokens.ts'
export type { TokenIdentity, TokenService } from './tokens.ts'
