import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/**
 * Names the build, in version.json and in the page itself: a page that is open while a new build is put up notices by
 * it.
 */
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
