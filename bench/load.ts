import { Agent, request } from 'node:http'

export type Shot = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }
export type Figures = { perSecond: number; p50Ms: number; p99Ms: number; failures: number }

const once = (agent: Agent, port: number, shot: Shot): Promise<number> => new Promise((resolve, reject) => {
  const call = request({ agent, host: '127.0.0.1', port, path: shot.path, method: shot.method ?? 'GET', headers: { ...shot.headers, ...(shot.body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(shot.body) } : {}) } }, (answer) => {
    answer.resume()
    answer.on('end', () => resolve(answer.statusCode ?? 0))
  })
  call.on('error', reject)
  call.end(shot.body)
})

/** So many connections ask one after the other for so long. Loopback only. */
export async function load(port: number, shots: () => Shot, { connections = 32, seconds = 4 } = {}): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let failures = 0
  const end = performance.now() + seconds * 1000
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const began = performance.now()
      const status = await once(agent, port, shots()).catch(() => 0)
      if (status !== 200) failures++
      times.push(performance.now() - began)
    }
  }))
  const took = (performance.now() - started) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / took, p50Ms: at(0.5), p99Ms: at(0.99), failures }
}

export const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
