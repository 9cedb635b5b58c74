import type { StartConfig } from '../apps/server/src/config.ts'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder of the benchmark's own, which the database's account may enter too: else root's database is kept elsewhere
 * and stays there when the folder has gone.
 */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  chmodSync(folder, 0o755)
  return folder
}

/** How a benchmark runs the product: in its own process, with the story's vendors, and no limit a minute. */
export const BENCH_START = {
  port: 0,
  host: 'inject',
  story: 'demo' as const,
  publicUrl: 'http://localhost',
  isTest: true,
  corsOrigins: [] as string[],
  trustProxy: false,
  generalPerMinute: 0,
} satisfies Partial<StartConfig>

/** Stands in the environment of every process of a play (`npm run chaos`), and names its folder. */
export const CHAOS_MARK = 'STORE_CHAOS'
