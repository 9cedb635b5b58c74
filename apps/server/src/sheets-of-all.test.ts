import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { sheetCapabilities } from '#kit/server/sheets/routes.ts'
import { sheetRows } from '#kit/server/sheets/read-sheet.ts'
import { testProduct, type Product } from './test-product.ts'

let product: Product
beforeAll(async () => {
  product = await testProduct()
}, 60_000)
afterAll(() => product?.close())

const AT_ONCE = 15
const exported = () => product.underTest.resources.filter((served) => sheetCapabilities(served).export)
const request = (method: 'GET' | 'POST', path: string, body?: object) =>
  product.server.call(product.admin, method, path, body ? { body } : {})

async function upload(path: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'x.xlsx')
  const request = new Request('http://x', { method: 'POST', body: form })
  const response = await product.server.http.inject({
    method: 'POST',
    url: `${path}/import`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'blade-auth': `bearer ${product.admin.token}`, 'content-type': request.headers.get('content-type')! },
  })
  return JSON.parse(response.body).data.id as string
}

/** Returns the workbook of an export with its number of rows; 0 when none was made. */
async function exportedBook(id: string): Promise<{ task: any; book: Buffer; rows: number }> {
  const { data: task } = await request('GET', `/api/kit/tasks/${id}`)
  const { data } = await request('POST', `/api/kit/tasks/${id}/ticket`)
  const url = `/api/kit/download/${data.ticket}`
  const { rawPayload: book } = await product.server.http.inject({ method: 'GET', url })
  let rows = 0
  if (task.state === 'done') for await (const stretch of sheetRows(book, 1e9)) rows += stretch.length
  return { task, book, rows }
}

/** The differences an import found, with all that explains them; undefined where there is none. */
async function differencesIn(id: string): Promise<unknown[] | undefined> {
  const { data: task } = await request('GET', `/api/kit/tasks/${id}`)
  const { new: fresh, changed, wrong, same } = task.result
  if (task.state === 'checked' && fresh + changed + wrong === 0 && same !== 0) return undefined
  const { rows } = await product.server.services.systemPool.query(
    "select last_error from job where last_error <> '' order by id desc limit 1",
  )
  const { data } = await request('GET', `/api/kit/tasks/${id}/rows`)
  return [task.state, task.problem, task.result, rows, data.records?.[0]]
}

it('every list is exported with all its columns, and what can be imported again changes nothing', async () => {
  const { samples, tenants, server } = product
  const all = exported()
  expect(all.length).toBeGreaterThan(15)
  const faults: unknown[] = []
  let compared = 0
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const tasks: { served: (typeof all)[number]; id: string }[] = []
    for (const served of all.slice(from, from + AT_ONCE)) {
      const { resource } = served
      await samples.someRow(served, resource.tenancy === 'platform' ? '000000' : tenants[0]!.tenantId)
      const answer = await request('POST', `${resource.path}/export`, {
        columns: Object.keys(resource.fields as Fields).join(','),
      })
      if (answer.status === 200) tasks.push({ served, id: answer.data.id })
      else faults.push([resource.name, answer.body])
    }
    await server.jobs.runDue()
    const again: typeof tasks = []
    for (const { served, id } of tasks) {
      const { task, book, rows } = await exportedBook(id)
      if (rows < 2) faults.push([served.resource.name, task.state, task.problem, rows])
      else if (sheetCapabilities(served).import && task.done <= 500)
        again.push({ served, id: await upload(served.resource.path, book) })
    }
    await server.jobs.runDue()
    for (const { served, id } of again) {
      const found = await differencesIn(id)
      if (found) faults.push([served.resource.name, ...found])
      compared++
    }
  }
  expect(faults).toEqual([])
  expect(compared).toBeGreaterThan(8)
}, 120_000)

it('a row whose mark names it travels by that name, whatever columns travel, and comes back the same', async () => {
  const { samples, tenants, server } = product
  const resources = [...product.world.registry.served.values()]
  const marked = resources.filter((served) => served.resource.titleFlag && sheetCapabilities(served).import)
  expect(marked.map(({ resource }) => resource.name)).toContain('storageBatch')
  for (const served of marked) {
    const { path, table, title, titleFlag, fields } = served.resource
    const row = await samples.someRow(served, tenants[0]!.tenantId)
    const mark = `update "${table}" set "${toSqlName(titleFlag!)}" = true where id = $1`
    await server.services.systemPool.query(mark, [row!.id])
    for (const columns of [title, Object.keys(fields as Fields).join(',')]) {
      const { data: task } = await request('POST', `${path}/export`, { columns })
      await server.jobs.runDue()
      const { data } = await request('POST', `/api/kit/tasks/${task.id}/ticket`)
      const { rawPayload } = await server.http.inject({ method: 'GET', url: `/api/kit/download/${data.ticket}` })
      const id = await upload(path, rawPayload)
      await server.jobs.runDue()
      const { new: fresh, changed, wrong, same } = (await request('GET', `/api/kit/tasks/${id}`)).data.result
      expect([served.resource.name, columns, fresh + changed + wrong, same > 0]).toEqual([
        served.resource.name,
        columns,
        0,
        true,
      ])
    }
  }
}, 120_000)
