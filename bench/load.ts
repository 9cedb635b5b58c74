import { Agent, request } from 'node:http'

export type Shot = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }
export type Figures = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Only of calls answered with 200. */
  p99DoneMs: number
  failures: number
  /** Failures with status 503, which means try again later. */
  later: number
  asked: number
}

const once = (agent: Agent, port: number, shot: Shot): Promise<number> =>
  new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: shot.path,
        method: shot.method ?? 'GET',
        headers: {
          ...shot.headers,
          ...(shot.body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(shot.body) } : {}),
        },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    call.on('error', reject)
    call.end(shot.body)
  })

/**
 * Sends calls over so many connections for so many seconds, each one `pauseMs` after the previous answer, and `restMs`
 * after a 503. Loopback only.
 */
export async function load(
  port: number,
  shots: () => Shot,
  { connections = 32, seconds = 4, restMs = 0, pauseMs = 0 } = {},
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const done: number[] = []
  let later = 0
  const end = performance.now() + seconds * 1000
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const began = performance.now()
        const status = await once(agent, port, shots()).catch(() => 0)
        const took = performance.now() - began
        times.push(took)
        if (status === 200) done.push(took)
        else if (status === 503) {
          later++
          if (restMs) await new Promise((resolve) => setTimeout(resolve, restMs))
        }
        if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }),
  )
  const took = (performance.now() - started) / 1000
  agent.destroy()
  const count = times.length
  const failures = count - done.length
  return {
    perSecond: count / took,
    p50Ms: at(times, 0.5),
    p99Ms: at(times, 0.99),
    p99DoneMs: at(done, 0.99),
    failures,
    later,
    asked: count,
  }
}

function at(times: number[], share: number): number {
  times.sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
}

export const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
