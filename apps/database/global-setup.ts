import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openTestCluster } from './test-cluster.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges with vitest's own
  interface ProvidedContext {
    /**
     * Address of an HTTP server that names the cluster to clone test databases from; the first request starts that
     * cluster.
     */
    testClusterDesk: string
  }
}

type Desk = { url: string; users: number; close: () => Promise<void> }

/** The desk of this test run: vitest loads this file once per project, all of which share it. */
const shared = globalThis as { testClusterDesk?: Promise<Desk> }

/** Vitest's global setup: opens the desk, which starts PostgreSQL only when a test asks for a database. */
export default async function vitestGlobalSetup({ provide }: TestProject) {
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
  const templates = openTemplates()
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://desk')
    const answer = async () => {
      if (url.pathname.startsWith('/templates/')) return templates.answer(url)
      const { close: _close, ...place } = await (cluster ??= openTestCluster())
      return place
    }
    answer().then(
      (answer) => response.end(JSON.stringify(answer)),
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
      templates.close()
      await cluster?.then(
        ({ close }) => close(),
        () => {},
      )
    },
  }
}

type Template = { folder: string; made: Promise<boolean>; resolve: (isMade: boolean) => void }

/**
 * Lets one test process prepare a folder that others copy. `/templates/<name>` answers `isMade: false` to the first
 * request, whose sender prepares it and reports `?made=true` or `false`; the others wait for that.
 */
function openTemplates() {
  const known = new Map<string, Template>()
  const folders: string[] = []
  const begin = (name: string): Template => {
    const folder = mkdtempSync(join(tmpdir(), 'test-template-'))
    folders.push(folder)
    const { promise: made, resolve } = Promise.withResolvers<boolean>()
    const template = { folder, made, resolve }
    known.set(name, template)
    return template
  }
  return {
    answer: async ({ pathname, searchParams }: URL): Promise<{ folder: string; isMade: boolean }> => {
      const outcome = searchParams.get('made')
      if (outcome) {
        const isMade = outcome === 'true'
        const template = known.get(pathname)!
        if (!isMade) known.delete(pathname)
        template.resolve(isMade)
        return { folder: template.folder, isMade }
      }
      // When a preparation failed, one of the waiting processes becomes the next to prepare it.
      for (let template = known.get(pathname); template; template = known.get(pathname))
        if (await template.made) return { folder: template.folder, isMade: true }
      return { folder: begin(pathname).folder, isMade: false }
    },
    close: () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
