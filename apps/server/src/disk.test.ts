import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { isDiskSpaceBelow, watchDiskSpace } from './disk.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server?.close())

const notices = () =>
  server.services.unit({ tenantId: '000000' }, (db) =>
    db.query<{ title: string }>(sql`select title from notice where tenant_id = '000000' and title like '服务器磁盘%'`),
  )

test('a disk is short of room by its share when it is small and by its bytes when it is large', () => {
  const low = { share: 0.1, bytes: 2e9 }
  expect(isDiskSpaceBelow({ free: 9e8, size: 1e10 }, low)).toBe(true)
  expect(isDiskSpaceBelow({ free: 1.1e9, size: 1e10 }, low)).toBe(false)
  expect(isDiskSpaceBelow({ free: 3e9, size: 1e12 }, low)).toBe(false)
})

test(
  'before the disk is full the platform is told once, then changes are refused while ' +
    'reading goes on, and it comes back by itself',
  async () => {
    const space = { free: 5e9, size: 1e10 }
    const disk = watchDiskSpace(server.services, async () => ({ ...space }))
    try {
      await disk.check()
      expect(disk.state()).toEqual({ ok: true, isLow: false })
      expect(await notices()).toEqual([])
      space.free = 5e8
      await disk.check()
      await disk.check()
      expect(disk.state()).toEqual({ ok: true, isLow: true })
      expect(disk.isFull()).toBe(false)
      expect(await notices()).toEqual([{ title: expect.stringContaining('0.5 GB') }])
      space.free = 1e6
      await disk.check()
      expect(disk.state()).toEqual({ ok: false, isLow: true })
      expect(disk.isFull()).toBe(true)
      space.free = 5e9
      await disk.check()
      expect(disk.state()).toEqual({ ok: true, isLow: false })
      expect(disk.isFull()).toBe(false)
    } finally {
      disk.stop()
    }
  },
)

test('what a database elsewhere says of its own disk makes health unwell for a while, and refuses nobody', async () => {
  const disk = watchDiskSpace(server.services, async () => ({ free: 5e9, size: 1e10 }))
  disk.note(Object.assign(new Error('a wrong value'), { code: '22P02' }))
  expect(disk.state().ok).toBe(true)
  disk.note(Object.assign(new Error('could not extend file'), { code: '53100' }))
  expect(disk.state()).toEqual({ ok: false, isLow: true })
  expect(disk.isFull()).toBe(false)
  disk.stop()
})
