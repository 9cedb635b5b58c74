import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
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
    markRun(FOLDER)
    process.env.TMPDIR = FOLDER
  } catch {
    // No such place, or somebody else's: the system's own folder is taken.
  }
}

/** A file named after the process of a run says that the folder is in use. */
const RUN = 'run-'

/** Also a run that asks for no database is at work in the folder. */
export const markRun = (folder: string, pid = process.pid): void => writeFileSync(join(folder, `${RUN}${pid}`), '')

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Memory is not left to what tests forget, unless another run is at it. The folder stays: a run that begins now relies
 * on it.
 */
export function leaveTestMemory(folder = FOLDER): void {
  if (process.env.TMPDIR !== folder) return
  rmSync(join(folder, `${RUN}${process.pid}`), { force: true })
  const isInUse = (name: string) =>
    name.startsWith('test-reports-') ||
    name.startsWith('test-database-') ||
    (name.startsWith(RUN) && isRunning(Number(name.slice(RUN.length))))
  const left = readdirSync(folder)
  if (!left.some(isInUse)) for (const name of left) rmSync(join(folder, name), { recursive: true, force: true })
}
