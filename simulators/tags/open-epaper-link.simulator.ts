import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

type Tag = ReturnType<typeof tagOf>
type Options = {
  port?: number
  /** Number of tags in reach. */
  tags?: number
  /** Time a tag sleeps before it fetches its image. */
  checkInMs?: number
  now?: () => number
}
type Reply = { status: number; body: string | object }
type Form = Record<string, string>
type Faults = {
  /** The access point is busy: uploads are refused with 409. */
  busy: boolean
  /** Accepts connections and never answers. */
  silent: boolean
  /** Tags do not wake up: new images stay pending. */
  asleep: boolean
}

const PAGE_BYTES = 5_000
const JSON_CONTENT = 19
const IMAGE_CONTENT = 24
const replyOf = (status: number, body: string | object): Reply => ({ status, body })

/** A tag in the format of the access point's database. */
function tagOf(at: number, now: number) {
  return {
    mac: (0x0000_0218_0000_0000n + BigInt(at + 1)).toString(16).toUpperCase().padStart(16, '0'),
    hash: '0'.repeat(32),
    lastseen: now,
    nextupdate: 0,
    nextcheckin: now + 60,
    pending: 0,
    alias: '',
    contentMode: 0,
    LQI: 100,
    RSSI: -60,
    temperature: 22,
    batteryMv: 2_900 - (at % 7) * 50,
    hwType: 1,
    wakeupReason: 0,
    capabilities: 0,
    modecfgjson: '',
    isexternal: false,
    apip: '0.0.0.0',
    rotate: 0,
    lut: 0,
    invert: 0,
    updatecount: 0,
    updatelast: 0,
    ch: 11,
    ver: 39,
  }
}

/**
 * Returns a page that ends with the tag that makes it too long. The start position is a single byte, as in the real
 * firmware.
 */
function pageOf(tags: Tag[], pos: number): { tags: Tag[]; continu?: number } {
  const page: Tag[] = []
  for (let at = pos & 0xff; at < tags.length; at++) {
    page.push(tags[at]!)
    if (JSON.stringify({ tags: page }).length > PAGE_BYTES) return { tags: page, continu: at + 1 }
  }
  return { tags: page }
}

type World = { checkInMs: number; faults: Faults; tell: (message: object) => void; now: () => number }

/** The state of the access point, and how tags fetch their images. */
function createAccessPoint(count: number, { checkInMs, faults, tell, now }: World) {
  const tags = new Map(Array.from({ length: count }, (_, at) => tagOf(at, now())).map((tag) => [tag.mac, tag]))
  const pictures = new Map<string, Buffer>()
  const flashes: { mac: string; cmd: string }[] = []
  const timers = new Set<NodeJS.Timeout>()

  function checkIn(tag: Tag): void {
    const picture = pictures.get(tag.mac)
    if (faults.asleep) return
    tag.lastseen = now()
    if (!tag.pending || !picture) return
    Object.assign(tag, {
      pending: 0,
      hash: createHash('md5').update(picture).digest('hex'),
      updatecount: tag.updatecount + 1,
      updatelast: now(),
    })
    tell({ tags: [tag] })
  }

  function refresh(tag: Tag): void {
    if (!pictures.has(tag.mac)) return
    tag.pending = 1
    tell({ tags: [tag] })
    const timer = setTimeout(() => {
      timers.delete(timer)
      checkIn(tag)
    }, checkInMs)
    timers.add(timer)
  }

  function executeTagCommand(tag: Tag, cmd: string): void {
    if (cmd === 'del') tags.delete(tag.mac)
    if (cmd === 'clear') tag.pending = 0
    if (cmd === 'refresh') refresh(tag)
    if (cmd.startsWith('ledflash')) flashes.push({ mac: tag.mac, cmd })
  }

  return {
    tags,
    pictures: pictures as ReadonlyMap<string, Buffer>,
    flashes: flashes as readonly { mac: string; cmd: string }[],
    take(tag: Tag, contentMode: number, picture: Buffer): void {
      pictures.set(tag.mac, picture)
      Object.assign(tag, { contentMode, nextupdate: 0 })
      refresh(tag)
    },
    executeTagCommand,
    wake: () => tags.forEach(checkIn),
    stop: () => timers.forEach(clearTimeout),
  }
}

type AccessPoint = ReturnType<typeof createAccessPoint>

function upload(ap: AccessPoint, faults: Faults, contentMode: number, form: Form, picture: Buffer | undefined): Reply {
  if (faults.busy) return replyOf(409, 'Come back later')
  if (!form.mac || !picture) return replyOf(400, 'parameters incomplete')
  const tag = ap.tags.get(form.mac.toUpperCase().padEnd(16, '0'))
  if (!tag) return replyOf(400, 'mac not found')
  if (form.alias !== undefined) tag.alias = form.alias
  ap.take(tag, contentMode, picture)
  return replyOf(200, 'Ok, saved')
}

function command(ap: AccessPoint, { mac, cmd }: Form): Reply {
  if (!mac || !cmd) return replyOf(500, 'param error')
  const tag = ap.tags.get(mac.toUpperCase())
  if (!tag) return replyOf(400, 'Error: mac not found')
  ap.executeTagCommand(tag, cmd)
  return replyOf(200, 'Ok, done')
}

const SYSTEM = {
  alias: 'simulated access point',
  env: 'ESP32_S3_16_8_YELLOW_AP',
  buildtime: '1738300000',
  buildversion: '2.72',
  ap_version: 31,
  psramsize: 8_388_608,
  flashsize: 16_777_216,
}

/** The access point's HTTP calls. */
function createCalls(ap: AccessPoint, faults: Faults, clock: { offsetSeconds: number; seconds: () => number }) {
  function read(url: URL): Reply {
    const mac = url.searchParams.get('mac')
    if (url.pathname === '/sysinfo') return replyOf(200, SYSTEM)
    if (url.pathname === '/led_flash') return command(ap, { mac: mac ?? '', cmd: 'ledflash' })
    if (url.pathname !== '/get_db') return replyOf(404, '')
    if (mac === null) return replyOf(200, pageOf([...ap.tags.values()], Number(url.searchParams.get('pos') ?? 0)))
    return replyOf(200, { tags: [...ap.tags.values()].filter((tag) => tag.mac === mac.toUpperCase()) })
  }

  async function write(path: string, request: IncomingMessage): Promise<Reply> {
    const { form, file } = await formOf(request)
    if (path === '/jsonupload')
      return upload(ap, faults, JSON_CONTENT, form, form.json === undefined ? undefined : Buffer.from(form.json))
    if (path === '/imgupload') return upload(ap, faults, IMAGE_CONTENT, form, file)
    if (path === '/tag_cmd') return command(ap, form)
    if (path !== '/set_time') return replyOf(404, '')
    if (!(Number(form.epoch) > 0)) return replyOf(400, 'error')
    clock.offsetSeconds = Number(form.epoch) - clock.seconds()
    return replyOf(200, 'ok')
  }

  return { read, write }
}

/**
 * Starts a simulated OpenEPaperLink access point on loopback: paged database, images and drawings, commands, and a
 * websocket with changes. Like the real one, it requires no authentication.
 */
export async function startOpenEPaperLink({ port = 0, tags = 12, checkInMs = 1_000, now = Date.now }: Options = {}) {
  const seconds = () => Math.floor(now() / 1_000)
  const faults: Faults = { busy: false, silent: false, asleep: false }
  const sockets = new WebSocketServer({ noServer: true })
  const broadcast = (message: object) => sockets.clients.forEach((one) => one.send(JSON.stringify(message)))
  const ap = createAccessPoint(tags, { checkInMs, faults, tell: broadcast, now: seconds })
  const clock = { offsetSeconds: 0, seconds }

  const { read, write } = createCalls(ap, faults, clock)
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    if (faults.silent) return
    const url = new URL(request.url!, 'http://localhost')
    const answer = request.method === 'GET' ? Promise.resolve(read(url)) : write(url.pathname, request)
    void answer
      .catch(() => replyOf(400, 'Missing parameters'))
      .then(({ status, body }) => {
        const isText = typeof body === 'string'
        response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
        response.end(isText ? body : JSON.stringify(body))
      })
  })
  server.on('upgrade', (request, socket, head) => {
    if (request.url !== '/ws' || faults.silent) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (one) =>
      one.send(JSON.stringify({ sys: { currtime: seconds() + clock.offsetSeconds, recordcount: ap.tags.size } })),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    clock: clock as Readonly<typeof clock>,
    tags: ap.tags as ReadonlyMap<string, Tag>,
    pictures: ap.pictures,
    flashes: ap.flashes,
    /** Number of clients on the websocket. */
    listeners: () => sockets.clients.size,
    calls: calls as readonly string[],
    /** Lets all tags fetch their images now. */
    wake: ap.wake,
    async close() {
      ap.stop()
      for (const one of sockets.clients) one.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the fields of a form, URL-encoded or multipart, and its file. */
async function formOf(request: IncomingMessage): Promise<{ form: Form; file: Buffer | undefined }> {
  const type = request.headers['content-type'] ?? ''
  const data = await new Response(new Uint8Array(await buffer(request)), {
    headers: { 'content-type': type },
  }).formData()
  const form: Form = {}
  let file: Buffer | undefined
  for (const [name, value] of data) {
    if (typeof value === 'string') form[name] = value
    else file = Buffer.from(await value.arrayBuffer())
  }
  return { form, file }
}
