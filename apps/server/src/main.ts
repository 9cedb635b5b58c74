import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { createApp, type App } from './app.ts'
import { readConfig } from './config.ts'
import { inTurn, prepare, storyOf } from './first-start.ts'
import { signIns } from './sign-ins.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const say = (line: string) => console.log(line)
// Whoever read what we say may go, and the disk it is written to may be full: neither is a reason to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env)
  const dataDir = `${config.dataDir}/postgres`
  const backupDir = process.env.BACKUP_DIR ?? ''
  const database = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir, backupDir, log: say })
  const databaseUrl = config.databaseUrl ?? database!.url
  const applied = await migrate(databaseUrl, MIGRATIONS)
  if (applied.length) say(`Database brought up to date: ${applied.join(', ')}`)
  let app: App | undefined
  let isStopping = false
  const stop = async (code: number) => {
    if (isStopping) return
    isStopping = true
    const hard = setTimeout(() => process.exit(code), 15_000)
    await app?.stop().catch((error: unknown) => console.error(error))
    await database?.stop()
    clearTimeout(hard)
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  // A promise nobody waited for is a fault to mend, and no reason to leave everybody else without a server.
  process.on('unhandledRejection', (err) => {
    if (app) app.services.log.error({ err }, 'a failure nobody waited for')
    else console.error(err)
  })
  try {
    const { story } = await inTurn(databaseUrl, say, async () => {
      const told = await storyOf(databaseUrl, config.story)
      if (told.story !== config.story && process.argv.includes('--story')) {
        say(`This data folder tells the story "${told.story}"; start with another DATA_DIR for "${config.story}".`)
      }
      app = await createApp({ ...config, story: told.story, databaseUrl })
      await prepare(app, told, say)
      return told
    })
    const address = await app!.start()
    for (const line of await signIns(app!.services, story, config.publicUrl, address)) say(line)
    if (story === 'demo') {
      const { startSimulators } = await import('./stories/simulators.ts')
      await startSimulators(app!.services, address)
    }
  } catch (error) {
    console.error(error)
    await stop(1)
  }
}

main().catch((error: unknown) => {
  console.error((error as Error).message)
  process.exit(1)
})
