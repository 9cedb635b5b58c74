import { requireMatchingSecretKeys, loadSecretsEncryptionKeys } from '#domains/platform/files/api.ts'
import { openClient } from '#kit/server/database/connections.ts'
import { createServerApp, type ServerApp } from './app.ts'
import { isSimulationEnabled, type StartConfig } from './config.ts'
import { withSeedLock, seedDatabaseOnce, readSeedState } from './seed-once.ts'
import { startupMessageLines } from './sign-ins.ts'

export type RunningServer = { app: ServerApp; address: string; stop: () => Promise<void> }

type ServeOptions = StartConfig & {
  databaseUrl: string
  /** When the start began; with this process unless said. */
  began?: number
  /** What is waited for, once all is prepared, before anybody is let in; who joins others does not wait. */
  whenOpen?: () => Promise<unknown>
  /** Its database is prepared, and what a start says has been said: this process joins others. */
  joins?: boolean
}

const log = (line: string) => console.log(line)

/** Brings this process to where it answers: prepared once for the installation, and said once. */
export async function startServerProcess(asked: ServeOptions): Promise<RunningServer> {
  const app = asked.joins ? await createServerApp(await storied(asked)) : await prepared(asked)
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (err) => app.services.log.error({ err }, 'a failure nobody waited for'))
  try {
    if (!asked.joins) await asked.whenOpen?.()
    const address = await app.start()
    const { story, publicUrl } = app.services.config
    if (!asked.joins) {
      log(`Started in ${((Date.now() - (asked.began ?? performance.timeOrigin)) / 1000).toFixed(1)} s.`)
      for (const line of await startupMessageLines(app.services, story, publicUrl, address)) log(line)
    }
    if ((story === 'demo' || isSimulationEnabled(story, process.env)) && (asked.seat?.isLead ?? true)) {
      const { startAllSimulators: startSimulators } = await import('./stories/simulators.ts')
      // What is only played around the product is no reason for it to end, on a machine too busy to begin it.
      await startSimulators(app.services, address).catch((err: unknown) => {
        app.services.log.error({ err }, 'the simulated world did not begin; a new start begins it')
        log('The simulated world around the story did not begin; start again to have it.')
      })
    }
    return { app, address, stop: () => app.stop() }
  } catch (error) {
    await app.stop().catch(() => {})
    throw error
  }
}

const storied = async (asked: ServeOptions): Promise<ServeOptions> => {
  const { story } = await readSeedState(asked.databaseUrl, asked.story)
  return { ...asked, story }
}

/** Before anything is sealed: what another key seals here, nobody else opens. */
async function claimKey({ databaseUrl, dataDir }: ServeOptions): Promise<void> {
  const client = await openClient({ connectionString: databaseUrl })
  try {
    await requireMatchingSecretKeys(client, loadSecretsEncryptionKeys(dataDir))
  } finally {
    await client.end()
  }
}

const prepared = (asked: ServeOptions): Promise<ServerApp> =>
  withSeedLock(asked.databaseUrl, log, async () => {
    const told = await readSeedState(asked.databaseUrl, asked.story)
    await claimKey(asked)
    if (told.story !== asked.story && process.argv.includes('--story')) {
      log(`This data folder tells the story "${told.story}"; start with another DATA_DIR for "${asked.story}".`)
    }
    const app = await createServerApp({ ...asked, story: told.story })
    await seedDatabaseOnce(app, told, log)
    return app
  })
