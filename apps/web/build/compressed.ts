import { access, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const unzip = promisify(gunzip)
const WORTH = 1024
const PACKABLE = /\.(js|css|html|svg|json|wasm)$/
/** Folder whose files have a hash of their content in their names. */
const NAMED = `assets${sep}`

/**
 * Writes a .gz beside every compressible file of the build, for the server to send, and a .br beside the files without
 * a hash in their names. The other .br files are left to `compressAssetsWithBrotli`, as making them takes twice as long
 * as the build.
 */
export function precompressionPlugin(): Plugin {
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
 * Adds the missing .br files (a seventh smaller than .gz) to the hashed assets of a build. All are written together at
 * the end, so that a new build made meanwhile is disturbed for a moment at most, and only beside files that equal their
 * .gz and so are complete.
 *
 * @returns The number of files written.
 */
export async function compressAssetsWithBrotli(folder: string): Promise<number> {
  const names = new Set(await unlessGone(readdir(join(folder, 'assets'))))
  const missing = [...names].filter((name) => names.has(`${name}.gz`) && !names.has(`${name}.br`))
  const made = new Map<string, Buffer>()
  for (const name of missing) {
    const path = join(folder, 'assets', name)
    const bytes = await unlessGone(wholeOf(path))
    if (bytes) made.set(path, await small(bytes))
  }
  for (const [path, packed] of made) await unlessGone(put(path, packed))
  return made.size
}

/** Returns the content of a file; undefined while it is still being written, that is unlike its .gz. */
async function wholeOf(path: string): Promise<Buffer | undefined> {
  const [bytes, zipped] = await Promise.all([readFile(path), readFile(`${path}.gz`)])
  const isWhole = await unzip(zipped).then(
    (text) => text.equals(bytes),
    () => false,
  )
  return isWhole ? bytes : undefined
}

/** Writes a .br file atomically; fails if the original file is gone. */
async function put(path: string, packed: Buffer): Promise<void> {
  await access(path)
  await writeFile(`${path}.${process.pid}`, packed)
  await rename(`${path}.${process.pid}`, `${path}.br`)
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
