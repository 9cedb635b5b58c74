import { defineSlot } from '#kit/server/base/slots.ts'

/** Publishes messages to devices through the broker. */
export type DeviceTransport = {
  /**
   * Resolves when the broker has accepted the message, which does not mean that the device has it. Rejects at once
   * while the broker is not connected.
   */
  publish: (
    topic: string,
    message: object,
    options?: { qos?: 0 | 1; retain?: boolean; expirySeconds?: number },
  ) => Promise<void>
}

/** Filled when the server starts with a broker, else empty. */
export const deviceTransportSlot = defineSlot<DeviceTransport>('deviceTransport')
