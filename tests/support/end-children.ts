import { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import { withTimeout } from '#kit/server/base/in-time.ts'

const GOING_MS = 10_000

/** Returns the running child processes of this process. */
export const runningChildren = (): ChildProcess[] =>
  (process as unknown as { _getActiveHandles: () => unknown[] })
    ._getActiveHandles()
    .filter((one): one is ChildProcess => one instanceof ChildProcess && isRunning(one))

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && !signalCode

/** Kills the child processes that still run. Returns those nobody had asked to end. */
export async function endChildren(goingMs = GOING_MS): Promise<string[]> {
  const left: string[] = []
  for (const child of runningChildren()) {
    // It may have gone while another was waited for; its exit would be waited for without end.
    if (!isRunning(child)) continue
    const gone = once(child, 'exit')
    const isGoing =
      child.killed &&
      (await withTimeout(gone, goingMs, () => new Error()).then(
        () => true,
        () => false,
      ))
    if (isGoing) continue
    left.push(child.spawnargs.join(' '))
    child.kill('SIGKILL')
    await gone
  }
  return left
}

afterAll(async () => {
  const left = await endChildren()
  if (left.length) throw new Error(`Processes were left behind and are ended now:\n${left.join('\n')}`)
})
