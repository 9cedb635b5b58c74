import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { signatureFault } from './signature.ts'
import type { Keys, SignedRequest } from './signature.ts'

export type S3Simulator = {
  url: string
  keys: Keys
  /** Closes all connections and accepts none until `back`; stored objects stay. */
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

type StoredObject = { body: Buffer; contentType: string; modifiedAt: Date }
type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

const statusOf: Record<string, number> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  InvalidArgument: 400,
  XAmzContentSHA256Mismatch: 400,
  MethodNotAllowed: 405,
}
const pageSize = 1000

/** Starts an object store in memory that speaks S3 (path style) and requires signed requests. */
export async function startS3Simulator(
  keys: Keys = { accessKey: 'simulated', secretKey: 'simulated-secret' },
): Promise<S3Simulator> {
  const buckets: Buckets = new Map()
  const server = createServer((incoming, response) => {
    void received(incoming).then(
      (request) => {
        const fault = signatureFault(request, keys)
        const answer = fault ? failure(fault) : respond(buckets, request)
        response.writeHead(answer.status, { server: 'S3 simulator', ...answer.headers })
        response.end(request.method === 'HEAD' ? undefined : answer.body)
      },
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  async function away() {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    away,
    async back() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: away,
  }
}

async function received(incoming: IncomingMessage): Promise<SignedRequest> {
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  return {
    method: incoming.method!,
    url: new URL(incoming.url!, `http://${incoming.headers.host}`),
    headers,
    body: await buffer(incoming),
  }
}

type Bucket = Map<string, StoredObject>
type Buckets = Map<string, Bucket>

function respond(buckets: Buckets, request: SignedRequest): Answer {
  const [, bucketName = '', ...rest] = decodeURIComponent(request.url.pathname).split('/')
  const key = rest.join('/')
  if (!key) return respondForBucket(buckets, bucketName, request)
  const bucket = buckets.get(bucketName)
  return bucket ? respondForObject(bucket, key, request) : failure('NoSuchBucket')
}

function respondForBucket(buckets: Buckets, name: string, { method, url }: SignedRequest): Answer {
  const bucket = buckets.get(name)
  if (method === 'PUT') {
    if (bucket) return failure('BucketAlreadyOwnedByYou')
    buckets.set(name, new Map())
    return { status: 200 }
  }
  if (!bucket) return failure('NoSuchBucket')
  if (method === 'HEAD') return { status: 200 }
  if (method === 'GET') return listing(name, bucket, url.searchParams)
  if (method === 'DELETE') return bucket.size ? failure('BucketNotEmpty') : (buckets.delete(name), { status: 204 })
  return failure('MethodNotAllowed')
}

function respondForObject(bucket: Bucket, key: string, { method, headers, body }: SignedRequest): Answer {
  if (method === 'PUT') {
    bucket.set(key, { body, contentType: headers['content-type'] ?? 'binary/octet-stream', modifiedAt: new Date() })
    return { status: 200, headers: { etag: etag(body) } }
  }
  if (method === 'DELETE') {
    bucket.delete(key)
    return { status: 204 }
  }
  if (method !== 'GET' && method !== 'HEAD') return failure('MethodNotAllowed')
  const object = bucket.get(key)
  if (!object) return failure('NoSuchKey')
  return {
    status: 200,
    headers: {
      'content-type': object.contentType,
      'content-length': String(object.body.length),
      'last-modified': object.modifiedAt.toUTCString(),
      etag: etag(object.body),
    },
    body: object.body,
  }
}

const etag = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)

function xml(status: number, body: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  }
}

function failure(code: string): Answer {
  return xml(statusOf[code] ?? 403, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

function listing(name: string, bucket: Map<string, StoredObject>, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const keys = [...bucket.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = keys.slice(0, Math.min(Number(query.get('max-keys') ?? pageSize), pageSize))
  const isCut = page.length < keys.length
  const contents = page.map((key) => {
    const { body, modifiedAt } = bucket.get(key)!
    return (
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${modifiedAt.toISOString()}</LastModified>` +
      `<ETag>${escapeXml(etag(body))}</ETag><Size>${body.length}</Size></Contents>`
    )
  })
  const next = isCut ? `<NextContinuationToken>${escapeXml(page.at(-1)!)}</NextContinuationToken>` : ''
  return xml(
    200,
    `<ListBucketResult><Name>${escapeXml(name)}</Name><Prefix>${escapeXml(prefix)}</Prefix>` +
      `<KeyCount>${page.length}</KeyCount><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}` +
      '</ListBucketResult>',
  )
}
