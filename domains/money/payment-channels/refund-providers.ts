import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { defineSlot } from '#kit/server/slots.ts'
import { resolvePaymentPort } from './channels.ts'
import type { ChannelRefundResult, ChannelRefundRequest } from './payment.client.ts'

/** Where a refund goes that cannot arrive where its money came from. */
export type RefundRedirectTarget =
  | { type: 'MERCHANT_BANK_CARD' }
  | { type: 'USER_BANK_CARD'; bankType: string; bankAccount: string; realName: string }

/** A refund on its way; `isAgain` when it was sent before, and what became of it is asked first. */
type ProviderRefund = ChannelRefundRequest & {
  tenantId: string
  /** The order, recharge or fee, and in cents what the whole payment was. */
  payableId: string
  total: number
  reason: string
  isAgain: boolean
  /** What `takes` answered: with which account it was first sent, where its way has accounts. */
  by?: string
  /** Said by a person for one that is abnormal; not yet confirmed by the platform. */
  redirect?: RefundRedirectTarget
}

/** A platform that takes refunds of a channel for those who have an account there. */
export type RefundProvider = {
  /**
   * By what of its own the money of this payment goes back: an account, and what else names the place. Undefined only
   * where the money may lie elsewhere. Decided before the first ask, and kept: money goes back one way, and nobody
   * else knows what became of it. Known to lie here, it is taken also while nobody can be asked for it, and waits.
   */
  takes: (
    services: Services,
    db: Db,
    ask: { payableId: string; transactionNo: string | null },
  ) => Promise<string | undefined>
  refund: (services: Services, ask: ProviderRefund) => Promise<ChannelRefundResult>
}

export const refundProvidersSlot = defineSlot<Record<string, RefundProvider>>('refundProviders')

type HearsRefund = (db: Db, outNo: string) => Promise<void>
const refundHearers = defineSlot<Record<string, HearsRefund>>('refundHearers')

/** Says what a module does when a platform says by itself that money on its way back has moved, by its number. */
export const onRefundNotification = (services: Services, module: string, hear: HearsRefund): void =>
  services.slots.add(refundHearers, module, hear)

/** Tells the modules that send money back; the one whose number it is asks about it. */
export async function emitRefundNotification(services: Services, db: Db, outNo: string): Promise<void> {
  for (const hear of Object.values(services.slots.find(refundHearers) ?? {})) await hear(db, outNo)
}

/** The way of those who have no account of their own. */
export const DEFAULT_PROVIDER = 'port'

export async function chooseRefundProvider(
  services: Services,
  db: Db,
  part: { channel: string; payableId: string; transactionNo: string | null },
): Promise<string> {
  const way = services.slots.find(refundProvidersSlot)?.[part.channel]
  const by = await way?.takes(services, db, part)
  return by !== undefined ? `${part.channel}/${by}` : DEFAULT_PROVIDER
}

/** Sends a refund the way that was chosen for it. */
export async function sendRefund(services: Services, way: string, ask: ProviderRefund): Promise<ChannelRefundResult> {
  if (way === DEFAULT_PROVIDER) return resolvePaymentPort(services).refund(ask)
  const [name, ...by] = way.split('/')
  const chosen = services.slots.find(refundProvidersSlot)?.[name!]
  if (!chosen) throw new Error(`nobody refunds by ${way}`)
  return chosen.refund(services, { ...ask, by: by.join('/') })
}
