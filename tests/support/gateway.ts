import { vi } from 'vitest'
import type { Services } from '#kit/server/module/services.ts'
import { deviceTransportSlot } from '#domains/devices/device-messaging/api.ts'
import { handleDeviceMessage, checkDueCommands } from '#domains/devices/device-messaging/handle-device-message.ts'
import { createDevicePresence } from '#domains/devices/device-messaging/presence.ts'

type PublishedMessage = { topic: string; message: any }

/** Plays a shop's gateway: sends its messages, and keeps those the server sent it. */
export function testGateway(services: Services, { tenantId, clientId }: { tenantId: string; clientId: string }) {
  const presence = createDevicePresence(services)
  const prefix = `ss/1/${tenantId}/${clientId}`
  const sent: PublishedMessage[] = []
  const before = services.slots.find(deviceTransportSlot)
  services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message) => {
      sent.push({ topic, message })
      await before?.publish(topic, message)
    },
  })

  let messages = 0
  const say = (about: string, message: object) =>
    handleDeviceMessage(services, presence, `${prefix}/up/${about}`, { ts: services.now().getTime(), ...message })
  const down = (about: string) =>
    sent.filter(({ topic }) => topic === `${prefix}/down/${about}`).map((one) => one.message)

  return {
    say,
    down,
    /** Writes the devices' presence to the database, as the device listener does regularly. */
    flush: () => presence.flush(),
    forget: () => void sent.splice(0),
    /** Checks commands without an answer, as the device listener does regularly. */
    lookAtDue: () => checkDueCommands(services),
    event: (type: string, data: object) => say('evt', { eid: `e${++messages}`, type, data }),
    /** Asks for entry at a door. Returns the server's answer. */
    ask: async (data: object, id = `q${++messages}`) => {
      await say('ask', { id, type: 'entry', data: { doorNo: 1, ...data } })
      return down('answer').findLast((one) => one.id === id)
    },
    /** Waits for a command to be sent and returns it (the `nth` of this method). */
    told: async (method: string, nth = 0): Promise<any> => {
      const all = () => down('cmd').filter((one) => one.method === method)
      await vi.waitFor(
        () => {
          if (all().length <= nth) throw new Error(`${method} was not sent`)
        },
        { timeout: 10_000 },
      )
      return all()[nth]
    },
  }
}
