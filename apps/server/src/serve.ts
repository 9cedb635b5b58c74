import { requireMatchingSecretKeys, loadSecretsEncryptionKeys } from '#domains/platform/files/api.ts'
import { openClient } from '#kit/server/database/connections.ts'
import { createServerApp, type ServerApp } from './app.ts'
import { isSimulationEnabled, type StartConfig } from './config.ts'
import { withSeedLock, seedDatabaseOnce, readSeedState } from './seed-once.ts'
import { startupMessageLines } from './sign-ins.ts'

export type RunningServer = { app: ServerApp; address: string; stop: () => Promise<void> }

type ServeOptions = StartConfig & {
  databaseUrl: string
  /** Epoch ms at which the start began; this process's start by default. */
  began?: number
  /** Awaited after the preparation and before the port opens; not called when `joins`. */
  whenOpen?: () => Promise<unknown>
  /** Other processes serve already: this one prepares no database and prints no start messages. */
  joins?: boolean
}

const log = (line: string) => console.log(line)

/** Starts this process up to answering calls. The first process prepares the database and prints the start messages. */
export async function startServerProcess(options: ServeOptions): Promise<RunningServer> {
  const app = options.joins ? await createServerApp(await storied(options)) : await prepared(options)
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (err) => app.services.log.error({ err }, 'a failure nobody waited for'))
  try {
    if (!options.joins) await options.whenOpen?.()
    const address = await app.start()
    const { story, publicUrl } = app.services.config
    if (!options.joins) {
      log(`Started in ${((Date.now() - (options.began ?? performance.timeOrigin)) / 1000).toFixed(1)} s.`)
      for (const line of await startupMessageLines(app.services, story, publicUrl, address)) log(line)
    }
    if ((story === 'demo' || isSimulationEnabled(story, process.env)) && (options.seat?.isLead ?? true)) {
      const { startAllSimulators: startSimulators } = await import('./demo/simulators.ts')
      // A simulation that fails to start, as on a busy machine, does not end the product.
      await startSimulators(app.services, address).catch((err: unknown) => {
        app.services.log.error({ err }, 'the simulated world did not begin; a new start begins it')
        log('The simulators around the demo data did not start; start again to have it.')
      })
    }
    return { app, address, stop: () => app.stop() }
  } catch (error) {
    await app.stop().catch(() => {})
    throw error
  }
}

const storied = async (options: ServeOptions): Promise<ServeOptions> => {
  const { story } = await readSeedState(options.databaseUrl, options.story)
  return { ...options, story }
}

/**
 * Refuses a secrets key other than the database's before anything is encrypted: data under another key could not be
 * read.
 */
async function claimKey({ databaseUrl, dataDir }: ServeOptions): Promise<void> {
  const client = await openClient({ connectionString: databaseUrl })
  try {
    await requireMatchingSecretKeys(client, loadSecretsEncryptionKeys(dataDir))
  } finally {
    await client.end()
  }
}

const prepared = (options: ServeOptions): Promise<ServerApp> =>
  withSeedLock(options.databaseUrl, log, async () => {
    const seedState = await readSeedState(options.databaseUrl, options.story)
    await claimKey(options)
    if (seedState.story !== options.story && process.argv.includes('--story')) {
      log(`This data folder has the data "${seedState.story}"; start with another DATA_DIR for "${options.story}".`)
    }
    const app = await createServerApp({ ...options, story: seedState.story })
    await seedDatabaseOnce(app, seedState, log)
    return app
  })
