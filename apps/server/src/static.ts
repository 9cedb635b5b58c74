import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** Serves the built browser app: hashed files are cached for a year, the entry page is always revalidated. */
export async function serveWebApp(app: FastifyInstance): Promise<void> {
  if (!existsSync(DIST)) return
  await app.register(fastifyStatic, {
    root: DIST,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = /\/assets\//.test(path)
      void response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      // A policy matters on documents only: on each of thirty scripts it would be a wasted kilobyte.
      if (isHashed) void response.removeHeader('content-security-policy')
      const policy = response.getHeader('content-security-policy')
      if (/index\.html/.test(path) && policy) void response.header('content-security-policy', allowOwn(String(policy)))
    },
  })
}

/** Adds the hashes of a page's inline scripts to the policy, so that no other inline script runs. */
export function contentSecurityPolicyOfPage(policy: string, page: string): string {
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script as string)
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return policy.replace('script-src ', () => ['script-src', ...hashes, ''].join(' '))
}

const known = { changed: 0, policy: '', allowing: '' }

/** Returns the entry page's policy, computed anew when the page was rebuilt under a running server. */
function allowOwn(policy: string): string {
  const page = join(DIST, 'index.html')
  const changed = statSync(page).mtimeMs
  if (known.changed !== changed || known.policy !== policy)
    Object.assign(known, { changed, policy, allowing: contentSecurityPolicyOfPage(policy, readFileSync(page, 'utf8')) })
  return known.allowing
}

const PAGE = `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API</title><link rel="stylesheet" href="/api/docs/swagger-ui.css"><div id="ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></html>`
const START =
  `window.ui = SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#ui', deepLinking: true, docExpansion: 'none', ` +
  'filter: true, validatorUrl: null })'

type Served = { plain: Buffer; packed: Buffer; etag: string }

/** Makes a document once, at the first call, with its gzip and ETag. A failure is not kept. */
function madeOnce(document: () => Promise<string>): () => Promise<Served> {
  let made: Promise<Served> | undefined
  const make = async (): Promise<Served> => {
    const plain = Buffer.from(await document())
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`
    return { plain, packed: await promisify(gzip)(plain), etag }
  }
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

/**
 * Serves the API documentation at /api/docs and its OpenAPI file. The page holds no token: to try a call, paste one.
 */
export async function serveApiDocs(app: FastifyInstance, document: () => Promise<string>): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const calls = madeOnce(document)
  app.get('/api/openapi.json', async ({ headers }, reply) => {
    const { plain, packed, etag } = await calls()
    void reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding')
    if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    void reply.type('application/json; charset=utf-8')
    return /\bgzip\b/.test(headers['accept-encoding'] ?? '')
      ? reply.header('content-encoding', 'gzip').send(packed)
      : reply.header('content-encoding', 'identity').send(plain)
  })
  app.get('/api/docs', async (_request, reply) => reply.type('text/html').send(PAGE))
  app.get('/api/docs/start.js', async (_request, reply) => reply.type('text/javascript').send(START))
  for (const [file, type] of [
    ['swagger-ui.css', 'text/css'],
    ['swagger-ui-bundle.js', 'text/javascript'],
  ] as const) {
    app.get(`/api/docs/${file}`, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=86400')
        .send(createReadStream(join(folder, file))),
    )
  }
}
