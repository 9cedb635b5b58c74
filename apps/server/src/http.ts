import compress from '@fastify/compress'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import multipart from '@fastify/multipart'
import helmet, { type HelmetOptions } from 'helmet'
import { constants } from 'node:zlib'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify'
import { isJsonTooDeep } from '#kit/fields/json/depth.ts'
import { refusalResponse } from '#kit/server/request/envelope.ts'
import { isPrivateIp, networkPrefixOf } from '#kit/server/request/egress.ts'
import { routeWebsocketUpgrades } from '#kit/server/request/sockets.ts'
import { Refused, type RefusalCode } from '#kit/server/base/refused.ts'
import { parseAcceptLanguage, decodedPathOf } from '#kit/server/request/request-context.ts'
import { newTraceId, parseTraceparent } from '#kit/server/base/trace.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createRateCounter, type WorkerContext } from './worker-role.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body by its content, since old clients set the content type wrongly (wire contract §1.1): as JSON when
 * declared so or when it begins like JSON, otherwise as a form. Throws `bad_body` for JSON that is malformed or nested
 * too deep, and for bytes that are not UTF-8.
 */
function parseBody(bytes: Buffer, contentType: string): unknown {
  if (!bytes.length) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new Refused('bad_body')
  }
  const isJson = /json/i.test(contentType) || /^\s*[[{]/.test(text)
  if (!isJson) return Object.fromEntries(new URLSearchParams(text))
  if (isJsonTooDeep(text)) throw new Refused('bad_body')
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Refused('bad_body')
  }
}

const STATUS_REASONS: Record<number, RefusalCode> = {
  404: 'no_such_path',
  405: 'wrong_method',
  413: 'too_big',
  415: 'wrong_media',
  429: 'too_many_requests',
}

/** Answers bytes that are no HTTP request. The sender's language is not known, so the text is Chinese. */
function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  const text = JSON.stringify({ ...refusalResponse(new Refused('bad_request'), 'zh').body, code: status })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; ` +
      `charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\ncache-control: no-store\r\nconnection: ` +
      `close\r\n\r\n${text}`,
  )
}

/**
 * Converts the `trustProxy` setting for Fastify, whose own `true` would trust every hop, up to what the client wrote.
 */
const trusted = (proxies: Services['config']['trustProxy']) =>
  proxies === true
    ? (address: string, hop: number) => hop === 0 && isPrivateIp(address)
    : typeof proxies === 'number'
      ? (_address: string, hop: number) => hop < proxies
      : proxies

/**
 * Creates the HTTP server: body parsing, security headers, CORS, rate limit, and the answer envelope for everything
 * Fastify itself refuses.
 */
export async function createHttpServer(
  services: Services,
  generalPerMinute: number,
  count?: WorkerContext['count'],
): Promise<FastifyInstance> {
  const { config } = services
  const app = Fastify(serverOptions(config))
  readBodies(app)
  await app.register(multipart, { throwFileSizeLimit: true })
  sayAlways(app, securityHeaders(config))
  await app.register(compress, {
    threshold: 2048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  // CORS is set up only where origins are configured; elsewhere each answer saves the headers.
  if (config.corsOrigins.length) await app.register(cors, corsOptions(config))
  limitGenerally(app, generalPerMinute, count)
  wordRefusals(app, services)
  routeWebsocketUpgrades(app.server, (request, response) => app.routing(request, response))
  return app
}

const corsOptions = ({ corsOrigins }: Services['config']): FastifyCorsOptions => ({
  origin: (origin, done) => done(null, !origin || corsOrigins.includes(origin)),
  credentials: true,
  methods: ['GET', 'POST'],
  exposedHeaders: ['content-disposition', 'x-trace-id'],
  maxAge: 600,
  allowedHeaders: ALLOWED_HEADERS,
})

const serverOptions = ({ trustProxy }: Services['config']): FastifyServerOptions => ({
  logger: false,
  genReqId: ({ headers }) => parseTraceparent(headers.traceparent) ?? newTraceId(),
  trustProxy: trusted(trustProxy),
  bodyLimit: 1_048_576,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  // drain.ts closes the connections. Calls that arrive on an open connection meanwhile are still answered.
  forceCloseConnections: false,
  return503OnClosing: false,
  routerOptions: {
    maxParamLength: 500,
    ignoreTrailingSlash: true,
    querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
  },
  clientErrorHandler: refuseBytes,
  frameworkErrors: (_error, request, reply: FastifyReply) => {
    const { status, body } = refusalResponse(
      new Refused('bad_request'),
      parseAcceptLanguage(request.headers['accept-language']),
    )
    void reply.status(status).send(body)
  },
})

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.raw) return done(null, body)
    try {
      done(null, parseBody(body as Buffer, String(request.headers['content-type'] ?? '')))
    } catch (error) {
      done(error as Error)
    }
  })
}

const CONTENT_SECURITY = {
  defaultSrc: ["'self'"],
  // The barcode reader is compiled WebAssembly. Scripts made from strings (`eval`) stay forbidden.
  scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:', 'https:', 'http:'],
  // Camera video is assembled in the page from blobs.
  mediaSrc: ["'self'", 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  frameSrc: ["'self'", 'https:', 'http:'],
  workerSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'self'"],
  upgradeInsecureRequests: null,
}

const securityHeaders = ({ publicUrl }: Services['config']): HelmetOptions => ({
  contentSecurityPolicy: { directives: CONTENT_SECURITY },
  strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 15_552_000 } : false,
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  referrerPolicy: { policy: 'same-origin' },
})

const ALLOWED_HEADERS = [
  'authorization',
  'blade-auth',
  'tenant-id',
  'dept-id',
  'role-id',
  'captcha-key',
  'captcha-code',
  'user-type',
  'blade-requested-with',
  'content-type',
  'accept-language',
  'traceparent',
]

/** Returns helmet's headers. They are the same for every answer, so they are computed once. */
function fixedHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  }
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error as Error
  })
  return headers
}

/**
 * Returns the headers of API data: it may not be run, framed or cached, since it is personal and changes. Of the
 * headers of documents only those kept here apply.
 */
const ofData = (document: Record<string, string>): Record<string, string> => {
  const same = ['x-content-type-options', 'cross-origin-resource-policy', 'strict-transport-security']
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...Object.fromEntries(same.flatMap((name) => (document[name] ? [[name, document[name]]] : []))),
  }
}

/** Sets the security headers on every answer, except those a route sets itself. */
function sayAlways(app: FastifyInstance, options: HelmetOptions): void {
  const document = fixedHeaders(options)
  const data = ofData(document)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(isApi(request.url) ? data : document).header('x-trace-id', request.id)
    done()
  })
  // Files and pages that the API returns get the headers of documents.
  app.addHook('onSend', (request, reply, payload, done) => {
    const isData = String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isData && isApi(request.url))
      for (const [name, value] of Object.entries(document))
        if ((reply.getHeader(name) ?? data[name]) === data[name]) void reply.header(name, value)
    done(null, payload)
  })
}

/** Answers errors outside the route handlers in the API's envelope. */
function wordRefusals(app: FastifyInstance, services: Services): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refused = error instanceof Refused ? error : undefined
    const reason =
      refused?.code ??
      STATUS_REASONS[error.statusCode ?? 0] ??
      ((error.statusCode ?? 500) < 500 ? 'bad_request' : 'unavailable')
    if (!refused && (error.statusCode ?? 500) >= 500)
      services.log.error({ err: error, traceId: request.id }, 'crashed before the road')
    const { status, body } = refusalResponse(
      refused ?? new Refused(reason, { seconds: 60 }),
      parseAcceptLanguage(request.headers['accept-language']),
    )
    void reply.status(status).send(body)
  })
}

const isApi = (url: string) => url.startsWith('/api/') || /^\/api(?:[/?]|$)/i.test(decodedPathOf(url))

const isLoopback = (ip: string) => ip === '::1' || /^(::ffff:)?127\./.test(ip)

/** Limits the requests per minute of one client address, counted over all processes of this machine. */
function limitGenerally(app: FastifyInstance, perMinute: number, count = createRateCounter(perMinute).count): void {
  if (!perMinute) return
  app.addHook('onRequest', async (request, reply) => {
    // Not limited: this machine itself, or all clients behind a local proxy that is not in TRUST_PROXY, who share one
    // address.
    if (isLoopback(request.ip)) return
    if (count(networkPrefixOf(request.ip)) <= perMinute) return
    void reply.header('retry-after', '60')
    throw new Refused('too_many_requests', { seconds: 60 })
  })
}

/**
 * Whether a path without a file or route gets the browser app's page: only a GET that accepts HTML. A missing image or
 * script gets a 404, and so does a monitor that asks for `/healthz`, which would take a page for a yes.
 */
const isPage = (method: string, path: string, accept = '') =>
  method === 'GET' && !/^\/(api|assets)\//.test(path) && /\btext\/html\b/.test(accept)

/** Answers 404 or 405 in the envelope, or the browser app's page (see `isPage`). */
export function registerNotFoundHandler(app: FastifyInstance, paths: ReadonlySet<string>): void {
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    if (!isPage(request.method, path, request.headers.accept)) {
      const { status, body } = refusalResponse(
        new Refused(paths.has(path) ? 'wrong_method' : 'no_such_path'),
        parseAcceptLanguage(request.headers['accept-language']),
      )
      return void reply.status(status).send(body)
    }
    // Not returned: Fastify would then wait for its end with listeners that Node reports as a leak.
    void reply.sendFile('index.html', { cacheControl: false })
  })
}
