import { defineSlot } from '#kit/server/base/slots.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createPaymentPort, type PaymentPort } from './payment.client.ts'

export const paymentPortSlot = defineSlot<PaymentPort>('payments')
/** Slot with the URL of the simulated payment channel, set in the demo. */
export const paymentChannelUrlSlot = defineSlot<string>('paymentChannelUrl')

/** Returns the payment port: the one in the slot if set, else one over HTTP. */
export const resolvePaymentPort = (services: Services): PaymentPort =>
  services.slots.find(paymentPortSlot) ??
  createPaymentPort(() => {
    const address = services.slots.find(paymentChannelUrlSlot) ?? (process.env.PAYMENT_CHANNEL_URL || undefined)
    // In the demo the simulator starts shortly after the jobs, so a retry will find it.
    if (!address && services.config.story === 'demo') throw new Error('the simulated payment channel is not up')
    return address
  })
