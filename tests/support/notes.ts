import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineResource, f } from '#kit/resource/index.ts'
import { unitOfWork } from '#kit/server/database/db.ts'
import { defineModule, serve } from '#kit/server/module/module.ts'
import { startSampleApp, type SampleApp } from './sample-app.ts'
import { testDatabase, type TestDatabase } from './database.ts'

const label = { zh: '便条', en: 'Note' }

/** The smallest possible resource. */
export const noteResource = defineResource({
  name: 'note',
  path: '/api/t/note',
  label,
  tenancy: 'tenant',
  fields: { text: f.text({ label }) },
  list: { columns: ['text'] },
})

export type Notes = { database: TestDatabase; sample: SampleApp; close: () => Promise<void> }

/** Starts a server with the resource `note` only. Each of the tenants gets one note with its own id as text. */
export async function openNotes(tenants: readonly string[] = []): Promise<Notes> {
  const database = await testDatabase({ empty: true })
  const sample = await startSampleApp(
    database.url,
    [defineModule({ name: 'notes', label, resources: [serve(noteResource)] })],
    pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`),
  )
  for (const tenantId of tenants)
    await unitOfWork(sample.services.pool, { tenantId }, { userId: '1', deptId: null }, (db) =>
      db.insert(noteResource, { text: tenantId }),
    )
  return {
    database,
    sample,
    close: async () => {
      await sample.stop()
      await database.drop()
    },
  }
}
