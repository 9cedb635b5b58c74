import { once } from 'node:events'
import { createServer } from 'node:http'
import { prometheusText, type ProcessMeasurements } from '#kit/server/meters/index.ts'
import { readEnvironmentNumber } from './config.ts'

/**
 * Serves the metrics for Prometheus on METRICS_PORT, if that is set: a port of its own, away from people and registers.
 */
export async function serveMetrics(
  all: () => Promise<ProcessMeasurements[]>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<() => Promise<void>> {
  const port = readEnvironmentNumber(env, 'METRICS_PORT')
  if (!port) return async () => {}
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    all()
      .then(prometheusText)
      .then(
        (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
        (error: unknown) => {
          console.error(error)
          response.writeHead(500).end()
        },
      )
  })
  server.listen(port, env.METRICS_HOST || '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
}
