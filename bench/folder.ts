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
