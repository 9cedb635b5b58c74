import { randomUUID } from 'node:crypto'
import { startEmbeddedPostgres } from '#kit/server/embedded-postgres.ts'
import { createOwnerPool } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { signIns } from './sign-ins.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const say = (line: string) => console.log(line)

/** Which story a database tells is decided when it is made; a later start with another word is told so. */
async function storyOf(url: string, wanted: string): Promise<{ story: 'demo' | 'empty'; isTold: boolean }> {
  const owner = createOwnerPool(url)
  try {
    await owner.query('create table if not exists installation (key text primary key, value text not null)')
    await owner.query('insert into installation values ($1, $2), ($3, $4) on conflict do nothing', ['story', wanted, 'id', randomUUID()])
    const { rows } = await owner.query<{ key: string; value: string }>('select key, value from installation')
    const known = new Map(rows.map((row) => [row.key, row.value]))
    return { story: known.get('story') as 'demo' | 'empty', isTold: known.has('told') }
  } finally {
    await owner.end()
  }
}

async function markTold(url: string): Promise<void> {
  const owner = createOwnerPool(url)
  await owner.query("insert into installation values ('told', now()::text) on conflict do nothing")
  await owner.end()
}

async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env)
  const database = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: `${config.dataDir}/postgres`, log: say })
  const databaseUrl = config.databaseUrl ?? database!.url
  const applied = await migrate(databaseUrl, MIGRATIONS)
  if (applied.length) say(`Database brought up to date: ${applied.join(', ')}`)
  const { story, isTold } = await storyOf(databaseUrl, config.story)
  if (story !== config.story && process.argv.includes('--story')) say(`This data folder tells the story "${story}"; start with another DATA_DIR for "${config.story}".`)
  const app = await createApp({ ...config, story, databaseUrl })
  let isStopping = false
  const stop = async (code: number) => {
    if (isStopping) return
    isStopping = true
    const hard = setTimeout(() => process.exit(code), 15_000)
    await app.stop().catch((error: unknown) => console.error(error))
    await database?.stop()
    clearTimeout(hard)
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  try {
    await app.seed()
    if (story === 'demo' && !isTold) {
      const { seedDemo } = await import('./stories/demo.ts')
      await seedDemo(app.services, say)
    }
    if (!isTold) await markTold(databaseUrl)
    const address = await app.start()
    for (const line of await signIns(app.services, story, config.publicUrl, address)) say(line)
    if (story === 'demo' && process.env.SIMULATORS !== 'off') {
      const { startSimulators } = await import('./stories/simulators.ts')
      await startSimulators(app.services, address)
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
