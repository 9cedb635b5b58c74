import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { removeLeftovers } from './test-cluster.ts'

test('a run that was killed leaves neither a server nor a folder once the next one begins', async () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const folder = mkdtempSync(join(tmpdir(), `test-database-${gone}-`))
  chmodSync(folder, 0o755)
  const program = `
    const { startEmbeddedPostgres } = await import(process.argv[1])
    await startEmbeddedPostgres({ dataDir: process.argv[2], settings: { fsync: 'off', shared_buffers: '16MB' } })
    process.send('up')`
  const run = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, new URL('./embedded-postgres.ts', import.meta.url).href, folder],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  await once(run, 'message')
  const port = readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[3]!
  run.kill('SIGKILL')
  await once(run, 'exit')

  await removeLeftovers()
  expect(existsSync(folder)).toBe(false)
  await expect(new pg.Client(`postgres://app@127.0.0.1:${port}/app`).connect()).rejects.toThrow('ECONNREFUSED')
})
