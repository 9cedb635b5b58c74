import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { leaveTestMemory, markRun } from './test-memory.ts'

function memory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(join(folder, 'of-a-test'))
  return folder
}

test('a run that ends takes nothing from another that goes on, though that has no database', () => {
  const folder = memory()
  markRun(folder)
  markRun(folder, process.ppid)
  leaveTestMemory(folder)
  expect(readdirSync(folder).toSorted()).toEqual(['of-a-test', `run-${process.ppid}`])
})

test('the last run leaves nothing in memory, nor what one that was killed has left', () => {
  const folder = memory()
  markRun(folder)
  markRun(folder, spawnSync(process.execPath, ['-e', ''], { timeout: 30_000 }).pid)
  leaveTestMemory(folder)
  expect(readdirSync(folder)).toEqual([])
})
