import type { Socket } from 'node:net'
import { connect } from 'mqtt'
import type { MqttClient } from 'mqtt'
import type { Credentials, Session, Transport } from './protocol.ts'

export const PROTOCOLS = { '3.1.1': 4, '5': 5 } as const
export type Protocol = keyof typeof PROTOCOLS

const KEEP_ALIVE_SECONDS = 30
const CONNECT_MS = 15_000

/** Opens a real MQTT connection per session, as docs/gateways.md asks. The device reconnects itself. */
export function createMqttTransport(
  url: string,
  { clientId, tenantId, secret }: Credentials,
  protocol: Protocol,
): Transport {
  const root = `ss/1/${tenantId}/${clientId}`
  let client: MqttClient | undefined

  function clientOf({ will }: Session): MqttClient {
    const made = connect(url, {
      clientId,
      username: clientId,
      password: secret,
      clean: true,
      keepalive: KEEP_ALIVE_SECONDS,
      protocolVersion: PROTOCOLS[protocol],
      ...(protocol === '5' ? { properties: { sessionExpiryInterval: 0 } } : {}),
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      queueQoSZero: false,
      resubscribe: false,
      will: { topic: `${root}/${will.topic}`, payload: Buffer.from(will.payload), qos: 1, retain: true },
    })
    const { stream } = made as unknown as { stream: Partial<Socket> }
    // Without it, a small message waits for the acknowledgement of the previous one (Nagle).
    stream.setNoDelay?.(true)
    return made
  }

  return {
    open(session) {
      const made = clientOf(session)
      client = made
      // Errors are also reported by the close event.
      made.on('error', () => {})
      made.once('close', session.onDown)
      made.on('message', (topic, payload) => session.onMessage(topic.slice(root.length + 6), payload.toString()))
      made.once('connect', () =>
        made.subscribe(`${root}/down/#`, { qos: 1 }, (error) => (error ? made.end(true) : session.onUp())),
      )
    },
    publish: (topic, payload, options) => void client?.publish(`${root}/${topic}`, payload, options, () => {}),
    leave: () => void client?.end(),
    cut: () => void client?.end(true),
  }
}
