import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { aliyun, aliyunToken, azure, tencent, troubleWords } from './engines.ts'
import type { SpeechReply, SpeechRequest, Spoken } from './engines.ts'

export { speechAccount, troubleWords } from './engines.ts'

export type SpeechSimulator = {
  url: string
  /** The texts spoken, newest last. */
  spoken: Spoken[]
  close(): Promise<void>
}

const KEPT = 200
const RATE = 16_000
/** Length of the tone that stands for one character. */
const SIGN_MS = 50

/**
 * Starts simulated speech engines of Aliyun, Tencent Cloud and Azure at one address, distinguished by their request
 * format. Requests need a valid signature.
 */
export async function startSpeechSimulator(port = 0): Promise<SpeechSimulator> {
  const spoken: Spoken[] = []
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const received = await receive(request)
    // Tencent sends its text as JSON, in which these words appear literally.
    if (received.body.includes(troubleWords.noAnswer)) return
    const { status = 200, type, body } = answer(received)
    response.writeHead(status, { 'content-type': type }).end(body)
  }

  function answer(request: SpeechRequest): SpeechReply {
    const [name, engine] = engineOf(request)
    try {
      return engine(request, (utterance) => {
        spoken.push({ engine: name, ...utterance })
        if (spoken.length > KEPT) spoken.shift()
        return utterance.text.includes(troubleWords.broken) ? Buffer.from('not a sound') : toneOf(utterance.text)
      })
    } catch {
      return { status: 400, type: 'text/plain', body: 'unreadable' }
    }
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoken,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function engineOf({ path, headers }: SpeechRequest) {
  if (path === '/cognitiveservices/v1') return ['azure', azure] as const
  if (path === '/stream/v1/tts') return ['aliyun', aliyun] as const
  return headers['x-tc-action'] ? (['tencent', tencent] as const) : (['aliyun', aliyunToken] as const)
}

async function receive(request: IncomingMessage): Promise<SpeechRequest> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return {
    path: new URL(request.url!, 'http://localhost').pathname,
    host: headers.host ?? '',
    headers,
    body: await text(request),
    now: Date.now(),
  }
}

/**
 * Returns a WAV file whose length follows from the text, with the maximal data length in its header, as for a stream.
 */
function toneOf(words: string): Buffer {
  const count = Array.from(words).length * ((RATE * SIGN_MS) / 1000)
  const file = Buffer.alloc(44 + count * 2)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(0x7fff_ffff, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(0x7fff_ffff, 40)
  for (let n = 0; n < count; n++)
    file.writeInt16LE(Math.round(8_000 * Math.sin((n * 440 * 2 * Math.PI) / RATE)), 44 + n * 2)
  return file
}
