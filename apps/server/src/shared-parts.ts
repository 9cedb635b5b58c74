import { readFile } from 'node:fs/promises'
import { startBroker, type ClientAuthenticator, type Broker } from '#kit/server/broker/index.ts'
import { createPool, type Pool } from '#kit/server/database/db.ts'
import type { ProcessMetrics } from '#kit/server/meters/index.ts'
import { createLog } from '#kit/server/base/log.ts'
import type { MinimalLogger } from '#kit/server/base/minimal-logger.ts'
import { authenticateDevice, deviceTopicGrant } from '#domains/devices/device-messaging/api.ts'
import { readEnvironmentNumber } from './config.ts'
import { readSeedState } from './seed-once.ts'

type Parts = { env: Record<string, string>; broker?: Broker; stop: () => Promise<void> }

/**
 * Authenticates a device and returns the topics it may use, null when it is refused. Queries run under the role
 * store_platform.
 */
const deviceSignIn =
  (pool: Pool): ClientAuthenticator =>
  async (credentials) => {
    const found = await authenticateDevice(pool, credentials)
    return found ? deviceTopicGrant(found.tenantId, credentials.clientId) : null
  }

/** Starts the embedded MQTT broker with the listeners the environment asks for, reachable from where the server is. */
export async function startEmbeddedBroker(
  env: NodeJS.ProcessEnv,
  host: string,
  pool: Pool,
  log: MinimalLogger,
): Promise<Broker> {
  const [tlsPort, wsPort] = [readEnvironmentNumber(env, 'MQTT_TLS_PORT'), readEnvironmentNumber(env, 'MQTT_WS_PORT')]
  const pem = (name: string) => readFile(env[name]!, 'utf8')
  const [key, cert] = tlsPort ? await Promise.all([pem('MQTT_TLS_KEY'), pem('MQTT_TLS_CERT')]) : ['', '']
  return startBroker({
    authenticate: deviceSignIn(pool),
    host: env.MQTT_HOST || (host === 'localhost' ? '127.0.0.1' : host),
    port: readEnvironmentNumber(env, 'MQTT_PORT'),
    tls: tlsPort ? { port: tlsPort, key, cert } : undefined,
    ws: wsPort ? { port: wsPort } : undefined,
    log,
  })
}

/** Parallel sign-ins: enough for all devices to be back within seconds. */
const SIGN_IN_CONNECTIONS = 2

/**
 * Starts what the processes of a machine share: the broker, unless MQTT_URL names one, and the simulated payment
 * channel of the demo data, unless PAYMENT_CHANNEL_URL does. Returns the addresses as environment variables.
 */
export async function startMachineSharedServices(
  databaseUrl: string,
  { story: wanted, host }: { story: string; host: string },
): Promise<Parts> {
  const { MQTT_URL, PAYMENT_CHANNEL_URL, LOG_LEVEL } = process.env
  const stops: (() => Promise<void>)[] = []
  const env: Record<string, string> = {}
  let broker: Broker | undefined
  if (!MQTT_URL) {
    const log = createLog({ level: LOG_LEVEL || 'info' })
    const pool = createPool(databaseUrl, { max: SIGN_IN_CONNECTIONS, role: 'store_platform' })
    const own = await startEmbeddedBroker(process.env, host, pool, log)
    env.MQTT_URL = own.url
    stops.push(async () => {
      await own.close()
      await pool.end()
    })
    broker = own
  }
  if (!PAYMENT_CHANNEL_URL && (await readSeedState(databaseUrl, wanted)).story === 'demo') {
    const { startPaymentChannel } = await import('#simulators/payments/payments.simulator.ts')
    const channel = await startPaymentChannel()
    env.PAYMENT_CHANNEL_URL = channel.url
    stops.push(() => channel.close())
  }
  return { env, ...(broker && { broker }), stop: async () => void (await Promise.all(stops.map((stop) => stop()))) }
}

/** Registers the broker's gauges, in the process that runs it. */
export function registerBrokerMetrics(meters: ProcessMetrics, broker: Broker | undefined): ProcessMetrics {
  if (!broker) return meters
  const counts = () => broker.counts()
  meters.gauge('store_broker_clients', 'Clients of the message broker', async () => (await counts()).clients)
  meters.gauge('store_broker_refused', 'Sign-ins the broker refused', async () => (await counts()).refused)
  meters.gauge('store_broker_faults', 'Connections that broke or were cut', async () => (await counts()).faults)
  meters.gauge(
    'store_broker_messages',
    'Messages published since the broker began',
    async () => (await counts()).messages,
  )
  return meters
}
