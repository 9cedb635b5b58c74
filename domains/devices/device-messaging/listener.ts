import { createMessageIntake } from '#kit/server/broker/index.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { isTransientDatabaseError } from '#kit/server/database/connections.ts'
import { PoolExhaustedError } from '#kit/server/database/admission.ts'
import type { Services } from '#kit/server/module/services.ts'
import { storeFailedDeviceMessage, deviceMessageFailureReason } from './device-message.server.ts'
import { DEVICE_MESSAGE_FAULT } from './device-message.resource.ts'
import { queryOpenDeviceCommands, handleDeviceMessage, checkDueCommands } from './handle-device-message.ts'
import { InvalidDeviceMessageError } from './device-handlers.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { createDevicePresence, type DevicePresence } from './presence.ts'
import { ALL_DEVICE_TOPICS, parseTopic } from './topics.ts'

/**
 * Messages handled at the same time, fewer than the database connections, half of which are reserved for people
 * (admission.ts).
 */
const LANES = 12
const FLUSH_MS = 1_000
const LOOK_MS = 500
const SWEEP_MS = 15_000
const ASK_MS = 2_000
const ASIDE_A_MINUTE = 1_000
const ASIDE_OF_DEVICE = 20

/**
 * Connects the module to the broker. Only one server process at a time receives the devices' messages, by a lease.
 * Returns a function that stops it.
 */
export async function listenToDevices(services: Services): Promise<(() => Promise<void>) | void> {
  const { link } = services
  if (!link) return
  services.slots.fill(deviceTransportSlot, {
    publish: (topic, message, options) => link.messages.publish(topic, message as never, options),
  })

  const presence = createDevicePresence(services)
  const toAsk = new Set<string>()

  const intake = createMessageIntake({
    laneOf: (topic) => {
      const spoken = parseTopic(topic)
      return spoken ? `${spoken.tenantId}/${spoken.clientId}` : topic
    },
    // Somebody stands before a door.
    isPriority: (topic) => parseTopic(topic)?.about === 'ask',
    lanes: LANES,
    now: () => services.now().getTime(),
    // The message has been acknowledged and will not come again, so it waits until the database is back.
    isPassing: (err) => isTransientDatabaseError(err) || err instanceof PoolExhaustedError,
    letGo: (topic) => {
      const spoken = parseTopic(topic)
      if (spoken) toAsk.add(`${spoken.tenantId}/${spoken.clientId}`)
    },
    handle: async (topic, message, arrival) => {
      try {
        await handleDeviceMessage(services, presence, topic, message, arrival)
      } catch (err) {
        // Trying it again would not make it any better.
        if (err instanceof InvalidDeviceMessageError)
          await aside({
            topic,
            payload: JSON.stringify(message),
            fault: DEVICE_MESSAGE_FAULT.unknown,
            reason: deviceMessageFailureReason(err),
          })
        else throw err
      }
    },
    aside: (topic, payload, reason, err) =>
      aside({ topic, payload: payload.toString(), fault: reason, reason: deviceMessageFailureReason(err) }),
    log: services.log,
  })

  const aside = keepSome(services)
  const lease = link.listen({ [ALL_DEVICE_TOPICS]: intake }, async () => {
    await presence.begin()
    return watch(services, presence, toAsk)
  })

  return async () => {
    await lease.stop()
    await presence.flush().catch(() => {})
  }
}

/** Starts the periodic work of the listening process. Returns a function that stops it. */
function watch(services: Services, presence: DevicePresence, toAsk: Set<string>): () => void {
  const every = (ms: number, work: () => Promise<unknown>, what: string) => {
    let isAtIt = false
    return setInterval(() => {
      if (isAtIt) return
      isAtIt = true
      work()
        .catch((err: unknown) => services.log.warn({ err }, what))
        .finally(() => (isAtIt = false))
    }, ms)
  }
  // Runs at the first tick, when the subscription is active.
  let isEveryDeviceQueried = false
  const askWhoWasLetGo = async () => {
    if (!isEveryDeviceQueried) {
      await queryOpenDeviceCommands(services)
      isEveryDeviceQueried = true
    }
    const devices = [...toAsk]
    if (!devices.length) return
    await queryOpenDeviceCommands(services, devices)
    for (const device of devices) toAsk.delete(device)
  }
  const timers = [
    every(ASK_MS, askWhoWasLetGo, 'devices could not be asked again'),
    every(FLUSH_MS, presence.flush, 'heartbeats could not be written'),
    every(LOOK_MS, () => checkDueCommands(services), 'commands could not be looked at'),
    every(SWEEP_MS, presence.sweep, 'silent devices could not be looked for'),
  ]
  return () => timers.forEach((timer) => clearInterval(timer))
}

/**
 * Stores failed messages for people to look at. Limited per minute, in total and for each device, so that a flood of
 * one device leaves room for others.
 */
function keepSome(services: Services) {
  let [minute, kept, sum] = [0, 0, 0]
  const ofDevice = new Map<string, number>()
  services.meters.gauge('store_device_messages_aside', 'Messages of devices that could not be handled', () => sum)
  return async (message: Parameters<typeof storeFailedDeviceMessage>[2]): Promise<void> => {
    sum++
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute) {
      ;[minute, kept] = [now, 0]
      ofDevice.clear()
    }
    const device = message.topic.split('/', 4).join('/')
    const mine = (ofDevice.get(device) ?? 0) + 1
    ofDevice.set(device, mine)
    if (mine > ASIDE_OF_DEVICE || ++kept > ASIDE_A_MINUTE) return
    await storeFailedDeviceMessage(services, parseTopic(message.topic)?.tenantId ?? MANAGEMENT_TENANT, message)
  }
}
