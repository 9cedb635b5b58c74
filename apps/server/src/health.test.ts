import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testServer, type TestServer } from '#kit/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ listen: true })
})
afterAll(() => server?.close())

describe('a server that is to stop', () => {
  test('says so first and serves on, answers what it has taken, and keeps nobody’s connection', async () => {
    const leaving = await testServer({ listen: true, env: { DRAIN: '1' } })
    const read = (path: string) => fetch(`${leaving.url}${path}`)
    // A call that hangs at a lock when the server is told to stop, and is answered when the port is closed.
    const holder = await leaving.services.pool.connect()
    await holder.query('begin; select pg_advisory_xact_lock(1)')
    let isTaken = () => {}
    const taken = new Promise<void>((resolve) => (isTaken = resolve))
    vi.spyOn(leaving.services.files, 'ping').mockImplementationOnce(async () => {
      isTaken()
      await leaving.services.systemPool.query('select pg_advisory_lock(1), pg_advisory_unlock(1)')
    })
    const slow = read('/api/health')
    await taken
    expect((await read('/api/health')).headers.get('connection')).toBe('keep-alive')
    const stopped = leaving.stop()
    const health = await read('/api/health')
    expect([health.status, ((await health.json()) as { msg: string }).msg]).toEqual([503, 'stopping'])
    const call = await read('/api/blade-auth/oauth/captcha')
    expect([call.status, call.headers.get('connection')]).toEqual([200, 'close'])
    await vi.waitFor(() => expect(read('/api/health')).rejects.toThrow(), { timeout: 10_000 })
    await holder.query('rollback')
    holder.release()
    expect((await slow).headers.get('connection')).toBe('close')
    await stopped
    await leaving.close()
  })
})

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
