import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '#kit/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ listen: true })
})
afterAll(() => server?.close())

describe('the health call', () => {
  test('answers 200 with the state of each part, to GET and HEAD, without a token', async () => {
    const answer = await fetch(`${server.url}/api/health`)
    expect(answer.status).toBe(200)
    const { data } = (await answer.json()) as { data: Record<string, { ok: boolean }> }
    expect(Object.keys(data)).toEqual(['database', 'shared', 'files', 'jobs', 'broker', 'disk', 'live'])
    expect(Object.values(data).every((part) => part.ok)).toBe(true)
    expect((await fetch(`${server.url}/api/health`, { method: 'HEAD' })).status).toBe(200)
  })

  test('answers 503 when a part is broken, and tells strangers no path and no driver’s words', async () => {
    const files = join(server.services.config.dataDir, 'files')
    await rm(files, { recursive: true })
    await writeFile(files, 'in the way')
    const answer = await fetch(`${server.url}/api/health`)
    expect(answer.status).toBe(503)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({
      code: 503,
      success: false,
      data: { database: { ok: true }, files: { ok: false } },
    })
    expect(text).not.toMatch(/ENO|\/|reason/)
  })
})
