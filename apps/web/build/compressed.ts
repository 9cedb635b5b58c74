import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const WORTH = 1024

/** Puts a .br and a .gz beside every file of the build that is worth it, so that the server only picks one. */
export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      for (const name of names.filter((each) => /\.(js|css|html|svg|json|wasm)$/.test(each))) {
        const path = join(folder, name)
        const bytes = await readFile(path)
        if (bytes.length < WORTH) continue
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        await Promise.all([
          brotli(bytes, { params }).then((small) => writeFile(`${path}.br`, small)),
          zip(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
        ])
      }
    },
  }
}
