import { defineSlot } from '#kit/server/slots.ts'

/** The way out to devices, as the broker's client offers it. */
export type DeviceTransport = {
  /** Resolves when the broker has it, which says nothing of the device; throws at once while there is no broker. */
  publish: (
    topic: string,
    message: object,
    options?: { qos?: 0 | 1; retain?: boolean; expirySeconds?: number },
  ) => Promise<void>
}

/** Filled by the start of the server; empty where no broker is wanted. */
export const deviceTransportSlot = defineSlot<DeviceTransport>('deviceTransport')
