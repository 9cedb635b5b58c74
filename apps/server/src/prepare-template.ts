import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#kit/server/database/migrate.ts'
import { createServerApp } from './app.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

/** Migrates an empty database and seeds it with all modules: the template that test databases are cloned from. */
export async function prepareTestTemplateDatabase(url: string): Promise<void> {
  await migrate(url, MIGRATIONS)
  const app = await createServerApp({
    port: 0,
    host: 'inject',
    story: 'demo',
    dataDir: process.env.TEST_DATA_DIR ?? join(tmpdir(), 'store-test-files'),
    databaseUrl: url,
    publicUrl: 'http://localhost',
    isTest: true,
    corsOrigins: [],
    trustProxy: false,
    generalPerMinute: 0,
  })
  await app.seed()
  await app.stop()
}
