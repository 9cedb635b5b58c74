import { createHash, timingSafeEqual } from 'node:crypto'

/** A message to or from the platform, as form fields. All values are text and all are signed. */
export type EleMessage = {
  cmd: string
  timestamp: string
  version: string
  /** One for each message, never used twice. */
  ticket: string
  /** Our account number. */
  source: string
  /** Empty: the body is readable. */
  encrypt: string
  /** JSON, letter for letter as it is sent. */
  body: string
  /** Which fields of the answer are wanted. */
  fields?: string
  access_token?: string
}

const OPTIONAL = ['fields', 'access_token'] as const

/** JSON with only ASCII characters, as the platform signs it. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns the text to be hashed: all fields sorted by name, with the secret, which is never sent. */
export function eleTextToSign(message: EleMessage, secret: string): string {
  const { cmd, timestamp, version, ticket, source, encrypt, body } = message
  const fields: Record<string, string> = { cmd, timestamp, version, ticket, source, encrypt, body, secret }
  for (const name of OPTIONAL) if (message[name]) fields[name] = message[name]
  const names = Object.keys(fields).sort()
  return names.map((name) => `${name}=${fields[name]}`).join('&')
}

export const computeEleSignature = (message: EleMessage, secret: string): string =>
  createHash('md5').update(eleTextToSign(message, secret), 'utf8').digest('hex').toUpperCase()

export function isEleSignatureValid(message: EleMessage, signature: string, secret: string): boolean {
  const [right, given] = [Buffer.from(computeEleSignature(message, secret)), Buffer.from(signature.toUpperCase())]
  return right.length === given.length && timingSafeEqual(right, given)
}

/** Adds the signature to a message. */
export const signEleMessage = (message: EleMessage, secret: string): EleMessage & { sign: string } => ({
  ...message,
  sign: computeEleSignature(message, secret),
})
