import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { Services } from '#kit/server/module/services.ts'
import { superviseProcess } from './keep-process.ts'
import { startRegisterSimulator } from './register-simulator.ts'

test('a process that dies young is begun again ever more slowly, to a bound, until it is stopped', async () => {
  const waits: number[] = []
  const due: (() => void)[] = []
  const begin = vi.fn<() => ReturnType<typeof spawn>>(() =>
    spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: 'ignore' }),
  )
  const kept = superviseProcess(begin, {
    firstMs: 100,
    mostMs: 300,
    later: (work, ms) => {
      waits.push(ms)
      due.push(work)
    },
  })
  for (let death = 1; death <= 4; death++) {
    await vi.waitFor(() => expect(waits).toHaveLength(death), { timeout: 10_000 })
    if (death === 4) kept.stop()
    due.at(-1)!()
  }
  expect(waits).toEqual([100, 200, 300, 300])
  expect(begin).toHaveBeenCalledTimes(4)
})

test('the simulated registers greet the office again after their process was killed', async () => {
  const greetings: string[] = []
  const office = createServer((request, response) => {
    if (request.url === '/api/terminal/hello') greetings.push(String(request.headers.authorization))
    response.writeHead(503).end('{}')
  }).listen(0, '127.0.0.1')
  await once(office, 'listening')
  const warn = vi.fn<(about: object, sentence: string) => void>()
  const kept = startRegisterSimulator({ log: { warn } } as unknown as Pick<Services, 'log'>, {
    url: `http://127.0.0.1:${(office.address() as AddressInfo).port}`,
    pace: '1/h',
    registers: [{ sn: 'SN-1', secret: 'secret' }],
  })
  await vi.waitFor(() => expect(greetings).toHaveLength(1), { timeout: 20_000 })
  const first = kept.pid()!
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(kept.pid()).not.toBe(first), { timeout: 20_000 })
  const before = greetings.length
  await vi.waitFor(() => expect(greetings.length).toBeGreaterThan(before), { timeout: 20_000 })
  expect(new Set(greetings).size).toBe(1)
  expect(warn).toHaveBeenCalledWith({ why: 'SIGKILL', waitMs: 1_000 }, expect.any(String))
  kept.stop()
  office.closeAllConnections()
  office.close()
}, 60_000)
