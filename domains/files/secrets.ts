import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Secrets = { seal: (plain: string) => string; open: (sealed: string) => string }

export const sealPrefix = 'sealed1:'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The key secrets are sealed with: SECRETS_KEY where several servers share a database, else a file of the data folder.
 */
function keyOf(dataDir: string, env: NodeJS.ProcessEnv): Buffer {
  if (env.SECRETS_KEY) return createHash('sha256').update(env.SECRETS_KEY).digest()
  const folder = join(dataDir, 'keys')
  const path = join(folder, 'secrets.key')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
}

/** Whether a text was sealed here; `open` hands back any other as it is. */
export const isSealed = (text: string): boolean => text.startsWith(sealPrefix)

/** Keeps what must be used again but never read, such as a provider's key, sealed in the database (AES-256-GCM). */
export function createSecrets(dataDir: string, env: NodeJS.ProcessEnv = process.env): Secrets {
  let key: Buffer | undefined
  return {
    seal: (plain) => {
      key ??= keyOf(dataDir, env)
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return sealPrefix + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open: (sealed) => {
      // Rows written before the first sealing, by a story or by hand.
      if (!isSealed(sealed)) return sealed
      key ??= keyOf(dataDir, env)
      const bytes = Buffer.from(sealed.slice(sealPrefix.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}

const known = new Map<string, Secrets>()

/** The secrets of an installation, by its data folder. */
export const secretsOf = (services: { config: { dataDir: string } }): Secrets => {
  const { dataDir } = services.config
  return known.get(dataDir) ?? known.set(dataDir, createSecrets(dataDir)).get(dataDir)!
}
