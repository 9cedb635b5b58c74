import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { defineResource, f } from '../../resource/index.ts'
import { Refused } from '../base/refused.ts'
import { defineModule, serve } from '../module/module.ts'
import { startSampleApp, createSampleCaller, type SampleApp } from '#tests/support/sample-app.ts'
import { lockAgainstRemoval } from './references.ts'

const words = (text: string) => ({ zh: text, en: text })
const resource = { tenancy: 'tenant', list: { columns: ['name'] } } as const
const name = f.text({ label: words('name'), required: true })

const crate = defineResource({
  ...resource,
  name: 'crate',
  path: '/api/t/crate',
  label: words('Crate'),
  fields: { name },
})
const label = defineResource({
  ...resource,
  name: 'label',
  path: '/api/t/label',
  label: words('Label'),
  fields: {
    name,
    crateId: f.ref('crate', { label: words('crate'), required: true, onRemoval: 'remove' }),
    // Refers to a crate a second time, so that the row could be removed twice.
    overId: f.ref('crate', { label: words('over'), onRemoval: 'remove' }),
  },
})
const sticker = defineResource({
  ...resource,
  name: 'sticker',
  path: '/api/t/sticker',
  label: words('Sticker'),
  fields: { name, labelId: f.ref('label', { label: words('label') }) },
})
const noteResource = defineResource({
  ...resource,
  name: 'note',
  path: '/api/t/note',
  label: words('Note'),
  fields: {
    name,
    kind: f.text({ label: words('kind'), max: 10 }),
    refId: f.ref('', {
      label: words('about'),
      by: 'kind',
      resourceByValue: { crate: 'crate', label: 'label' },
      onRemoval: 'refuse',
    }),
  },
})

const hookCalls: string[] = []
const module = defineModule({
  name: 'packing',
  label: words('packing'),
  resources: [
    serve(crate, { afterRemove: (rows) => void hookCalls.push(`gone ${rows.map((row) => row.name).join()}`) }),
    serve(label, {
      beforeRemove: (rows, _call, isAlong) => {
        hookCalls.push(`${isAlong ? 'along' : 'by hand'} ${rows.map((row) => row.name).join()}`)
        if (rows.some((row) => row.name === 'stays')) throw new Refused('busy')
      },
      afterRemove: (rows) => void hookCalls.push(`gone ${rows.map((row) => row.name).join()}`),
    }),
    serve(sticker),
    serve(noteResource),
  ],
})

let database: TestDatabase
let sample: SampleApp
const post = async (path: string, body?: unknown) => {
  const response = await sample.app.inject({
    method: 'POST',
    url: `/api/${path}`,
    headers: { 'blade-auth': 'bearer wu', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  return { status: response.statusCode, ...(response.json() as { data: any; msg: string }) }
}
const add = async (of: string, body: Record<string, unknown>): Promise<string> => {
  const answer = await post(`t/${of}/submit`, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.data.id
}
const remove = (of: string, id: string) => post(`t/${of}/remove?ids=${id}`)
const restore = (of: string, ids: string) => post(`kit/bin/${of}/restore`, { ids })

const waiting = async () =>
  (await sample.owner.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rowCount ?? 0

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  sample = await startSampleApp(
    database.url,
    [module],
    pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`),
  )
  const permissions = ['crate', 'label', 'sticker', 'note'].flatMap((one) => [
    one,
    ...['add', 'edit', 'delete'].map((what) => `${one}_${what}`),
  ])
  sample.callers.set('wu', createSampleCaller({ userId: '7', permissions: new Set(permissions), isAdmin: true }))
})
beforeEach(() => hookCalls.splice(0))
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

test('what goes along goes through the hooks of its own resource, once, and is told that it goes along', async () => {
  const crateId = await add('crate', { name: 'red' })
  await add('label', { name: 'fragile', crateId, overId: crateId })
  expect(await remove('crate', crateId)).toMatchObject({ status: 200 })
  expect(hookCalls).toEqual(['along fragile', 'gone red', 'gone fragile'])
  hookCalls.splice(0)
  const other = await add('crate', { name: 'blue' })
  expect(await remove('label', await add('label', { name: 'heavy', crateId: other }))).toMatchObject({ status: 200 })
  expect(hookCalls).toEqual(['by hand heavy', 'gone heavy'])
})

test('and where its resource refuses, nothing is removed', async () => {
  const crateId = await add('crate', { name: 'red' })
  const labelId = await add('label', { name: 'stays', crateId })
  expect(await remove('crate', crateId)).toMatchObject({ data: { reason: 'busy' } })
  const living = await sample.owner.query(
    `select id from crate where id = ${crateId} and is_deleted = 0
     union all select id from label where id = ${labelId} and is_deleted = 0`,
  )
  expect(living.rows).toHaveLength(2)
})

test('what goes along waits for a name that is being written, and is then refused', async () => {
  const crateId = await add('crate', { name: 'red' })
  const labelId = await add('label', { name: 'fragile', crateId })
  const stickerId = await add('sticker', { name: 'up' })
  let removing: ReturnType<typeof remove> | undefined
  await sample.services.unit({ tenantId: '100001' }, async (db) => {
    await lockAgainstRemoval(db, label, [labelId])
    removing = remove('crate', crateId)
    let isOver = false
    void removing.then(() => (isOver = true))
    await vi.waitUntil(async () => isOver || (await waiting()) > 0)
    await db.update(sticker, stickerId, { labelId })
  })
  expect(await removing).toMatchObject({ data: { reason: 'still_named' } })
})

test('a row names one of several resources: it does not come back to one that went meanwhile', async () => {
  const crateId = await add('crate', { name: 'red' })
  const about = await add('note', { name: 'broken', kind: 'crate', refId: crateId })
  expect(await remove('crate', crateId)).toMatchObject({ data: { reason: 'still_named' } })
  await remove('note', about)
  expect(await remove('crate', crateId)).toMatchObject({ status: 200 })
  expect(await restore('note', about)).toMatchObject({ status: 400, data: { fields: { refId: expect.any(String) } } })
  expect(await restore('crate', crateId)).toMatchObject({ status: 200 })
  expect(await restore('note', about)).toMatchObject({ status: 200 })
})
