import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/dev/shm/unmanned-store-tests'
/** Free memory required, several times what a run was seen to use. */
const NEEDED = 8 * 2 ** 30

/**
 * Puts the tests' temporary files on /dev/shm where it has room and TMPDIR is not set. Tests make some hundred database
 * clones of two thousand files each, which takes a twentieth of the time there.
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
    // Not available or not writable: the system's temporary folder is used.
  }
}

/** Prefix of the files that mark the folder as in use, followed by the pid of a run. */
const RUN = 'run-'

/** Marks the folder as in use by a run, also by one that never needs a database. */
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
 * Empties the folder at the end, so that leftovers do not occupy memory, unless another run uses it. The folder itself
 * stays for a run that is just starting.
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
