import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SimulatedChannel = { url: string; paid: ReadonlyMap<string, number>; close: () => Promise<void> }

/**
 * Starts a simulated payment channel on loopback. `POST /v1/refunds {refundNo, amount, …}` pays once per refund number,
 * repeats its answer when called again, and refuses another amount under a known number. With `port` it has the same
 * address after a restart.
 */
export async function startPaymentChannel({ port = 0 } = {}): Promise<SimulatedChannel> {
  const paid = new Map<string, number>()
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/v1/refunds') return answer(404, { state: 'unknown' })
      let ask: { refundNo?: unknown; amount?: unknown }
      try {
        ask = JSON.parse(text) as typeof ask
      } catch {
        return answer(400, { state: 'unknown' })
      }
      const { refundNo, amount } = ask
      if (
        typeof refundNo !== 'string' ||
        !refundNo ||
        typeof amount !== 'number' ||
        amount <= 0 ||
        request.headers['idempotency-key'] !== refundNo
      )
        return answer(400, { state: 'unknown' })
      const known = paid.get(refundNo)
      if (known !== undefined && known !== amount)
        return answer(422, { state: 'refused', reason: 'the number was used for another amount' })
      paid.set(refundNo, amount)
      return answer(200, { state: 'done', id: `SIM-${refundNo}` })
    })
  })

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
