import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** Writes the build's hash to version.json and into the page, so that an open page notices a new build. */
export function versionFilePlugin(): Plugin {
  return {
    name: 'version-file',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const hash = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
        this.emitFile({ type: 'asset', fileName: 'version.json', source: JSON.stringify({ version: hash }) })
        const page = bundle['index.html']
        if (page?.type === 'asset')
          page.source = String(page.source).replace('<title>', `<meta name="build" content="${hash}" />\n    <title>`)
      },
    },
  }
}
