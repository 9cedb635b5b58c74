import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { resolvePaymentPort } from './channels.ts'
import type { ChannelRefundResult, ChannelRefundRequest } from './payment.client.ts'

/** Other account for a refund that cannot return to where the money came from. */
export type RefundRedirectTarget =
  | { type: 'MERCHANT_BANK_CARD' }
  | { type: 'USER_BANK_CARD'; bankType: string; bankAccount: string; realName: string }

/** A refund on its way; `isAgain` if it was sent before, so that it is queried first. */
type ProviderRefund = ChannelRefundRequest & {
  tenantId: string
  /** Id of the order, recharge or fee, and the cents of the whole payment. */
  payableId: string
  total: number
  reason: string
  isAgain: boolean
  /** What `takes` returned: the account it was first sent with, if the provider has accounts. */
  by?: string
  /** Account a person chose for an abnormal refund; not yet accepted by the platform. */
  redirect?: RefundRedirectTarget
}

/** A platform that refunds payments of its channel for tenants with an account there. */
export type RefundProvider = {
  /**
   * Returns the key of the account that must refund this payment; undefined only if the money may be elsewhere. Decided
   * before the first request and stored, because only that provider knows what became of it. A payment known to be here
   * is taken even when no account is available, and waits.
   */
  takes: (
    services: Services,
    db: Db,
    ask: { payableId: string; transactionNo: string | null },
  ) => Promise<string | undefined>
  refund: (services: Services, ask: ProviderRefund) => Promise<ChannelRefundResult>
}

export const refundProvidersSlot = defineSlot<Record<string, RefundProvider>>('refundProviders')

type RefundListener = (db: Db, outNo: string) => Promise<void>
const refundListenersSlot = defineSlot<Record<string, RefundListener>>('refundListeners')

/** Registers what a module does when a platform reports a change of a refund, by the refund's number. */
export const onRefundNotification = (services: Services, module: string, listener: RefundListener): void =>
  services.slots.add(refundListenersSlot, module, listener)

/** Notifies all modules that send refunds; the one with this number queries it. */
export async function emitRefundNotification(services: Services, db: Db, outNo: string): Promise<void> {
  for (const listener of Object.values(services.slots.find(refundListenersSlot) ?? {})) await listener(db, outNo)
}

/** Key of the default provider, the payment port, for tenants without an account of their own. */
export const DEFAULT_PROVIDER = 'port'

export async function chooseRefundProvider(
  services: Services,
  db: Db,
  part: { channel: string; payableId: string; transactionNo: string | null },
): Promise<string> {
  const provider = services.slots.find(refundProvidersSlot)?.[part.channel]
  const by = await provider?.takes(services, db, part)
  return by !== undefined ? `${part.channel}/${by}` : DEFAULT_PROVIDER
}

/** Sends a refund through the provider stored for it. */
export async function sendRefund(
  services: Services,
  provider: string,
  ask: ProviderRefund,
): Promise<ChannelRefundResult> {
  if (provider === DEFAULT_PROVIDER) return resolvePaymentPort(services).refund(ask)
  const [name, ...by] = provider.split('/')
  const chosen = services.slots.find(refundProvidersSlot)?.[name!]
  if (!chosen) throw new Error(`nobody refunds by ${provider}`)
  return chosen.refund(services, { ...ask, by: by.join('/') })
}
