import { findWechatAccount, createWechatPay } from '#domains/money/wechat-pay/api.ts'
import { startWechatPay } from '#simulators/wechatpay/wechatpay.simulator.ts'
import { createTestTenants } from './test-tenants.ts'

const HOUR_MS = 3_600_000

/**
 * Creates test tenants and a simulated WeChat Pay with the same clock, and an account of the first tenant (`north`)
 * there.
 */
export async function testWechat({ isByCertificate = false } = {}) {
  const clock = { ahead: 0 }
  const now = () => new Date(Date.now() + clock.ahead)
  const [tenants, wechat] = await Promise.all([createTestTenants({ now, listen: true }), startWechatPay({ now })])
  const { tenantId } = tenants.north
  const platform = await tenants.server.as('admin')
  const { publicKeyNo, publicKeyPem, ...keys } = wechat.account
  const body = {
    tenantId,
    name: '服务商',
    ...keys,
    notifyBase: tenants.server.url,
    ...(isByCertificate ? {} : { publicKeyNo, publicKeyPem }),
  }
  const { id } = await tenants.must(tenants.call(platform, 'POST', '/api/pay/payAccount/submit', { body }))
  wechat.callbacks.byCertificate = isByCertificate
  return {
    tenants,
    wechat,
    clock,
    accountNo: id as string,
    notifyPath: `/api/pay/wechat/notify/${tenantId}-${id}`,
    pay: async () =>
      createWechatPay(
        tenants.services,
        (await tenants.services.unit({ tenantId }, (db) => findWechatAccount(tenants.services, db)))!,
      ),
    advance: (seconds: number) => void (clock.ahead += seconds * 1000),
    toNoonTomorrow: () => {
      const day = now().getTime() + 8 * HOUR_MS
      clock.ahead += 24 * HOUR_MS - (day % (24 * HOUR_MS)) + 12 * HOUR_MS
    },
    close: () => Promise.all([tenants.close(), wechat.close()]),
  }
}
