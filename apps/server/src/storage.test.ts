import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startS3Simulator, type S3Simulator } from '#simulators/s3/s3.simulator.ts'
import { answers } from '#tests/support/scratch-database.ts'
import { createFileStore, createLocalStore, createS3Store, type FileStore } from '#kit/server/storage/index.ts'
import type { S3Config } from '#kit/server/storage/s3-store.ts'

/**
 * A real S3 server: one that runs already (TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY, TEST_S3_SECRET_KEY) or `s3rver`
 * on the PATH (`npm install --no-save s3rver@3.7.1`).
 */
const isS3rverInstalled = spawnSync('s3rver', ['--version']).status === 0
const realS3 = process.env.TEST_S3_ENDPOINT ? 'named' : isS3rverInstalled ? 's3rver' : undefined

let folder: string
let simulator: S3Simulator
let s3rver: ChildProcess | undefined
let realConfig: S3Config | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'))
  simulator = await startS3Simulator()
  if (realS3) realConfig = await openRealS3()
})
afterAll(async () => {
  s3rver?.kill()
  await simulator.close()
  await rm(folder, { recursive: true })
})

async function openRealS3(): Promise<S3Config> {
  const bucket = `test-${randomUUID()}`
  const {
    TEST_S3_ENDPOINT: endpoint,
    TEST_S3_ACCESS_KEY: accessKey = '',
    TEST_S3_SECRET_KEY: secretKey = '',
  } = process.env
  if (endpoint) return { endpoint, bucket, accessKey, secretKey }
  const port = await freePort()
  s3rver = spawn('s3rver', ['--directory', join(folder, 's3rver'), '--address', '127.0.0.1', '--port', String(port)])
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect(await answers(url)).toBe(true), { timeout: 15_000 })
  return { endpoint: url, bucket, accessKey: 'S3RVER', secretKey: 'S3RVER' }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const simulated = (): S3Config => ({ endpoint: simulator.url, bucket: 'files', ...simulator.keys })
const stores: { name: string; there: boolean; open: () => FileStore }[] = [
  { name: 'a local disk', there: true, open: () => createLocalStore(join(folder, 'files')) },
  { name: 'the S3 simulator', there: true, open: () => createS3Store(simulated()) },
  { name: 'a real S3 server', there: Boolean(realS3), open: () => createS3Store(realConfig!) },
]

describe.each(stores)('files on $name', ({ there, open }) => {
  let store: FileStore
  beforeAll(async () => {
    if (!there) return
    store = open()
    await store.prepare()
  })

  const promise = there ? it : it.skip
  const content = async (key: string) => {
    const file = await store.get(key)
    return file && (await buffer(file.stream))
  }

  promise('a file comes back byte for byte with its type, size and time', async () => {
    const bytes = Buffer.from('进货单 \0 binary \xff', 'latin1')
    await store.put('100001/upload/a.bin', bytes, { contentType: 'application/octet-stream' })
    expect(await content('100001/upload/a.bin')).toEqual(bytes)
    const facts = await store.stat('100001/upload/a.bin')
    expect(facts).toMatchObject({ contentType: 'application/octet-stream', size: bytes.length })
    expect(Math.abs(facts!.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000)
  })

  promise('a stream of unknown length of 3 MB is stored whole', async () => {
    const chunk = Buffer.alloc(100_000, 7)
    await store.put('big', Readable.from(Array.from({ length: 30 }, () => chunk)), { contentType: 'video/mp4' })
    expect((await content('big'))!.equals(Buffer.alloc(3_000_000, 7))).toBe(true)
  })

  promise('a stream that breaks leaves the former file', async () => {
    await store.put('half', Buffer.from('whole'), { contentType: 'text/plain' })
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('ha')
        throw new Error('the sender went away')
      })(),
    )
    await expect(store.put('half', broken, { contentType: 'text/plain' })).rejects.toThrow('went away')
    expect(String(await content('half'))).toBe('whole')
  })

  promise('what is not there is undefined, and removing it is no error', async () => {
    expect(await store.get('missing/file')).toBeUndefined()
    expect(await store.stat('missing/file')).toBeUndefined()
    await store.remove('missing/file')
  })

  promise('a removed file is gone', async () => {
    await store.put('gone', Buffer.from('x'), { contentType: 'text/plain' })
    await store.remove('gone')
    expect(await store.get('gone')).toBeUndefined()
  })

  promise('a list shows the keys of a prefix and no others', async () => {
    for (const key of ['t1/b.png', 't1/a.png', 't2/c.png'])
      await store.put(key, Buffer.from(key), { contentType: 'image/png' })
    expect(await store.list('t1/')).toEqual(['t1/a.png', 't1/b.png'])
    expect(await store.list('t3/')).toEqual([])
  })

  promise('keys that try tricks with paths are refused for every operation', async () => {
    const tricks = [
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      'a\\..\\b',
      '.hidden',
      'a/.b',
      'a\0b',
      '',
      'a/',
      '%2e%2e/x',
      'x'.repeat(500),
    ]
    for (const key of tricks) {
      await expect(store.put(key, Buffer.from('x'), { contentType: 'text/plain' }), key).rejects.toThrow(
        'is no file key',
      )
      await expect(async () => store.get(key), key).rejects.toThrow('is no file key')
      await expect(async () => store.remove(key), key).rejects.toThrow('is no file key')
    }
  })

  promise('a store that answers says so', () => store.ping())
})

describe('a store that is not as configured', () => {
  it('a wrong secret is refused by the signature, not believed', async () => {
    const store = createS3Store({ ...simulated(), secretKey: 'wrong' })
    await expect(store.put('x', Buffer.from('x'), { contentType: 'text/plain' })).rejects.toThrow(
      'SignatureDoesNotMatch',
    )
    await expect(store.prepare()).rejects.toThrow()
  })

  it('a missing bucket fails the ping', async () => {
    await expect(createS3Store({ ...simulated(), bucket: 'nowhere' }).ping()).rejects.toThrow()
  })

  it('S3 without a bucket stops the start with the name of what is missing', () => {
    expect(() => createFileStore({ S3_ENDPOINT: 'http://127.0.0.1:9' }, folder)).toThrow('S3_BUCKET is missing')
  })

  it('a broken upload leaves nothing aside on the disk', async () => {
    const root = join(folder, 'aside')
    const store = createLocalStore(root)
    await store.prepare()
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('ha')
        throw new Error('gone')
      })(),
    )
    await expect(store.put('k', broken, { contentType: 'text/plain' })).rejects.toThrow('gone')
    expect(await readdir(join(root, 'incoming'))).toEqual([])
  })
})
