import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { withTimeout } from '#kit/server/base/in-time.ts'

export const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))

/** Marks a test's database as seeded, so that a process started on it does not seed the demo data. */
export async function markDatabaseSeeded(databaseUrl: string): Promise<void> {
  const owner = createOwnerPool(databaseUrl)
  await owner.query('create table if not exists installation (key text primary key, value text not null)')
  await owner.query(
    "insert into installation values ('story', 'demo'), ('told', 'now'), ('id', 'kill-test') on conflict do nothing",
  )
  await owner.end()
}

/**
 * Ends the leases of running jobs, and shared claims with keys that begin with `claims`, as if a killed process's time
 * were over. Call it before another process starts working.
 */
export async function expireLeases(pool: Pick<Pool, 'query'>, claims?: string): Promise<void> {
  await pool.query(`update job set lease_until = now() - interval '1 second' where state = 'running'`)
  if (claims)
    await pool.query(`update shared_entry set expires_at = clock_timestamp() where key like $1 || '%'`, [claims])
}

type ProcessOptions = {
  databaseUrl: string
  dataDir: string
  port?: number
  env?: NodeJS.ProcessEnv
  /** Script to run instead of the product's main module. */
  script?: readonly string[]
}

/**
 * Starts the product in a process on a test's database, with jobs and without simulators. `output` returns its output
 * so far; `kill` sends SIGKILL.
 */
export function beginProcess({ databaseUrl, dataDir, port = 0, env, script = [MAIN] }: ProcessOptions) {
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...script], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      SIMULATORS: 'off',
      WORKERS: '1',
      LOG_LEVEL: 'fatal',
      RATE_LIMIT: '1000000',
      JOB_LEASE: '3',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout!.on('data', (part: Buffer) => (output += part.toString()))
  return {
    child,
    output: () => output,
    kill: async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Longer than the slowest start on a busy machine. */
const READY_MS = 120_000

/** Resolves to the address when the process serves; rejects when it exits or takes too long. */
function readyUrl({ child, output }: ReturnType<typeof beginProcess>): Promise<string> {
  const url = new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const ready = /Ready:\s+(http:\S+)/.exec(output())
      if (ready) resolve(ready[1]!)
    })
    child.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}: ${output()}`)))
  })
  return withTimeout(url, READY_MS, () => new Error(`the server does not get ready: ${output()}`))
}

/** Starts the product and waits until it serves; kills it when it does not. */
export async function startProcess(options: ProcessOptions) {
  const begun = beginProcess(options)
  try {
    return { url: await readyUrl(begun), kill: begun.kill }
  } catch (error) {
    await begun.kill()
    throw error
  }
}

/** Starts processes for one test file. `killAll` kills those still running, also one that is still starting. */
export function processesOf(optionsNow: () => ProcessOptions) {
  const begun: { kill: () => Promise<void> }[] = []
  return {
    start: async (more: Partial<ProcessOptions> = {}) => {
      const one = beginProcess({ ...optionsNow(), ...more })
      begun.push(one)
      return { url: await readyUrl(one), kill: one.kill }
    },
    killAll: async (): Promise<void> => {
      await Promise.all(begun.map((one) => one.kill()))
    },
  }
}
