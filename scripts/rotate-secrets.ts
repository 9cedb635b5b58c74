// npm run rotate-secrets: encrypts all secrets in the database anew with SECRETS_KEY, or with a new key in
// DATA_DIR/keys when SECRETS_KEY is not set. After an interruption, the next run goes on where it stopped.
import { readConfig } from '#apps/server/src/config.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { readSeedState } from '#apps/server/src/seed-once.ts'
import {
  addSecretKeyFile,
  requireMatchingSecretKeys,
  isOnlySecretKeyInUse,
  rotateSecrets,
  loadSecretsEncryptionKeys,
} from '#domains/platform/files/api.ts'
import { openClient } from '#kit/server/database/connections.ts'

const { databaseUrl, dataDir, story } = readConfig([], process.env)

async function rotate(url: string): Promise<void> {
  await readSeedState(url, story)
  const client = await openClient({ connectionString: url })
  try {
    let keys = loadSecretsEncryptionKeys(dataDir)
    await requireMatchingSecretKeys(client, keys)
    if (await isOnlySecretKeyInUse(client, keys.sealing)) {
      if (keys.isOfEnvironment) {
        console.log(
          'Everything is sealed with SECRETS_KEY. To change it, say the new one as SECRETS_KEY and the one of',
        )
        console.log('now as SECRETS_KEYS_ALSO.')
        return
      }
      addSecretKeyFile(dataDir)
      keys = loadSecretsEncryptionKeys(dataDir)
    }
    const { resealed, closed, lost } = await rotateSecrets(client, keys)
    console.log(`${resealed} values are sealed with key ${keys.sealing.id} now.`)
    if (closed)
      console.log(
        `${closed} could not be opened with any key there is and are as they were, in ${[...lost].join(', ')}.`,
      )
    console.log(
      keys.isOfEnvironment
        ? 'SECRETS_KEYS_ALSO may go from all servers. Keep the old key for as long as you keep backups of before.'
        : 'Keys of before stay in DATA_DIR/keys, for backups of before.',
    )
  } finally {
    await client.end()
  }
}

try {
  const database = databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, log: console.log })
  try {
    if (database?.attached && !process.env.SECRETS_KEY)
      throw new Error('The product runs, and would go on sealing with the key of now. Stop it, then rotate.')
    await rotate(databaseUrl ?? database!.url)
  } finally {
    await database?.stop()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
