import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { addStreamViewer, requireBelowStreamViewerLimit, dropEndedViewers, dropRevokedViewers } from './viewers.ts'

/** Services of two processes of one installation, connected through `shared`. */
let server: TestServer
let thisProcess: Services
let otherProcess: Services
let now = new Date('2026-11-05T04:00:00Z')
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  server = await testServer({ now: () => now })
  thisProcess = { ...server.services }
  otherProcess = { ...server.services }
  for (const services of [thisProcess, otherProcess]) stops.push(await dropRevokedViewers(services))
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await server.close()
})

const reader = (sessionId: string, tenantId = '100001') => ({
  tenantId,
  ofTenant: tenantId,
  userId: '1',
  sessionId,
  cameraId: '1',
  end: () => {},
})
const isFull = (services: Services, sessionId: string, tenantId = '100001') => {
  try {
    requireBelowStreamViewerLimit(services, reader(sessionId, tenantId))
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'camera_watchers' })
    return true
  }
}

test('pictures of one session and of one tenant are counted over all processes', async () => {
  const leaves = Array.from({ length: 17 }, () => addStreamViewer(otherProcess, reader('one')))
  leaves.push(addStreamViewer(thisProcess, reader('one')))
  await vi.waitFor(() => expect([thisProcess, otherProcess].map((one) => isFull(one, 'one'))).toEqual([true, true]))
  expect([thisProcess, otherProcess].map((one) => isFull(one, 'two'))).toEqual([false, false])
  leaves.pop()!()
  await vi.waitFor(() => expect([thisProcess, otherProcess].map((one) => isFull(one, 'one'))).toEqual([false, false]))
  for (let n = 0; n < 283; n++) leaves.push(addStreamViewer(otherProcess, reader(`s${n}`)))
  await vi.waitFor(() => expect(isFull(thisProcess, 'two')).toBe(true))
  expect(isFull(thisProcess, 'two', '100002')).toBe(false)
  for (const leave of leaves) leave()
  await vi.waitFor(() => expect(isFull(thisProcess, 'two')).toBe(false))
})

test('a process that was killed keeps nobody from a picture for long', async () => {
  const leaves = Array.from({ length: 18 }, () => addStreamViewer(otherProcess, reader('gone')))
  await vi.waitFor(() => expect(isFull(thisProcess, 'gone')).toBe(true))
  now = new Date(now.getTime() + 46_000)
  expect(isFull(thisProcess, 'gone')).toBe(false)
  for (const leave of leaves) leave()
})

test('a picture whose session ended by the clock ends with the next look, that of an open one goes on', async () => {
  const ended: string[] = []
  const admin = await server.as('admin')
  const { rows } = await server.services.systemPool.query<{ sid: string }>(
    sql`select sid from session where user_id = ${admin.userId} and revoked_at is null order by sid limit 1`,
  )
  const of = (name: string, sessionId: string) =>
    addStreamViewer(thisProcess, {
      ...reader(sessionId, admin.tenantId),
      userId: admin.userId,
      end: () => ended.push(name),
    })
  const leaves = [of('open', rows[0]!.sid), of('over', 'nobody')]
  await dropEndedViewers(thisProcess)
  expect(ended).toEqual(['over'])
  for (const leave of leaves) leave()
})
