import { spawnSync } from 'node:child_process'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Longer than any timeout of a test or hook (vitest.config.ts): a run silent for so long will not end by itself. */
export const STALL_MS = 10 * 60_000
/** Time for the run to report after its workers were killed; then the process exits. */
const END_MS = 60_000

type Options = { say?: (line: string) => void; kill?: () => void; exit?: () => void }

/**
 * A Vitest reporter that ends a run in which nothing started or finished for `STALL_MS`, and prints the files and tests
 * that were running. A worker whose event loop is blocked cannot time out its own test.
 */
export default class StallReporter implements Reporter {
  private readonly modules = new Set<string>()
  private readonly tests = new Set<string>()
  private timer: NodeJS.Timeout | undefined
  private readonly say: (line: string) => void
  private readonly kill: () => void
  private readonly exit: () => void

  constructor({ say = console.error, kill = killWorkers, exit = () => process.exit(1) }: Options = {}) {
    this.say = say
    this.kill = kill
    this.exit = exit
  }

  onTestRunStart(): void {
    this.restart()
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.modules.add(relativeModuleId)
    this.restart()
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.modules.delete(relativeModuleId)
    this.restart()
  }

  onTestCaseReady({ fullName }: TestCase): void {
    this.tests.add(fullName)
    this.restart()
  }

  onTestCaseResult({ fullName }: TestCase): void {
    this.tests.delete(fullName)
    this.restart()
  }

  onTestRunEnd(): void {
    clearTimeout(this.timer)
  }

  private restart(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.end(), STALL_MS).unref()
  }

  private end(): void {
    this.say(`\n✗ nothing began or ended for ${STALL_MS / 60_000} minutes. Running were:`)
    for (const one of this.modules) this.say(`    ${one}`)
    for (const one of this.tests) this.say(`    › ${one}`)
    this.kill()
    this.timer = setTimeout(() => this.exit(), END_MS)
  }
}

/** Kills all child processes of this run, after printing them. */
function killWorkers(): void {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid=,etime=,args='], { encoding: 'utf8', timeout: 10_000 })
  const rows = stdout.split('\n').map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return { pid: pid!, parent: parent!, line }
  })
  const below = (parent: number): typeof rows =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)])
  for (const { pid, line } of below(process.pid).filter((row) => !/^\s*\d+\s+\d+\s+\S+\s+ps /.test(row.line))) {
    console.error(line.slice(0, 200))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has exited meanwhile.
    }
  }
}
