import { defineConfig } from 'vitest/config'

const everywhere = ['**/node_modules/**', '**/dist/**', 'data/**']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'code',
          include: ['{apps,kit,domains,simulators,scripts,bench}/**/*.test.{ts,tsx}'],
          exclude: everywhere,
          environment: 'node',
          globalSetup: ['./kit/testing/global-setup.ts'],
          setupFiles: ['./kit/testing/fixed-seed.ts'],
          // Parallel callers meet in another order every time; what is broken fails twice.
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 180_000,
          // A worker that loaded a module once serves many files; test files must not leave anything behind.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.{ts,tsx}'],
          // A browser on a busy machine may miss a click; what is broken fails every time.
          retry: 2,
          exclude: everywhere,
          environment: 'node',
          globalSetup: ['./kit/testing/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'walk',
          include: ['tests/walks/**/*.test.{ts,tsx}'],
          exclude: everywhere,
          environment: 'node',
          globalSetup: ['./kit/testing/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
})
