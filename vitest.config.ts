import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS, QUICK_JOURNEYS } from './scripts/long-tests.ts'
import { testInMemory } from './scripts/test-memory.ts'

testInMemory()

/** The slowest test files, longest first: started last, one of them would run alone at the end. */
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
 * Test files that need modules of their own: browser tests, whose page has its own modules, and tests of what a process
 * has learned so far. All others share the modules of their worker, which saves a fifth of the time; so a module must
 * not keep anything that disturbs a second server in the same process.
 */
const ALONE = [
  '{kit,apps}/web/**/*.test.{ts,tsx}',
  'kit/server/database/statement-batch.test.ts',
  'kit/server/database/shared-reads.test.ts',
  'kit/server/resource/resource.test.ts',
]

/**
 * Parallel workers: one per core, since more slow everybody down (docs/performance.md). More than four were never tried
 * on one database.
 */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()))

/** How long an expectation on a page or server is retried. */
const expectLong = { poll: { timeout: 20_000 } }

/** `npm test` runs a representative of each kind (scripts/long-tests.ts); named files run whole. */
const isQuick = process.env.TESTS === 'quick'

const everywhere = ['**/node_modules/**', '**/dist/**', 'data/**']

/** A shared key, so that processes of a test can decrypt each other's secrets, as servers on one database. */
const SECRETS = { SECRETS_KEY: 'of-the-tests-alone-'.repeat(2) }

/** Kills the processes a worker leaves behind. */
const WORKER_END = './tests/support/end-with-worker.ts'

const code = {
  environment: 'node',
  env: SECRETS,
  globalSetup: ['./apps/database/global-setup.ts'],
  // Set up first, ended last.
  setupFiles: [WORKER_END, './tests/support/end-children.ts', './tests/support/setup.ts'],
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
          include: ['{apps,kit,domains,simulators,scripts,bench,tests/support}/**/*.test.{ts,tsx}'],
          exclude: [...everywhere, ...ALONE, ...(isQuick ? Object.keys(LONG_TESTS) : [])],
          isolate: false,
        },
      },
      { test: { ...code, name: 'alone', include: ALONE } },
      {
        test: {
          name: 'journeys',
          // After all others, so that no browser test runs while servers are killed on the same database server.
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
