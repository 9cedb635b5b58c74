import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { requireFileKey } from './file-store.ts'
import type { FileFacts, FileStore } from './file-store.ts'

export type S3Config = {
  endpoint: string
  bucket: string
  accessKey: string
  secretKey: string
  region?: string | undefined
  /** `false` for vendors that accept only the bucket as host name (Aliyun OSS, Tencent COS, Huawei OBS). */
  pathStyle?: boolean
  /** HTTP agents that refuse private addresses (request/egress.ts). */
  agents?: { http: HttpAgent; https: HttpsAgent }
}

const isMissing = (err: unknown) => ['NoSuchKey', 'NotFound', 'NoSuchBucket'].includes((err as Error).name)

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (err) {
    if (isMissing(err)) return undefined
    throw err
  }
}

const clientOf = ({ endpoint, region, pathStyle = true, agents, accessKey, secretKey }: S3Config) =>
  new S3Client({
    endpoint,
    region: region || 'us-east-1',
    forcePathStyle: pathStyle,
    ...(agents && {
      requestHandler: {
        httpAgent: agents.http,
        httpsAgent: agents.https,
        connectionTimeout: 5000,
        requestTimeout: 60_000,
      },
    }),
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    // Most S3-compatible stores do not support trailing checksums yet.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

type Head = { ContentType?: string | undefined; ContentLength?: number | undefined; LastModified?: Date | undefined }
const factsOf = ({ ContentType, ContentLength, LastModified }: Head): FileFacts => ({
  contentType: ContentType ?? 'application/octet-stream',
  size: ContentLength ?? 0,
  modifiedAt: LastModified ?? new Date(0),
})

/** File store in a bucket of any S3-compatible service. */
export function createS3Store(config: S3Config): FileStore {
  const { bucket: Bucket } = config
  const client = clientOf(config)
  const at = (key: string) => ({ Bucket, Key: requireFileKey(key) })

  async function list(Prefix: string): Promise<string[]> {
    const keys: string[] = []
    for (let ContinuationToken: string | undefined; ;) {
      const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
      keys.push(...(page.Contents ?? []).map((entry) => entry.Key!))
      if (!page.NextContinuationToken) return keys
      ContinuationToken = page.NextContinuationToken
    }
  }
  async function remove(key: string): Promise<void> {
    await unlessMissing(client.send(new DeleteObjectCommand(at(key))))
  }

  return {
    async prepare() {
      const bucket = await unlessMissing(client.send(new HeadBucketCommand({ Bucket })))
      if (!bucket) await client.send(new CreateBucketCommand({ Bucket }))
    },
    async put(key, body, { contentType: ContentType }) {
      if (!(body instanceof Readable)) {
        await client.send(new PutObjectCommand({ ...at(key), Body: body, ContentType }))
        return
      }
      requireFileKey(key)
      await spooled(body, async (path, ContentLength) => {
        const Body = createReadStream(path)
        await client.send(new PutObjectCommand({ ...at(key), Body, ContentLength, ContentType }))
      })
    },
    async get(key) {
      const found = await unlessMissing(client.send(new GetObjectCommand(at(key))))
      return found && { ...factsOf(found), stream: found.Body as Readable }
    },
    async stat(key) {
      const found = await unlessMissing(client.send(new HeadObjectCommand(at(key))))
      return found && factsOf(found)
    },
    remove,
    list,
    async clear(folder) {
      const files = await list(`${requireFileKey(folder)}/`)
      for (const key of files) await remove(key)
      return files.length
    },
    async ping() {
      await client.send(new HeadBucketCommand({ Bucket }))
    },
  }
}

/** S3 needs the length first, so a stream is written to a temporary file. */
async function spooled(body: Readable, use: (path: string, size: number) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'))
  try {
    const path = join(folder, 'body')
    await pipeline(body, createWriteStream(path))
    await use(path, (await stat(path)).size)
  } finally {
    await rm(folder, { recursive: true })
  }
}
