import { setSnowflakeWorker } from '#kit/server/database/snowflake.ts'
import type { StartConfig } from './config.ts'
import { createMetricsReporter } from './collect-metrics.ts'
import { createHostBus } from './host-bus.ts'
import { createRateCounter } from './worker-role.ts'
import type { RunningServer } from './serve.ts'
import { WORKER_HEARTBEAT_MS, type MessageFromWorker, type WorkerSettings, type MessageToWorker } from './workers.ts'

/**
 * Runs one of several worker processes (workers.ts): loads, waits for its settings, serves. On a `stop` message or
 * SIGTERM it finishes every call and exits.
 */
export async function runWorkerProcess(config: StartConfig): Promise<void> {
  const send = (message: MessageFromWorker) => process.send?.(message)
  const { count, receive } = createRateCounter(config.generalPerMinute, (counted) => send({ kind: 'counted', counted }))
  const { near, take } = createHostBus(send)
  const { gather, measures, take: takeMeasured } = createMetricsReporter(send)
  let leave: RunningServer['stop'] = async () => {}
  let isStopping = false

  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await leave().catch((error: unknown) => console.error(error))
    process.exit(0)
  }
  // Ctrl-C at a terminal reaches the first process too, which then sends `stop`.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => void stop())

  const opened = Promise.withResolvers<void>()
  const ordered = new Promise<WorkerSettings>((resolve) => {
    process.on('message', (message: MessageToWorker) => {
      if (message.kind === 'serve') resolve(message.orders)
      else if (message.kind === 'open') opened.resolve()
      else if (message.kind === 'stop') void stop()
      else if (message.kind === 'counted') receive(message.counted)
      else if (message.kind === 'measure' || message.kind === 'gathered') takeMeasured(message)
      else take(message)
    })
  })
  const [{ startServerProcess: serve }, { databaseUrl, env, began, ids, isLead, joins }] = await Promise.all([
    import('./serve.ts'),
    ordered,
  ])
  Object.assign(process.env, env)
  setSnowflakeWorker(ids)
  const seat = { isLead, count, near, gather, measures }
  const served = await serve({ ...config, databaseUrl, began, joins, seat, whenOpen: () => opened.promise })
  leave = served.stop
  // `stop` came while the server was starting.
  if (isStopping) return served.stop().then(() => process.exit(0))
  send({ kind: 'serving' })
  setInterval(() => send({ kind: 'beat' }), WORKER_HEARTBEAT_MS).unref()
}
