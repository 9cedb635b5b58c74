import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { aliyun, qiniu, tencent, troublePhones, yunpian } from './providers.ts'
import type { SentSms, SmsReply, SmsRequest } from './providers.ts'

export { smsAccount, troublePhones } from './providers.ts'

export type SmsSimulator = {
  url: string
  /** The messages delivered, newest last. */
  outbox: SentSms[]
  close(): Promise<void>
}

const keptMax = 500

/**
 * Starts simulated Yunpian, Qiniu, Aliyun and Tencent Cloud services at one address, distinguished by their request
 * format. Requests need a valid signature. Delivered messages are shown at `/` and as JSON at `/outbox`.
 */
export async function startSmsSimulator(port = 0): Promise<SmsSimulator> {
  const outbox: SentSms[] = []
  let serial = 0

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const path = new URL(request.url!, 'http://localhost').pathname
    const say = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
    if (request.method === 'GET') {
      if (path === '/outbox') return say(200, 'application/json', JSON.stringify(outbox))
      return say(200, 'text/html', page(outbox))
    }
    const received = await receive(request, path)
    if (received.body.includes(troublePhones.noAnswer)) return
    if (received.body.includes(troublePhones.broken)) return say(502, 'text/html', '<h1>502 Bad Gateway</h1>')
    const { status = 200, body } = answer(received)
    say(status, 'application/json', JSON.stringify(body))
  }

  function answer(request: SmsRequest): SmsReply {
    const [name, provider] = providerOf(request)
    try {
      return provider(request, (phone, content) => {
        const id = `${Date.now()}${String(++serial).padStart(4, '0')}`
        outbox.push({ provider: name, phone, text: content, id })
        if (outbox.length > keptMax) outbox.shift()
        return id
      })
    } catch {
      return { status: 400, body: { error: 'bad_request', message: 'unreadable' } }
    }
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outbox,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function providerOf({ path, headers }: SmsRequest) {
  if (path.startsWith('/v2/sms/')) return ['yunpian', yunpian] as const
  if (path.startsWith('/v1/')) return ['qiniu', qiniu] as const
  return headers['x-tc-action'] ? (['tencent', tencent] as const) : (['aliyun', aliyun] as const)
}

async function receive(request: IncomingMessage, path: string): Promise<SmsRequest> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return {
    method: request.method!,
    path,
    host: headers.host ?? '',
    headers,
    body: await text(request),
    now: Date.now(),
  }
}

function page(outbox: SentSms[]): string {
  const escape = (content: string) => content.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)
  const rows = outbox
    .toReversed()
    .map(({ phone, text: content, provider }) => `<tr><td>${escape(phone)}<td>${escape(content)}<td>${provider}`)
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><title>模拟短信</title>
<style>body{font:16px/1.6 system-ui;margin:2rem}td{padding:.3rem 1rem}</style>
<h1>模拟短信 · SMS</h1><table>${rows.join('')}</table></html>`
}
