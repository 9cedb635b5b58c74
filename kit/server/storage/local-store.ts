import { randomUUID } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { requireFileKey } from './file-store.ts'
import type { FileBody, FileFacts, FileStore } from './file-store.ts'

const isMissing = (err: unknown) => ['ENOENT', 'ENOTDIR'].includes((err as NodeJS.ErrnoException).code ?? '')

/**
 * File store on disk: `content/<key>` and `facts/<key>`. A file is written under a temporary name, flushed and renamed,
 * so that a crash leaves either the old or the new one.
 */
export function createLocalStore(root: string): FileStore {
  const contentRoot = join(root, 'content')
  const incoming = join(root, 'incoming')
  const contentPath = (key: string) => join(contentRoot, requireFileKey(key))
  const factsPath = (key: string) => join(root, 'facts', requireFileKey(key))

  async function facts(key: string): Promise<FileFacts | undefined> {
    try {
      const [{ size, mtime }, text] = await Promise.all([stat(contentPath(key)), readFile(factsPath(key), 'utf8')])
      return { size, modifiedAt: mtime, contentType: JSON.parse(text).contentType }
    } catch (err) {
      if (isMissing(err)) return undefined
      throw err
    }
  }

  async function list(prefix: string): Promise<string[]> {
    try {
      const entries = await readdir(contentRoot, { recursive: true, withFileTypes: true })
      const keys = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(contentRoot, join(entry.parentPath, entry.name)).split(sep).join('/'))
      return keys.filter((key) => key.startsWith(prefix)).toSorted()
    } catch (err) {
      if (isMissing(err)) return []
      throw err
    }
  }

  return {
    async prepare() {
      await mkdir(incoming, { recursive: true })
      await mkdir(contentRoot, { recursive: true })
    },
    async put(key, body, { contentType }) {
      const [content, facts] = [contentPath(key), factsPath(key)]
      await writeAtomically(incoming, facts, Buffer.from(JSON.stringify({ contentType })))
      await writeAtomically(incoming, content, body)
    },
    async get(key) {
      const found = await facts(key)
      return found && { ...found, stream: createReadStream(contentPath(key)) }
    },
    stat: facts,
    async remove(key) {
      await rm(contentPath(key), { force: true })
      await rm(factsPath(key), { force: true })
    },
    list,
    async clear(folder) {
      const files = await list(`${requireFileKey(folder)}/`)
      await rm(contentPath(folder), { recursive: true, force: true })
      await rm(factsPath(folder), { recursive: true, force: true })
      return files.length
    },
    async ping() {
      await access(contentRoot, constants.R_OK | constants.W_OK)
    },
  }
}

async function writeAtomically(incoming: string, path: string, body: FileBody) {
  const aside = join(incoming, randomUUID())
  await mkdir(incoming, { recursive: true })
  try {
    const source = body instanceof Readable ? body : Readable.from([body])
    await pipeline(source, createWriteStream(aside, { flush: true, flags: 'wx', mode: 0o640 }))
    await mkdir(dirname(path), { recursive: true })
    await rename(aside, path)
    await flushFolder(dirname(path))
  } finally {
    await rm(aside, { force: true })
  }
}

/** Flushes a folder: a renamed file survives a power cut only after that. */
async function flushFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
