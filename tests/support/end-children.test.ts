import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endChildren, runningChildren } from './end-children.ts'

const idle = (more = '') => spawn(process.execPath, ['-e', `${more};setInterval(() => {}, 1000)`], { stdio: 'ignore' })
const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

test('a process a test left behind is ended and named, one that was told to go is waited for', async () => {
  const [left, going, gone] = [idle('/* left */'), idle(), idle()]
  await Promise.all([left, going, gone].map((one) => once(one, 'spawn')))
  expect(runningChildren()).toHaveLength(3)
  gone.kill('SIGKILL')
  await once(gone, 'exit')
  going.kill()
  expect(await endChildren()).toEqual([expect.stringContaining('/* left */')])
  expect([left, going, gone].every(isOver)).toBe(true)
  expect(await endChildren()).toEqual([])
})

test('a process that does not go when it is told to is ended and named', async () => {
  const deaf = spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do read _; done'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(deaf.stdout, 'data')
  deaf.kill()
  expect(await endChildren(50)).toEqual([expect.stringContaining('trap')])
  expect(deaf.signalCode).toBe('SIGKILL')
})

const REAPER = fileURLToPath(new URL('./process-reaper.ts', import.meta.url))
const isAlive = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

test.skipIf(process.platform !== 'linux')(
  'who is killed leaves nobody behind that was started since, nor anybody who holds its output',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reaper-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const script = join(folder, 'parent.mjs')
    writeFileSync(
      script,
      `import { spawn } from 'node:child_process'
      import { startReaper } from ${JSON.stringify(REAPER)}
      const idle = ['-e', 'setInterval(() => {}, 1000)']
      const options = { stdio: ['ignore', 'inherit', 'inherit'], detached: true }
      const before = spawn(process.execPath, idle, { stdio: 'ignore', detached: true })
      startReaper('STORE_REAPER_TEST', String(process.pid))
      const since = spawn(process.execPath, idle, options)
      console.log(JSON.stringify([before.pid, since.pid]))
      setInterval(() => {}, 1000)`,
    )
    const parent = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const [before, since] = JSON.parse(line.toString()) as [number, number]
    onTestFinished(() => void process.kill(before, 'SIGKILL'))
    expect([before, since].map(isAlive)).toEqual([true, true])
    const closed = once(parent, 'close')
    parent.kill('SIGKILL')
    await closed
    await vi.waitFor(() => expect(isAlive(since)).toBe(false))
    expect(isAlive(before)).toBe(true)
  },
)
