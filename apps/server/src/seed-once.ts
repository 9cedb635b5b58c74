import { randomUUID } from 'node:crypto'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { openClient } from '#kit/server/database/connections.ts'
import type { ServerApp } from './app.ts'

type SeedState = { story: 'demo' | 'empty'; isTold: boolean }

const LOCK = 727_402

/**
 * Runs `prepare` (seeds and, once, the demo data) in one process at a time: of several started on an empty database the
 * first prepares it and the others wait. The lock is freed with the connection when a process dies.
 */
export async function withSeedLock<T>(url: string, log: (line: string) => void, prepare: () => Promise<T>): Promise<T> {
  const turn = await openClient({ connectionString: url })
  try {
    const { rows } = await turn.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (!rows[0]!.mine) {
      log('Another process is preparing this database; waiting for it.')
      await turn.query('select pg_advisory_lock($1)', [LOCK])
    }
    return await prepare()
  } finally {
    await turn.end().catch(() => {})
  }
}

/**
 * Returns which data (`--story`) the database has and whether it was seeded. The first start decides; later starts get
 * the stored one, not `wanted`.
 */
export async function readSeedState(url: string, wanted: string): Promise<SeedState> {
  const owner = createOwnerPool(url)
  try {
    await owner.query('create table if not exists installation (key text primary key, value text not null)')
    const first = ['story', wanted, 'id', randomUUID()]
    await owner.query('insert into installation values ($1, $2), ($3, $4) on conflict do nothing', first)
    const { rows } = await owner.query<{ key: string; value: string }>('select key, value from installation')
    const known = new Map(rows.map((row) => [row.key, row.value]))
    return { story: known.get('story') as SeedState['story'], isTold: known.has('told') }
  } finally {
    await owner.end()
  }
}

/** Runs the modules' seeds, and the demo data once in the life of a database. */
export async function seedDatabaseOnce(
  app: ServerApp,
  seedState: SeedState,
  log: (line: string) => void,
  options?: { days: number },
) {
  for (const line of await app.seed()) log(line)
  if (seedState.isTold) return
  if (seedState.story === 'demo') {
    const { seedAllDemoData: seedDemo } = await import('./demo/demo.ts')
    await seedDemo(app.services, log, options)
  }
  await markSeeded(app.services.config.databaseUrl)
}

async function markSeeded(url: string): Promise<void> {
  const owner = createOwnerPool(url)
  await owner.query("insert into installation values ('told', now()::text) on conflict do nothing")
  await owner.end()
}
