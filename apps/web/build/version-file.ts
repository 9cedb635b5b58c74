import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** version.json names the build; a page that is open while a new one is put up notices by it. */
export function versionFile(): Plugin {
  return {
    name: 'version-file',
    apply: 'build',
    generateBundle(_options, bundle) {
      const hash = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
      this.emitFile({ type: 'asset', fileName: 'version.json', source: JSON.stringify({ version: hash }) })
    },
  }
}
