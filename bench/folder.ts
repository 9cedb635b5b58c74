import type { StartConfig } from '../apps/server/src/config.ts'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a temporary folder that the database's account can enter. Otherwise root's database would be kept elsewhere
 * and left behind.
 */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  chmodSync(folder, 0o755)
  return folder
}

/** Start options of the product inside a benchmark process: demo data, no rate limit. */
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

/** Environment variable of all processes of `npm run chaos`, by which they are found; its value is their folder. */
export const CHAOS_MARK = 'STORE_CHAOS'
