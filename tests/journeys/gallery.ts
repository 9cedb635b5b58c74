import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContextOptions } from 'playwright-core'
import { preview } from 'vite'
import { sharedBrowser, windowsOf, type Visit } from './browser.ts'

export type Gallery = {
  url: string
  visit: (options?: BrowserContextOptions) => Promise<Visit>
  /** Triggers a change on the fake server: `arrive` or `meddle`. */
  happen: (what: string) => Promise<unknown>
  close: () => Promise<void>
}

const root = join(import.meta.dirname, '../..')
const configFile = join(root, 'apps/web/gallery/vite.config.ts')

/**
 * Opens the kit alone in a real browser, with a sample resource whose server answers from memory. Close it in
 * `afterAll`.
 */
export async function openGallery(): Promise<Gallery> {
  const outDir = mkdtempSync(join(tmpdir(), 'gallery-'))
  await build(outDir)
  const [server, browser] = await Promise.all([
    preview({ configFile, logLevel: 'error', build: { outDir }, preview: { host: '127.0.0.1', port: 0 } }),
    sharedBrowser(),
  ])
  const windows = windowsOf(browser)
  const url = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}`
  return {
    url,
    visit: windows.visit,
    happen: (what) => fetch(`${url}/api/fake/${what}`),
    close: async () => {
      await windows.close()
      await server.close()
      rmSync(outDir, { recursive: true })
    },
  }
}

/** In a process of its own: under the tests' NODE_ENV it would be a test build with constant ids. */
const build = (outDir: string) =>
  promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', configFile, '--outDir', outDir, '--emptyOutDir'],
    { env: { ...process.env, NODE_ENV: 'production' } },
  )
