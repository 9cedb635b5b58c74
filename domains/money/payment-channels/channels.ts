import { defineSlot } from '#kit/server/slots.ts'
import type { Services } from '#kit/server/services.ts'
import { createPaymentPort, type PaymentPort } from './payment.client.ts'

export const paymentPortSlot = defineSlot<PaymentPort>('payments')
/** Where the story's payment channel is. */
export const paymentChannelUrlSlot = defineSlot<string>('paymentChannelUrl')

/** The port money leaves by; another one may be put in its place. */
export const resolvePaymentPort = (services: Services): PaymentPort =>
  services.slots.find(paymentPortSlot) ??
  createPaymentPort(() => {
    const address = services.slots.find(paymentChannelUrlSlot) ?? (process.env.PAYMENT_CHANNEL_URL || undefined)
    // The story's channel starts a moment after the jobs: asked again, it will be there.
    if (!address && services.config.story === 'demo') throw new Error('the simulated payment channel is not up')
    return address
  })
