import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Services } from '#kit/server/services.ts'
import type { DeviceOrder } from '#simulators/gateways/faults.ts'
import type { Credentials, Faults } from '#simulators/gateways/protocol.ts'

const PROGRAM = fileURLToPath(new URL('../../../../simulators/gateways/main.ts', import.meta.url))
const TIMEOUT_MS = 5_000

/** How a device stands at this moment. */
export type Standing = { clientId: string; isOnline: boolean; faults: Partial<Faults> }
export type FleetChild = Awaited<ReturnType<typeof startFleet>>

/**
 * Gateways over MQTT in a process of their own, each with a secret that nobody but this start knows, and the knobs of
 * their control. They end with this process.
 */
export async function startFleet({ link, log }: Services, devices: readonly Credentials[], pace?: string) {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      PROGRAM,
      '--url',
      link!.address,
      '--control',
      '0',
      '--quiet',
      ...(pace ? ['--pace', pace] : []),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  child.on('error', (err) => log.warn({ err }, 'the simulated gateways could not be started'))
  child.stdin.on('error', () => {})
  // The end of its standard input, also by a kill of this process, ends the play.
  child.stdin.write(`${JSON.stringify(devices)}\n`)
  const lines = createInterface({ input: child.stdout })
  const said = await Promise.race([once(lines, 'line') as Promise<string[]>, once(child, 'exit').then(() => [])])
  const url = said[0]?.replace(/^control /, '')
  child.unref()

  async function ask<T>(path: string, body?: object): Promise<T | undefined> {
    if (!url) return undefined
    const response = await fetch(`${url}${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch(() => undefined)
    return response?.ok ? ((await response.json()) as T) : undefined
  }

  return {
    standing: async (): Promise<Standing[]> => (await ask<Standing[]>('/gateways')) ?? [],
    order: async (order: DeviceOrder): Promise<number> =>
      (await ask<{ changed: number }>('/faults', order))?.changed ?? 0,
    act: (act: object): Promise<unknown> => ask('/acts', act),
    end: () => void child.kill(),
  }
}
