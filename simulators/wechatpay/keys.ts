import {
  constants,
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  sign,
  verify,
  X509Certificate,
} from 'node:crypto'

export type Pair = { publicKey: string; privateKey: string }

export const newPair = (): Pair =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

export const signed = (text: string, privateKey: string): string =>
  sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64')
export const isSignedBy = (text: string, signature: string, publicKey: string): boolean =>
  verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }

/** Decrypts a personal field; undefined when it was not encrypted with this key. */
export function unsealed(value: unknown, privateKey: string): string | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return privateDecrypt({ key: privateKey, ...oaep }, Buffer.from(value, 'base64')).toString('utf8')
  } catch {
    return undefined
  }
}
export const sealedFor = (bytes: Buffer, publicKey: string): string =>
  publicEncrypt({ key: publicKey, ...oaep }, bytes).toString('base64')

/** Encrypts with AES-256-GCM; the tag is appended. */
export function encrypted(plain: Buffer, key: Buffer, nonce: string, associated: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.from(nonce))
  cipher.setAAD(Buffer.from(associated))
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Returns a nonce of twelve characters, as WeChat Pay's callbacks have. */
export const newNonce = (): string => randomBytes(6).toString('hex')

const sized = (tag: number, body: Buffer): Buffer => {
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const list = (...parts: Buffer[]) => sized(0x30, Buffer.concat(parts))
const SHA256_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const named = (name: string) => list(sized(0x31, list(COMMON_NAME, sized(0x0c, Buffer.from(name)))))
const time = (at: Date) => sized(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

/** Returns a self-signed certificate (X.509 v3) as PEM. */
export function certificateOf({ publicKey, privateKey }: Pair, serialNo: string, from: Date, until: Date): string {
  const spki = createPublicKey(publicKey).export({ type: 'spki', format: 'der' })
  const body = list(
    sized(0xa0, Buffer.from('020102', 'hex')),
    sized(0x02, Buffer.from(serialNo, 'hex')),
    SHA256_RSA,
    named('Tenpay.com Root CA'),
    list(time(from), time(until)),
    named('Tenpay.com sign'),
    spki,
  )
  const signature = sign('RSA-SHA256', body, privateKey)
  const der = list(body, SHA256_RSA, sized(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return new X509Certificate(der).toString()
}
