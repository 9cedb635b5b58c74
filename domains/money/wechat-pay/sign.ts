import { constants, createDecipheriv, privateDecrypt, publicEncrypt, sign, verify, type KeyLike } from 'node:crypto'

/** Signing, verification and the two encryptions of WeChat Pay v3. Pure functions. */

const SCHEME = 'WECHATPAY2-SHA256-RSA2048'
const TAG_BYTES = 16
/** Prefix of test signatures: WeChat Pay sends invalid ones to check that they are refused; these are no incident. */
const PROBE = 'WECHATPAY/SIGNTEST/'

type Stamp = { timestamp: string; nonce: string }

/** Joins the parts of a text to sign; each, also the last, ends with a line feed. */
const linesOf = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')

export const requestTextToSign = (method: string, path: string, { timestamp, nonce }: Stamp, body: string): string =>
  linesOf(method, path, timestamp, nonce, body)

/** Text that signatures of answers and callbacks cover. */
export const replyTextToVerify = ({ timestamp, nonce }: Stamp, body: string): string => linesOf(timestamp, nonce, body)

export const signText = (text: string, privateKey: KeyLike): string =>
  sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64')

export const isWechatPaySignatureValid = (text: string, signature: string, publicKey: KeyLike): boolean =>
  verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))

export const isSignatureProbe = (signature: string): boolean => signature.startsWith(PROBE)

type Signer = { mchid: string; serialNo: string; privateKey: KeyLike }
type WechatSignedRequest = Stamp & { method: string; path: string; body: string }

/** Authorization header of a request; for an upload `body` is only its `meta` part. */
export function authorizationOf(
  { mchid, serialNo, privateKey }: Signer,
  { method, path, body, ...stamp }: WechatSignedRequest,
): string {
  const parts = {
    mchid,
    nonce_str: stamp.nonce,
    signature: signText(requestTextToSign(method, path, stamp, body), privateKey),
    timestamp: stamp.timestamp,
    serial_no: serialNo,
  }
  return `${SCHEME} ${Object.entries(parts)
    .map(([key, value]) => `${key}="${value}"`)
    .join(',')}`
}

/** Signed parameters with which the mini program starts a payment. */
export function signMiniProgramPayment(
  appId: string,
  prepayId: string,
  { timestamp, nonce }: Stamp,
  privateKey: KeyLike,
) {
  const prepay = `prepay_id=${prepayId}`
  const paySign = signText(linesOf(appId, timestamp, nonce, prepay), privateKey)
  return { appId, timeStamp: timestamp, nonceStr: nonce, package: prepay, signType: 'RSA' as const, paySign }
}

export type EncryptedResource = { ciphertext: string; nonce: string; associated_data?: string }

/** Decrypts with the API v3 key only we and WeChat Pay know (AES-256-GCM); throws if the data was changed. */
export function decryptResourceBytes(
  { ciphertext, nonce, associated_data = '' }: EncryptedResource,
  key: Buffer,
): Buffer {
  const bytes = Buffer.from(ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  decipher.setAAD(Buffer.from(associated_data))
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
}

export const decryptResourceText = (resource: EncryptedResource, apiv3Key: string): string =>
  decryptResourceBytes(resource, Buffer.from(apiv3Key)).toString('utf8')

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }

/** Encrypts a personal field for WeChat Pay's key. */
export const encryptPersonalField = (plain: string, key: KeyLike): string =>
  publicEncrypt({ key: key as string, ...oaep }, Buffer.from(plain)).toString('base64')

export const decryptPersonalField = (sealed: string, key: KeyLike): Buffer =>
  privateDecrypt({ key: key as string, ...oaep }, Buffer.from(sealed, 'base64'))
