import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { startS3Simulator, type S3Simulator } from '#simulators/s3/s3.simulator.ts'

let simulator: S3Simulator
const servers: TestServer[] = []
beforeAll(async () => {
  simulator = await startS3Simulator()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(() => simulator?.close())

const startWith = async (endpoint: string, secret = simulator.keys.secretKey) => {
  const { accessKey: S3_ACCESS_KEY } = simulator.keys
  const S3_SECRET_KEY = secret
  const server = await testServer({ env: { S3_ENDPOINT: endpoint, S3_BUCKET: 'files', S3_ACCESS_KEY, S3_SECRET_KEY } })
  servers.push(server)
  return (await server.call(undefined, 'GET', '/api/health/live')).status
}

test('a store that is away, has no name or is broken keeps no server from starting', async () => {
  await simulator.away()
  expect(await startWith(simulator.url)).toBe(200)
  await simulator.back()
  expect(await startWith('http://files.store.invalid:9000')).toBe(200)
  const broken = createServer((_request, response) => void response.writeHead(503).end())
  await once(broken.listen(0, '127.0.0.1'), 'listening')
  try {
    expect(await startWith(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`)).toBe(200)
  } finally {
    broken.close()
  }
})

test('a store that refuses our keys is a wrong setting, and no server starts with it', async () => {
  expect(await startWith(simulator.url)).toBe(200)
  await expect(startWith(simulator.url, 'wrong')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
})
