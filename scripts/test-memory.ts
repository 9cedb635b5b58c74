import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/dev/shm/unmanned-store-tests'
/** Several times what a run was seen to need at once. */
const NEEDED = 8 * 2 ** 30

/**
 * Tests put their databases, a hundred clones of two thousand files each, into memory where there is plenty and nobody
 * has named another folder: there they are made in a twentieth of the time.
 */
export function testInMemory(): void {
  if (process.env.TMPDIR) return
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < NEEDED) return
    mkdirSync(FOLDER, { recursive: true })
    accessSync(FOLDER, constants.W_OK)
    process.env.TMPDIR = FOLDER
  } catch {
    // No such place, or somebody else's: the system's own folder is taken.
  }
}

/**
 * Memory is not left to what tests forget, unless another run is at it. The folder stays: a run that begins now relies
 * on it.
 */
export function leaveTestMemory(): void {
  const isInUse = (name: string) => name.startsWith('test-reports-') || name.startsWith('test-database-')
  if (process.env.TMPDIR !== FOLDER) return
  const left = readdirSync(FOLDER)
  if (!left.some(isInUse)) for (const name of left) rmSync(join(FOLDER, name), { recursive: true, force: true })
}
