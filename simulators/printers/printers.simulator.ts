import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { feie, printerAccounts, xpyun, yilianyun } from './makers.ts'
import type { MakerName, Makers, PrinterMood, Ticket } from './makers.ts'

export { printerAccounts } from './makers.ts'

/**
 * How the makers behave: `deaf after taking` accepts the job and never answers, `silent` hangs up, `slow` answers late.
 */
type MakersMood = 'well' | 'deaf after taking' | 'silent' | 'slow' | 'wrong sign'
type SimPrinter = { maker: string; sn: string; name: string; status: number | null; tenantId?: string }

const SLOW_MS = 700
const TICKETS_MAX = 300
const PATHS: Record<MakerName, string> = { feie: 'feie/Api/Open/', yilianyun: 'yly', xpyun: 'xpyun' }

/**
 * Starts simulated Feie, Yilianyun and Xpyun services at one address: `/feie/Api/Open`, `/yly`, `/xpyun`. They verify
 * signatures and clocks, show what was printed at `/`, and report it to the registered addresses.
 */
export async function startPrinterMakers(port = 0) {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const makers = newMakers((ticket) => void report(ticket))
  const simulator = {
    url: '',
    mood: 'well' as MakersMood,
    /** How often each report is sent. */
    reports: 1,
    /** Report addresses of Yilianyun and Xpyun, which are registered there and not given in each call. */
    registered: {} as Partial<Record<MakerName, string>>,
    callbackKey: keys.publicKey,
    makers,
    endpointOf: (maker: MakerName) => `${simulator.url}/${PATHS[maker]}`,
    /** Adds a printer from before the start. */
    know: (known: SimPrinter) => know(makers, known),
    set: (maker: MakerName, sn: string, mood: PrinterMood) => {
      const printer = makers.printers.get(`${maker}/${sn}`)
      if (printer) printer.mood = mood
      makers.run()
    },
    /** Returns a signed report. */
    reportOf: (ticket: Ticket) => signedReport(ticket, keys.privateKey),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function report(ticket: Ticket): Promise<void> {
    const to = ticket.maker === 'feie' ? ticket.backurl : simulator.registered[ticket.maker]
    const body = new URLSearchParams(simulator.reportOf(ticket))
    // A report that fails is not repeated: the receiver polls for the state.
    for (let n = 0; to && n < simulator.reports; n++) await fetch(to, { method: 'POST', body }).catch(() => {})
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET')
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(makers))
    if (simulator.mood === 'silent') return void response.destroy()
    const reply = dispatchCall(makers, request.url!, await text(request), simulator.mood === 'wrong sign')
    if (simulator.mood === 'deaf after taking') return void response.destroy()
    if (simulator.mood === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(reply))
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  simulator.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return simulator
}

function know({ printers }: Makers, { maker, sn, name, status, tenantId }: SimPrinter): void {
  const mood = status === 0 ? 'offline' : status === 1 ? 'ready' : 'noPaper'
  printers.set(`${maker}/${sn}`, { maker: maker as MakerName, sn, name, mood, ...(tenantId && { tenantId }) })
}

function newMakers(isOut: (ticket: Ticket) => void): Makers {
  let serial = 0
  const print = (ticket: Ticket): void => {
    if (ticket.expires && ticket.expires * 1000 < Date.now()) ticket.state = 'gone'
    else if (makers.printers.get(`${ticket.maker}/${ticket.sn}`)?.mood === 'ready') {
      ticket.state = 'printed'
      setImmediate(isOut, ticket)
    }
  }
  const makers: Makers = {
    printers: new Map(),
    tickets: [],
    foreign: new Set(),
    tokens: new Set(),
    tokensGiven: 0,
    newNo: () => `${Date.now()}_${++serial}`,
    run: () => {
      for (const ticket of makers.tickets) if (ticket.state === 'waiting') print(ticket)
      makers.tickets.splice(0, Math.max(0, makers.tickets.length - TICKETS_MAX))
    },
  }
  return makers
}

function dispatchCall(makers: Makers, url: string, body: string, isForged: boolean): unknown {
  const { pathname } = new URL(url, 'http://localhost')
  const forged = isForged ? { sig: 'x', sign: 'x' } : {}
  if (pathname.startsWith('/xpyun/'))
    return xpyun(makers, pathname.slice('/xpyun/'.length), { ...(JSON.parse(body) as object), ...forged })
  const fields = { ...Object.fromEntries(new URLSearchParams(body)), ...forged }
  return pathname.startsWith('/feie/') ? feie(makers, fields) : yilianyun(makers, pathname.slice('/yly'.length), fields)
}

const hex = (algorithm: 'md5' | 'sha1', text: string) => createHash(algorithm).update(text).digest('hex')

function signedReport(ticket: Ticket, privateKey: string): Record<string, string> {
  const { user, secret } = printerAccounts[ticket.maker]
  const seconds = String(Math.floor(Date.now() / 1000))
  if (ticket.maker === 'feie') {
    const signed = `orderId=${ticket.no}&status=1&stime=${seconds}`
    const sign = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64')
    return { orderId: ticket.no, status: '1', stime: seconds, sign }
  }
  if (ticket.maker === 'xpyun') {
    const data = JSON.stringify({ orderId: ticket.no, status: 1 })
    return { user, timestamp: seconds, sign: hex('sha1', user + secret + seconds), data }
  }
  return {
    cmd: 'oauth_finish',
    machine_code: ticket.sn,
    order_id: ticket.no,
    origin_id: ticket.originId ?? '',
    state: '1',
    push_time: seconds,
    sign: hex('md5', user + seconds + secret),
  }
}

const escape = (content: string) => content.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** Turns markup into plain lines of text, enough to read a receipt. */
const readable = (content: string) =>
  content
    .replace(/<BR>|<\/(?:TEXT|QR|BC128|BARCODE|CODE)>/g, '\n')
    .replace(/<CUT>/g, '- - - - - - - -\n')
    .replace(/<[^<>]*>/g, '')

function pageOf({ printers, tickets }: Makers): string {
  const states = [...printers.values()].map(
    ({ maker, sn, name, mood }) => `<li>${maker} ${escape(sn)} ${escape(name)}: ${mood}`,
  )
  const papers = tickets
    .toReversed()
    .map(
      ({ maker, sn, no, content, copies, state }) =>
        `<article><small>${maker} ${escape(sn)} ${escape(no)} ×${copies} ${state}</small>` +
        `<pre>${escape(readable(content))}</pre></article>`,
    )
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><title>模拟打印机</title>
<style>body{font:15px/1.5 system-ui;margin:2rem;background:#eee}pre{font:14px/1.4 monospace;margin:.5rem 0 0}
article{display:inline-block;vertical-align:top;background:#fff;padding:1rem;margin:0 1rem 1rem 0}</style>
<h1>模拟打印机 · Printers</h1><ul>${states.join('')}</ul>${papers.join('')}</html>`
}
