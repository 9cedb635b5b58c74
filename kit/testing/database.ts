import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { cloneTemplate, createDatabase, databaseUrl, dropDatabase, type TestCluster } from './test-cluster.ts'

export type TestDatabase = {
  /** Connects as the owner of the database. */
  url: string
  drop: () => Promise<void>
}

let cluster: Promise<TestCluster> | undefined

/** A database of the test's own, migrated and ready; with `empty`, one without any table. Drop it in `afterAll`. */
export async function testDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const place = await (cluster ??= askForCluster())
  const { adminUrl, template } = place
  const name = `${template.replace(/template$/, '')}${randomBytes(6).toString('hex')}`
  await (empty ? createDatabase(adminUrl, name) : cloneTemplate(place, name))
  return { url: databaseUrl(adminUrl, name), drop: () => dropDatabase(adminUrl, name) }
}

async function askForCluster(): Promise<TestCluster> {
  const answer = await fetch(inject('testClusterDesk'))
  if (!answer.ok) throw new Error(`No test database: ${await answer.text()}`)
  return await answer.json() as TestCluster
}
