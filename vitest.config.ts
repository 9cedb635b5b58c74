import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS, QUICK_JOURNEYS } from './scripts/long-tests.ts'
import { testInMemory } from './scripts/test-memory.ts'

testInMemory()

/** Files that take longest, longest first: begun last, one of them would run alone at the end. */
const SLOW = [
  'apps/server/src/contract',
  'apps/database/embedded-postgres',
  'apps/server/src/kill',
  'apps/server/src/attack',
  'domains/sales/ele/kill',
  'domains/sales/orders/money-kill',
  'domains/money/reconciliation/kill',
  'domains/sales/orders/money-sequences',
  'domains/catalogue/inventory/sequences',
  'scripts/recipes',
  'apps/server/src/calls',
  'apps/server/src/fuzz',
  'apps/server/src/workers',
  'apps/database/backup/backup',
  'apps/server/src/sheets',
  'apps/server/src/watchdog',
  'tests/journeys/accessibility',
  'tests/journeys/newcomer',
  'tests/journeys/list-work',
  'tests/journeys/kit',
]

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((slow) => moduleId.includes(`/${slow}.`))
      return at < 0 ? SLOW.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/**
 * Tests share the modules of their worker with those before them, which spares a fifth of the time: nothing may be kept
 * by a module that a second server in the same process must not find. Alone are those of the browser, where a page has
 * its modules for itself, and those that look at what a process has learned so far.
 */
const ALONE = [
  '{kit,apps}/web/**/*.test.{ts,tsx}',
  'kit/server/database/statement-batch.test.ts',
  'kit/server/database/shared-reads.test.ts',
  'kit/server/resource/resource.test.ts',
]

/**
 * As many as there are cores: a third one on two cores makes everybody slower than what it does meanwhile
 * (docs/performance.md). More than four were never tried against one database.
 */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()))

/** How long a page or a server is asked again before a promise counts as broken. */
const expectLong = { poll: { timeout: 20_000 } }

/** `npm test` by itself asks what stands for its kind (scripts/long-tests.ts); whoever names files asks all of them. */
const isQuick = process.env.TESTS === 'quick'

const everywhere = ['**/node_modules/**', '**/dist/**', 'data/**']

/** What one process of a test seals another opens, as with servers on one database. */
const SECRETS = { SECRETS_KEY: 'of-the-tests-alone-'.repeat(2) }

/** A worker leaves no process behind, however it ends. */
const WORKER_END = './kit/testing/end-with-worker.ts'

const code = {
  environment: 'node',
  env: SECRETS,
  globalSetup: ['./apps/database/global-setup.ts'],
  // What is set up first is ended last.
  setupFiles: [WORKER_END, './kit/testing/end-children.ts', './kit/testing/setup.ts'],
  expect: expectLong,
  testTimeout: 120_000,
  hookTimeout: 240_000,
  maxWorkers: WORKERS,
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...code,
          name: 'code',
          include: ['{apps,kit,domains,simulators,scripts,bench}/**/*.test.{ts,tsx}'],
          exclude: [...everywhere, ...ALONE, ...(isQuick ? Object.keys(LONG_TESTS) : [])],
          isolate: false,
        },
      },
      { test: { ...code, name: 'alone', include: ALONE } },
      {
        test: {
          name: 'journeys',
          // After all others, so that no browser waits while a server is killed, among the same databases.
          sequence: { groupOrder: 1 },
          isolate: false,
          include: isQuick ? QUICK_JOURNEYS : ['tests/journeys/**/*.test.{ts,tsx}'],
          expect: expectLong,
          exclude: everywhere,
          environment: 'node',
          env: SECRETS,
          globalSetup: ['./apps/database/global-setup.ts'],
          setupFiles: [WORKER_END],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: WORKERS,
        },
      },
      {
        test: {
          name: 'walk',
          include: ['tests/walks/**/*.test.{ts,tsx}'],
          exclude: everywhere,
          environment: 'node',
          env: SECRETS,
          globalSetup: ['./apps/database/global-setup.ts'],
          setupFiles: [WORKER_END],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
})
