import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG_TESTS, QUICK_JOURNEYS } from './long-tests.ts'

const exists = (file: string) => existsSync(join(import.meta.dirname, '..', file))

test('every file that is left out or kept is there, and what is left out says why', () => {
  expect([...Object.keys(LONG_TESTS), ...QUICK_JOURNEYS].filter((file) => !exists(file))).toEqual([])
  expect(Object.entries(LONG_TESTS).filter(([, reason]) => reason.length < 20)).toEqual([])
})

test('what stands for a file that is left out runs by itself', () => {
  const standIns = ['apps/server/src/approvals-by-every-route.test.ts', 'domains/insight/reports/report-kill.test.ts']
  for (const file of standIns) expect([file, exists(file), file in LONG_TESTS]).toEqual([file, true, false])
})
