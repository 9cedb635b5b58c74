import { importWechatPayDemo } from '#domains/money/merchant-accounts/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { startWechatPay } from '#simulators/wechatpay/wechatpay.simulator.ts'
import { demoTenants } from './cast.ts'

type PaySimulator = Awaited<ReturnType<typeof startWechatPay>>

/**
 * Starts a WeChat Pay simulator for the demo data, with one service provider for all tenants. It knows the payments
 * whose statements are still to be fetched and looks up others when they are named. Applications, refunds and shares
 * progress with time.
 */
export async function startDemoWechatPaySimulator(services: Services, address: string): Promise<PaySimulator> {
  const {
    seedWechatPayAccount: connectPay,
    findDemoPayment: findPayment,
    findDemoReceivers: findReceivers,
    findUnstatedDemoPayments: unstatedPayments,
  } = await importWechatPayDemo()
  const pay = await startWechatPay({
    isLive: true,
    lookUp: async (transactionId) => {
      for (const { tenantId } of demoTenants) {
        const found = await services.unit({ tenantId }, (db) => findPayment(db, transactionId))
        if (found) return found
      }
      return undefined
    },
  })
  for (const { tenantId } of demoTenants) {
    for (const { back, ...payment } of await services.unit({ tenantId }, (db) => unstatedPayments(db))) {
      pay.know(payment)
      for (const refund of back) pay.knowRefund(payment.transactionId, refund)
    }
    for (const { subMchid, account } of await services.unit({ tenantId }, (db) => findReceivers(db)))
      pay.world.receivers.add(`${subMchid}/${account}`)
    // Last, since the product calls the simulator as soon as the account exists.
    await services.unit({ tenantId }, (db) => connectPay(db, services, { ...pay.account, notifyBase: address }))
  }
  return pay
}
