import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Services } from '#kit/server/module/services.ts'
import type { DeviceOrder } from '#simulators/gateways/faults.ts'
import type { Credentials, Faults } from '#simulators/gateways/protocol.ts'
import { superviseProcess } from './keep-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../../simulators/gateways/main.ts', import.meta.url))
const TIMEOUT_MS = 5_000

/** The present state of a simulated device. */
export type SimulatedDeviceState = { clientId: string; isOnline: boolean; faults: Partial<Faults> }
export type GatewayFleetProcess = Awaited<ReturnType<typeof startGatewayFleet>>

/**
 * Simulates gateways over MQTT in a child process, each with the secret made at this start, and returns the functions
 * that control them. The process is restarted when it dies and ends with this one.
 */
export async function startGatewayFleet({ link, log }: Services, devices: readonly Credentials[], pace?: string) {
  let url: string | undefined
  let hasBegun = () => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const begin = () => {
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
    child.stdin.on('error', () => {})
    // Devices are passed on standard input. Its end, which a kill of this process also causes, ends the child.
    child.stdin.write(`${JSON.stringify(devices)}\n`)
    url = undefined
    createInterface({ input: child.stdout }).once('line', (line) => {
      url = line.replace(/^control /, '')
      hasBegun()
    })
    child.once('exit', hasBegun)
    child.once('error', hasBegun)
    return child
  }
  const kept = superviseProcess(begin, {
    onDeath: (why, waitMs) => log.warn({ why, waitMs }, 'the simulated gateways have ended and begin again'),
  })
  await begun

  async function ask<T>(path: string, body?: object): Promise<T | undefined> {
    if (!url) return undefined
    const response = await fetch(`${url}${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch(() => undefined)
    return response?.ok ? ((await response.json()) as T) : undefined
  }

  return {
    standing: async (): Promise<SimulatedDeviceState[]> => (await ask<SimulatedDeviceState[]>('/gateways')) ?? [],
    order: async (order: DeviceOrder): Promise<number> =>
      (await ask<{ changed: number }>('/faults', order))?.changed ?? 0,
    act: (act: object): Promise<unknown> => ask('/acts', act),
    end: kept.stop,
  }
}
