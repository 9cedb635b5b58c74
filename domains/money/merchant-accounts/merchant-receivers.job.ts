import { VendorError } from '#domains/platform/external-apis/api.ts'
import { redact, findWechatAccount, createWechatPay, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { parseReceivers } from './receivers.ts'

const syncMerchantReceiversQueue = defineQueue<{ id: string }>('merchant.receivers')
/** Relation to the merchant that WeChat Pay wants for each type of receiver. */
const RELATIONS = { MERCHANT_ID: 'PARTNER', PERSONAL_OPENID: 'STAFF' } as const

type Receiver = ReturnType<typeof parseReceivers>[number]
type State = { account: string; type?: Receiver['type']; state: 'added' | 'refused'; message?: string }

export const enqueueMerchantReceiversSync = (db: Db, id: string): Promise<void> =>
  db.enqueue(syncMerchantReceiversQueue, { id }, { key: id })

async function add(pay: WechatPay, subMchid: string, { type, account, name }: Receiver): Promise<State> {
  try {
    await pay.addReceiver(subMchid, { type, account, name: redact(name), relation_type: RELATIONS[type] })
    return { account, type, state: 'added' }
  } catch (error) {
    if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
    return { account, type, state: 'refused', message: `${error.message} (${error.code})` }
  }
}

/** Removes a former receiver at WeChat Pay; if that is refused, keeps it with the message. */
async function takeAway(pay: WechatPay, subMchid: string, one: State): Promise<State[]> {
  const { account, type = 'MERCHANT_ID' } = one
  try {
    await pay.removeReceiver(subMchid, { type, account })
    return []
  } catch (error) {
    if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
    return [{ ...one, message: `${error.message} (${error.code})` }]
  }
}

/**
 * Registers a merchant's profit-share receivers at WeChat Pay and removes former ones. Both are idempotent, so a
 * crashed run is repeated from the start.
 */
export const syncMerchantReceiversJob = defineModuleJob({
  queue: syncMerchantReceiversQueue,
  concurrency: 2,
  timeoutSeconds: 300,
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, async (db) => ({
      row: await db.get(merchantInfo, id),
      account: await findWechatAccount(services, db),
    }))
    const { row, account } = held
    if (!row?.subMchid || !account) return
    const pay = createWechatPay(services, account)
    const states: State[] = []
    const wanted = parseReceivers(row.receivers)
    for (const receiver of wanted) states.push(await add(pay, row.subMchid, receiver))
    const before = Array.isArray(row.receiverStates) ? (row.receiverStates as State[]) : []
    for (const one of before)
      if (!wanted.some(({ account }) => account === one.account))
        states.push(...(await takeAway(pay, row.subMchid, one)))
    await services.unit({ tenantId }, async (db) => {
      publishRowsChanged({ db }, merchantInfo, [await db.update(merchantInfo, id, { receiverStates: states })])
    })
  },
})
