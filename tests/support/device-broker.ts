import { authenticateDevice, deviceTopicGrant } from '#domains/devices/device-messaging/api.ts'
import { startBroker } from '#kit/server/broker/index.ts'
import type { TestServer } from './server.ts'

/**
 * Starts a broker for devices that authenticate at a test's server. It starts first, since the server needs its
 * address.
 */
export async function deviceBroker() {
  let server: TestServer | undefined
  const broker = await startBroker({
    authenticate: async (credentials) => {
      const found = server && (await authenticateDevice(server.services.systemPool, credentials))
      return found ? deviceTopicGrant(found.tenantId, credentials.clientId) : null
    },
    messagesPerSecond: 1_000,
  })
  return {
    env: { MQTT_URL: broker.url },
    serve: (testServer: TestServer): void => void (server = testServer),
    close: () => broker.close(),
  }
}
