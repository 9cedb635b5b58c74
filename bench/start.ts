// npm run bench -- start [--data DIR] [--runs 5]
// A warm start: `npm start` on a data folder that was started before (its own with an empty story, unless --data names
// one), until a call is answered and until the entry page is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { benchFolder } from './folder.ts'
import { median } from './load.ts'

const PORT = 18087
const MQTT_PORT = 18088
const given = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at > 0 ? process.argv[at + 1] : undefined
}
const RUNS = Number(given('runs') ?? 5)
const folder = given('data') ?? benchFolder()
const base = `http://127.0.0.1:${PORT}`

const answers = (path: string) =>
  fetch(base + path, { headers: { accept: 'text/html' } }).then(
    (answer) => answer.ok,
    () => false,
  )

/** Starts and stops the product. Returns the milliseconds until it served. */
async function start(): Promise<number> {
  const since = performance.now()
  const server = spawn(process.execPath, ['scripts/start.mjs', ...(given('data') ? [] : ['--story', 'empty'])], {
    env: { ...process.env, PORT: String(PORT), MQTT_PORT: String(MQTT_PORT), HOST: '127.0.0.1', DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!((await answers('/api/health')) && (await answers('/login')))) {
    if (server.exitCode !== null) throw new Error(`The product ended with ${server.exitCode}.`)
    await pause(10)
  }
  const servedMs = performance.now() - since
  server.kill('SIGTERM')
  await once(server, 'exit')
  return servedMs
}

try {
  const first = await start()
  const warm: number[] = []
  for (let run = 0; run < RUNS; run++) warm.push(await start())
  const row = [first, median(warm), Math.min(...warm), Math.max(...warm)].map((ms) => ms.toFixed(0))
  console.log('| first of this run, ms | warm (aim 3000) | fastest | slowest |\n| ---: | ---: | ---: | ---: |')
  console.log(`| ${row.join(' | ')} |`)
} finally {
  if (!given('data')) rmSync(folder, { recursive: true, force: true })
}
