import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#kit/testing/server.ts'
import { readInstallation } from './installation.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server?.close())

test('a log that goes nowhere is never said to be archived', async () => {
  const { rows } = await server.services.systemPool.query<{ command: string }>(
    sql`select current_setting('archive_command') as command`,
  )
  expect(['', 'true', '(disabled)']).toContain(rows[0]!.command)
  expect((await readInstallation(server.services)).archive).toMatchObject({ isOn: false, lastSeconds: null })
})
