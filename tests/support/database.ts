import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import {
  cloneTemplate,
  createDatabase,
  databaseUrl,
  dropDatabase,
  workedFor,
  type TestCluster,
} from '#apps/database/test-cluster.ts'
import { databaseTimes } from './times.ts'

export type TestDatabase = {
  /** Address of the owner role. */
  url: string
  drop: () => Promise<void>
}

let cluster: Promise<TestCluster> | undefined

/** What the database is a copy of: nothing, a `testTemplate`, or by default the migrated and seeded template. */
type Origin = { empty?: boolean; template?: string }

const askForCluster = () => (cluster ??= askDesk<TestCluster>(''))
const nameOf = (place: TestCluster, what: string) => place.template.replace(/template$/, what)

/** Creates a database for one test file. Drop it in `afterAll`. */
export async function testDatabase(origin?: Origin): Promise<TestDatabase> {
  const place = await askForCluster()
  const { adminUrl } = place
  const name = nameOf(place, randomBytes(6).toString('hex'))
  if (origin?.empty) await createDatabase(adminUrl, name)
  else await cloneTemplate({ ...place, template: origin?.template ?? place.template }, name)
  const drop = async () => {
    if (process.env.TEST_TIMES) databaseTimes.seconds += await workedFor(adminUrl, name)
    await dropDatabase(adminUrl, name)
  }
  return { url: databaseUrl(adminUrl, name), drop }
}

/**
 * Makes a database and a folder once per test run; use `testDatabase({ template })` for copies. The first caller runs
 * `make`, which must leave no connection open.
 */
export async function testTemplate(
  word: string,
  make: (url: string, folder: string) => Promise<void>,
): Promise<{ template: string; folder: string }> {
  const place = await askForCluster()
  const template = nameOf(place, word)
  const desk = `/templates/${word}`
  const { folder, isMade } = await askDesk<{ folder: string; isMade: boolean }>(desk)
  if (!isMade) {
    try {
      await cloneTemplate(place, template)
      await make(databaseUrl(place.adminUrl, template), folder)
    } catch (error) {
      await dropDatabase(place.adminUrl, template)
      await askDesk(`${desk}?made=false`)
      throw error
    }
    await askDesk(`${desk}?made=true`)
  }
  return { template, folder }
}

async function askDesk<T>(path: string): Promise<T> {
  const answer = await fetch(inject('testClusterDesk') + path)
  if (!answer.ok) throw new Error(`No test database: ${await answer.text()}`)
  return (await answer.json()) as T
}
