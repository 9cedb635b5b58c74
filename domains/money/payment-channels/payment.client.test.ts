import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { RESPONSE_BYTES_MAX } from '#kit/server/request/external-request.ts'
import { createPaymentPort } from './payment.client.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Starts a server with this handler; returns a payment port to it. */
async function portTo(answer: RequestListener) {
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return createPaymentPort(() => `http://127.0.0.1:${(server!.address() as AddressInfo).port}`)
}
const request = { channel: 'alipay', transactionNo: '4200', outNo: 'RF1', amount: 1250 }

test('a channel that answers more than anybody reads is hung up on, and nothing counts as done', async () => {
  let gone: Promise<unknown> | undefined
  const port = await portTo((_incoming, response) => {
    gone = once(response, 'close')
    const part = ' '.repeat(64 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more).write('{"state":"done","id":"1"')
    more()
  })
  await expect(port.refund(request)).rejects.toThrow('too long')
  await gone
})

test('an answer that says it is too long is not waited for', async () => {
  const port = await portTo((_incoming, response) => {
    response.writeHead(200, { 'content-length': RESPONSE_BYTES_MAX.json + 1 }).flushHeaders()
  })
  await expect(port.refund(request)).rejects.toThrow('too long')
})

test('a channel is asked under the number of the refund, and its words can be stored', async () => {
  const received: unknown[] = []
  const port = await portTo((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      received.push(incoming.headers['idempotency-key'], JSON.parse(Buffer.concat(parts).toString()))
      response.writeHead(422).end(JSON.stringify({ state: 'refused', reason: 'closed\0' }))
    })
  })
  expect(await port.refund(request)).toEqual({ state: 'refused', reason: 'closed\ufffd' })
  expect(received).toEqual(['RF1', { channel: 'alipay', transactionNo: '4200', refundNo: 'RF1', amount: 1250 }])
})

test.each([
  [200, '{"state":"done","id":"A1"}', { state: 'done', channelRefundId: 'A1' }],
  [422, '{"state":"refused"}', { state: 'refused', reason: 'refused' }],
])('%i %s ends a refund', async (status, body, answer) => {
  const port = await portTo((_incoming, response) => response.writeHead(status).end(body))
  expect(await port.refund(request)).toEqual(answer)
})

test.each([
  [200, '{"state":"done"}'],
  [200, 'null'],
  [500, '{"state":"refused"}'],
  [422, '{"state":"done","id":"A1"}'],
  [302, '{"state":"done","id":"A1"}'],
  [200, '<html>'],
])('%i %s leaves it unclear, so that it is asked again', async (status, body) => {
  const port = await portTo((_incoming, response) => response.writeHead(status, { location: '/' }).end(body))
  await expect(port.refund(request)).rejects.toThrow(/answered|JSON/)
})

test('a channel that does not answer is left when the job that asked ends', async () => {
  const controller = new AbortController()
  const port = await portTo(() => controller.abort())
  await expect(port.refund({ ...request, signal: controller.signal })).rejects.toThrow('abort')
})
