import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type SecretCipher = { seal: (plain: string) => string; open: (sealed: string) => string }

/** Prefix of secrets that name their key: `sealed2:<key id>.<base64url>`. */
export const SECRET_PREFIX_V2 = 'sealed2:'
/** Prefix of older secrets, from when there was only one key. */
export const SECRET_PREFIX_V1 = 'sealed1:'
/** Matches encrypted secrets, also within a longer text such as JSON. */
export const ENCRYPTED_SECRET_PATTERN = /sealed(?:1:[\w-]{38,}|2:[\w-]{6}\.[\w-]{38,})/g
const IV_BYTES = 12
const TAG_BYTES = 16

/** A key; `id` and `fingerprint` may be shown, as neither can decrypt anything. */
export type SecretsEncryptionKey = { id: string; fingerprint: string; bytes: Buffer }
/** The key that encrypts new secrets, and all keys that decrypt. */
export type SecretsEncryptionKeys = {
  sealing: SecretsEncryptionKey
  all: readonly SecretsEncryptionKey[]
  isOfEnvironment: boolean
}

const sign = (bytes: Buffer, text: string) => createHmac('sha256', bytes).update(text).digest('base64url')
const keyOf = (bytes: Buffer): SecretsEncryptionKey => ({
  id: sign(bytes, 'id').slice(0, 6),
  fingerprint: sign(bytes, 'fingerprint').slice(0, 32),
  bytes,
})
const keyOfText = (text: string): SecretsEncryptionKey => keyOf(createHash('sha256').update(text).digest())

const KEY_FILE = /^secrets(?:-(\d+))?\.key$/
const folderOf = (dataDir: string) => join(dataDir, 'keys')

/** Returns the keys in the data folder, oldest first. Files are never changed, only added, so a backup has all keys. */
function fileKeys(dataDir: string): SecretsEncryptionKey[] {
  const folder = folderOf(dataDir)
  const numberOf = (name: string) => Number(KEY_FILE.exec(name)![1] ?? 1)
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => KEY_FILE.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((name) => keyOf(Buffer.from(readFileSync(join(folder, name), 'utf8').trim(), 'hex')))
}

/** Adds a key file to the data folder atomically; when several processes add one at the same time, one succeeds. */
export function addSecretKeyFile(dataDir: string): void {
  const folder = folderOf(dataDir)
  const count = fileKeys(dataDir).length
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = join(folder, `new-${randomBytes(4).toString('hex')}`)
  writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    linkSync(made, join(folder, count ? `secrets-${count + 1}.key` : 'secrets.key'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made)
  }
}

/** Returns the keys that only decrypt: a comma list, or a single key that contains commas. */
const alsoOf = ({ SECRETS_KEYS_ALSO: text }: NodeJS.ProcessEnv): string[] =>
  text ? [...new Set([text, ...text.split(',').map((one) => one.trim())])].filter(Boolean) : []

/**
 * Returns the keys of this server. It encrypts with SECRETS_KEY if set (several servers on one database), else with the
 * newest file of the data folder, which it creates if there is none.
 */
export function loadSecretsEncryptionKeys(
  dataDir: string,
  env: NodeJS.ProcessEnv = process.env,
): SecretsEncryptionKeys {
  const also = alsoOf(env).map(keyOfText)
  if (env.SECRETS_KEY) {
    const sealing = keyOfText(env.SECRETS_KEY)
    return { sealing, all: [sealing, ...also, ...fileKeys(dataDir)], isOfEnvironment: true }
  }
  if (!fileKeys(dataDir).length) addSecretKeyFile(dataDir)
  const files = fileKeys(dataDir)
  return { sealing: files.at(-1)!, all: [...files, ...also], isOfEnvironment: false }
}

/** Whether a text is an encrypted secret; `open` returns other texts unchanged. */
export const isEncryptedSecret = (text: string): boolean =>
  text.startsWith(SECRET_PREFIX_V2) || text.startsWith(SECRET_PREFIX_V1)

export function encryptSecretWith({ id, bytes }: SecretsEncryptionKey, plain: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', bytes, iv)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${SECRET_PREFIX_V2}${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

function openWith({ bytes: key }: SecretsEncryptionKey, body: string): string {
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Decrypts a secret and returns the key that fitted. Throws when none does. */
export function decryptAndFindKey(
  keys: readonly SecretsEncryptionKey[],
  sealed: string,
): { plain: string; key: SecretsEncryptionKey } {
  const [id, body] = sealed.startsWith(SECRET_PREFIX_V1)
    ? [undefined, sealed.slice(SECRET_PREFIX_V1.length)]
    : (sealed.slice(SECRET_PREFIX_V2.length).split('.', 2) as [string, string | undefined])
  for (const key of keys) {
    if (id !== undefined && key.id !== id) continue
    try {
      return { plain: openWith(key, body ?? ''), key }
    } catch {
      // Encrypted with another key, or damaged.
    }
  }
  throw new Error(`a secret was sealed with a key that this server does not have${id ? ` (${id})` : ''}`)
}

/** Creates the cipher for secrets the server must use but never show, such as a provider's key (AES-256-GCM). */
export function createSecretCipher(dataDir: string, env: NodeJS.ProcessEnv = process.env): SecretCipher {
  let known: SecretsEncryptionKeys | undefined
  const keys = () => (known ??= loadSecretsEncryptionKeys(dataDir, env))
  return {
    seal: (plain) => encryptSecretWith(keys().sealing, plain),
    // Secrets stored unencrypted, by demo data or by hand, are returned as they are.
    open: (sealed) => (isEncryptedSecret(sealed) ? decryptAndFindKey(keys().all, sealed).plain : sealed),
  }
}

const known = new Map<string, SecretCipher>()

/** Returns the secret cipher of an installation, one per data folder. */
export const secretCipherOf = (services: { config: { dataDir: string } }): SecretCipher => {
  const { dataDir } = services.config
  return known.get(dataDir) ?? known.set(dataDir, createSecretCipher(dataDir)).get(dataDir)!
}
