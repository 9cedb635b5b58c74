import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { HEALTH_CHECK_TIMEOUT_MS } from './health.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ listen: true })
})
afterAll(() => server?.close())

describe('a server that is to stop', () => {
  test('says so first and serves on, answers what it has taken, and keeps nobody’s connection', async () => {
    const leaving = await testServer({ listen: true, env: { DRAIN: '1' } })
    const read = (path: string) => fetch(`${leaving.url}${path}`)
    // A call that waits for a lock when the server is told to stop, and is answered after the port is closed.
    const holder = await leaving.services.pool.connect()
    await holder.query('begin; select pg_advisory_xact_lock(1)')
    let isTaken = () => {}
    const taken = new Promise<void>((resolve) => (isTaken = resolve))
    vi.spyOn(leaving.services.files, 'ping').mockImplementationOnce(async () => {
      isTaken()
      await leaving.services.systemPool.query('select pg_advisory_lock(1), pg_advisory_unlock(1)')
    })
    const slow = read('/api/health/parts')
    await taken
    expect((await read('/api/health/ready')).headers.get('connection')).toBe('keep-alive')
    const stopped = leaving.stop()
    for (const path of ['/api/health/ready', '/api/health']) {
      const health = await read(path)
      expect([health.status, ((await health.json()) as { msg: string }).msg]).toEqual([503, 'stopping'])
    }
    expect((await read('/api/health/live')).status).toBe(200)
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
    expect(Object.keys(data)).toEqual(['database', 'shared', 'files', 'jobs', 'broker', 'disk', 'clock', 'live'])
    // On a busy machine a slow component is first reported with its last state.
    const unwell = async () => {
      const { data: now } = (await (await fetch(`${server.url}/api/health`)).json()) as { data: typeof data }
      return Object.entries(now).flatMap(([part, { ok }]) => (ok ? [] : [part]))
    }
    await expect.poll(unwell).toEqual([])
    for (const path of ['', '/live', '/ready', '/parts']) {
      expect((await fetch(`${server.url}/api/health${path}`, { method: 'HEAD' })).status).toBe(200)
      expect((await fetch(`${server.url}/api/health${path}`)).status).toBe(200)
      expect(comparedAnswers(server.http)).toContain(`GET /api/health${path}`)
    }
  })

  test('says a clock that is off against the database’s, and the server stays ready', async () => {
    const later = await testServer({ listen: true, now: () => new Date(Date.now() + 31 * 86_400_000) })
    const parts = await fetch(`${later.url}/api/health/parts`)
    const { data } = (await parts.json()) as { data: { clock: { ok: boolean; errorMs: number } } }
    expect([parts.status, data.clock.ok]).toEqual([503, false])
    expect(Math.abs(data.clock.errorMs - 31 * 86_400_000)).toBeLessThan(1000)
    expect((await fetch(`${later.url}/api/health/ready`)).status).toBe(200)
    await later.close()
  })

  test('a broken part is named and takes no server away; strangers are told no path and no driver’s word', async () => {
    const files = join(server.services.config.dataDir, 'files')
    await rm(files, { recursive: true })
    await writeFile(files, 'in the way')
    const answer = await fetch(`${server.url}/api/health/parts`)
    expect(answer.status).toBe(503)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({
      code: 503,
      success: false,
      data: { database: { ok: true }, files: { ok: false } },
    })
    expect(text).not.toMatch(/ENO|\/|reason/)
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200)
    const old = await fetch(`${server.url}/api/health`)
    expect([old.status, await old.json()]).toMatchObject([200, { msg: 'unwell', data: { files: { ok: false } } }])
  })

  test('a part that does not answer keeps nobody waiting who asks whether the server is ready', async () => {
    vi.spyOn(server.services.files, 'ping').mockImplementation(() => new Promise(() => {}))
    const began = performance.now()
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200)
    // Sooner than the component itself times out.
    expect(performance.now() - began).toBeLessThan(HEALTH_CHECK_TIMEOUT_MS)
  })

  test('without its database no server is ready', async () => {
    vi.spyOn(server.services.pool, 'query').mockRejectedValue(new Error('gone'))
    const ready = await fetch(`${server.url}/api/health/ready`)
    expect([ready.status, await ready.json()]).toMatchObject([503, { data: { database: { ok: false } } }])
    expect((await fetch(`${server.url}/api/health/live`)).status).toBe(200)
  })
})
