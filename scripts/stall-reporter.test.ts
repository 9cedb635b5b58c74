import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import StallReporter, { STALL_MS } from './stall-reporter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const module = (relativeModuleId: string) => ({ relativeModuleId }) as TestModule
const testCase = (fullName: string) => ({ fullName }) as TestCase

test('a run in which nothing ends is ended, and says which files and tests were running', () => {
  const lines: string[] = []
  const ended: string[] = []
  const reporter = new StallReporter({
    say: (line) => void lines.push(line.trim()),
    kill: () => void ended.push('killed'),
    exit: () => void ended.push('exited'),
  })
  reporter.onTestRunStart()
  reporter.onTestModuleStart(module('a.test.ts'))
  reporter.onTestModuleStart(module('b.test.ts'))
  reporter.onTestCaseReady(testCase('b waits for ever'))
  vi.advanceTimersByTime(STALL_MS - 1)
  reporter.onTestModuleEnd(module('a.test.ts'))
  vi.advanceTimersByTime(STALL_MS - 1)
  expect(lines).toEqual([])

  vi.advanceTimersByTime(1)
  expect(lines.slice(1)).toEqual(['b.test.ts', '› b waits for ever'])
  expect(ended).toEqual(['killed'])
  vi.advanceTimersByTime(60_000)
  expect(ended).toEqual(['killed', 'exited'])
})

test('a run that is over is not ended', () => {
  const kill = vi.fn<() => void>()
  const reporter = new StallReporter({ kill, say: () => {} })
  reporter.onTestRunStart()
  reporter.onTestRunEnd()
  vi.advanceTimersByTime(2 * STALL_MS)
  expect(kill).not.toHaveBeenCalled()
})
