import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { openTestCluster } from './test-cluster.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges with vitest's own
  interface ProvidedContext {
    /** Address that answers where to clone test databases; the first question starts the server. */
    testClusterDesk: string
  }
}

type Desk = { url: string, users: number, close: () => Promise<void> }

/** One per test run: vitest loads this file once for each of its projects. */
const shared = globalThis as { testClusterDesk?: Promise<Desk> }

/** Vitest's global setup: unit tests that never ask for a database do not pay for one. */
export default async function setup({ provide }: TestProject) {
  const desk = await (shared.testClusterDesk ??= openDesk())
  desk.users++
  provide('testClusterDesk', desk.url)
  return async () => {
    if (--desk.users) return
    delete shared.testClusterDesk
    await desk.close()
  }
}

async function openDesk(): Promise<Desk> {
  let cluster: ReturnType<typeof openTestCluster> | undefined
  const server = createServer((_request, response) => {
    cluster ??= openTestCluster()
    cluster.then(
      ({ close: _close, ...place }) => response.end(JSON.stringify(place)),
      (error: Error & { stderr?: string }) => response.writeHead(500).end(error.stderr || error.message),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    users: 0,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await cluster?.then(({ close }) => close(), () => {})
    },
  }
}
