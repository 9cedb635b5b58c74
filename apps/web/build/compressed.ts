import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const WORTH = 1024
const PACKABLE = /\.(js|css|html|svg|json|wasm)$/
/** Where files are named by what is in them. */
const NAMED = `assets${sep}`

/**
 * Puts a .gz beside every file of the build that is worth it, so that the server only picks one, and a .br beside those
 * that are made anew under their names. The others get theirs from packAssets: it takes twice as long as the build.
 */
export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(
        names
          .filter((name) => PACKABLE.test(name))
          .map(async (name) => {
            const path = join(folder, name)
            const bytes = await readFile(path)
            if (bytes.length < WORTH) return
            await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }))
            if (!name.startsWith(NAMED)) await writeFile(`${path}.br`, await small(bytes))
          }),
      )
    },
  }
}

/**
 * Puts the missing .br beside the files of a build that are named by what is in them: a sixth less than the .gz. Each
 * is there whole or not at all, and a build that is made anew meanwhile is not disturbed.
 *
 * @returns How many were missing.
 */
export async function packAssets(folder: string): Promise<number> {
  const names = new Set(await unlessGone(readdir(join(folder, 'assets'))))
  const missing = [...names].filter((name) => names.has(`${name}.gz`) && !names.has(`${name}.br`))
  for (const name of missing) await unlessGone(pack(join(folder, 'assets', name)))
  return missing.length
}

async function pack(path: string): Promise<void> {
  const own = `${path}.${process.pid}`
  await writeFile(own, await small(await readFile(path)))
  await rename(own, `${path}.br`)
}

const unlessGone = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

const small = (bytes: Buffer) =>
  brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
