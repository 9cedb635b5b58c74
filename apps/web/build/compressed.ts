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
/** Where files are named by what is in them. */
const NAMED = `assets${sep}`

/**
 * Puts a .gz beside every file of the build that is worth it, so that the server only picks one, and a .br beside those
 * that are made anew under their names. The others get theirs from compressAssetsWithBrotli: it takes twice as long as
 * the build.
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
 * Puts the missing .br beside the files of a build that are named by what is in them: a seventh less than the .gz. They
 * are put there at the end and together, so that a build made anew meanwhile is met for a moment at most, and only
 * beside a file that its .gz says is whole.
 *
 * @returns How many were made.
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

/** What a file holds, undefined while it is being written. */
async function wholeOf(path: string): Promise<Buffer | undefined> {
  const [bytes, zipped] = await Promise.all([readFile(path), readFile(`${path}.gz`)])
  const isWhole = await unzip(zipped).then(
    (text) => text.equals(bytes),
    () => false,
  )
  return isWhole ? bytes : undefined
}

/** Whole under its name or not at all, and not beside a file that has gone. */
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
