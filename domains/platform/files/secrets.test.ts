import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { requireMatchingSecretKeys, isOnlySecretKeyInUse, rotateSecrets } from './rotate-secrets.ts'
import { addSecretKeyFile, createSecretCipher, loadSecretsEncryptionKeys } from './secrets.ts'

let database: TestDatabase
let folder: string
let client: pg.Client

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create table installation (key text primary key, value text not null)')
  await client.query('create table provider (id int primary key, secret text, payload jsonb, pattern text)')
})
afterEach(async () => {
  await client.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const [old, fresh, other] = ['old', 'fresh', 'other'].map((one) => one.repeat(12)) as [string, string, string]
const env = (SECRETS_KEY: string, SECRETS_KEYS_ALSO = '') => ({ SECRETS_KEY, SECRETS_KEYS_ALSO })
const keysOf = (...variables: Parameters<typeof env>) => loadSecretsEncryptionKeys(folder, env(...variables))
const insertSecret = (id: number, secret: string, payload: object = {}) =>
  client.query('insert into provider values ($1, $2, $3)', [id, secret, JSON.stringify(payload)])

/** Encrypts as before keys had ids (`sealed1:`). */
function sealedOnce(key: string, plain: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(key).digest(), iv)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `sealed1:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

test('a server with another key is refused by a sentence that holds no key, before it seals anything', async () => {
  await requireMatchingSecretKeys(client, keysOf(old))
  await requireMatchingSecretKeys(client, keysOf(old))
  const refused = requireMatchingSecretKeys(client, keysOf(other))
  await expect(refused).rejects.toThrow(/SECRETS_KEY is not the one .* npm run rotate-secrets/)
  await expect(refused).rejects.not.toThrow(other)
  await expect(requireMatchingSecretKeys(client, loadSecretsEncryptionKeys(folder, {}))).rejects.toThrow(
    'The key in DATA_DIR/keys is not',
  )
})

test('a database of before, which names no key, is asked by what is sealed in it', async () => {
  await insertSecret(1, sealedOnce(old, 'of a provider'))
  await expect(requireMatchingSecretKeys(client, keysOf(other))).rejects.toThrow('none of them can be opened')
  await requireMatchingSecretKeys(client, keysOf(old))
  await expect(requireMatchingSecretKeys(client, keysOf(other))).rejects.toThrow('they know key')
})

test('what was sealed before keys had numbers is opened, and what is sealed now names its key', () => {
  const secrets = createSecretCipher(folder, env(fresh, old))
  expect(secrets.open(sealedOnce(old, '旧'))).toBe('旧')
  const sealed = secrets.seal('新')
  expect(sealed.startsWith(`sealed2:${keysOf(fresh).sealing.id}.`)).toBe(true)
  expect(createSecretCipher(folder, env(other, fresh)).open(sealed)).toBe('新')
  expect(() => createSecretCipher(folder, env(other)).open(sealed)).toThrow('a key that this server does not have')
  expect(secrets.open('as it was written by hand')).toBe('as it was written by hand')
})

test('the key is changed while servers serve, and a change that is cut short goes on', async () => {
  await requireMatchingSecretKeys(client, keysOf(old))
  const [before, now] = [createSecretCipher(folder, env(old, fresh)), createSecretCipher(folder, env(fresh, old))]
  for (let id = 0; id < 450; id++)
    await insertSecret(id, before.seal(`secret ${id}`), { within: [before.seal(`json ${id}`)] })
  await insertSecret(1000, sealedOnce(other, 'nobody has this key any more'))
  const keys = keysOf(fresh, old)
  await requireMatchingSecretKeys(client, keys)
  expect(await isOnlySecretKeyInUse(client, keys.sealing)).toBe(false)
  // A server that lacks either key is refused, and reads nothing it cannot decrypt.
  await expect(requireMatchingSecretKeys(client, keysOf(fresh))).rejects.toThrow('SECRETS_KEYS_ALSO')
  await expect(requireMatchingSecretKeys(client, keysOf(old))).rejects.toThrow('SECRETS_KEYS_ALSO')

  const query = client.query.bind(client)
  let updates = 0
  const spy = vi.spyOn(client, 'query').mockImplementation(((...args: [string]) => {
    if (args[0].startsWith('update') && ++updates === 300) throw new Error('cut short')
    return query(...args)
  }) as never)
  await expect(rotateSecrets(client, keys)).rejects.toThrow('cut short')
  spy.mockRestore()
  const half = await client.query<{ secret: string }>('select secret from provider where id < 450')
  for (const { secret } of half.rows) expect(now.open(secret)).toMatch(/^secret \d+$/)
  // Meanwhile a server with both keys encrypts with the old one.
  await insertSecret(2000, before.seal('meanwhile'))

  const { resealed, closed, lost } = await rotateSecrets(client, keys)
  expect([resealed, closed, [...lost]]).toEqual([602, 1, ['provider.secret']])
  const only = createSecretCipher(folder, env(fresh))
  const { rows } = await client.query<{ id: number; secret: string; payload: { within?: string[] } }>(
    'select id, secret, payload from provider where id <> 1000',
  )
  for (const { id, secret, payload } of rows) {
    expect(only.open(secret)).toBe(id === 2000 ? 'meanwhile' : `secret ${id}`)
    const within = payload.within ?? []
    expect(within.map((one) => only.open(one))).toEqual(within.map(() => `json ${id}`))
  }
  await requireMatchingSecretKeys(client, keysOf(fresh))
  await expect(requireMatchingSecretKeys(client, keysOf(old))).rejects.toThrow('is not the one')
})

test('a key of the data folder is never changed in place, and is nobody else’s to read', async () => {
  const first = createSecretCipher(folder, {})
  const sealed = first.seal('a')
  await requireMatchingSecretKeys(client, loadSecretsEncryptionKeys(folder, {}))
  addSecretKeyFile(folder)
  const second = createSecretCipher(folder, {})
  expect([second.open(sealed), second.seal('b').slice(0, 14) === sealed.slice(0, 14)]).toEqual(['a', false])
  expect(readdirSync(join(folder, 'keys')).toSorted()).toEqual(['secrets-2.key', 'secrets.key'])
  for (const name of ['.', 'secrets.key', 'secrets-2.key'])
    expect(statSync(join(folder, 'keys', name)).mode & 0o077).toBe(0)
})
