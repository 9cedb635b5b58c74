import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { shopConf } from '#domains/shops/shops/index.ts'
import { productModules } from './modules.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const code = globSync(['domains/**/*.ts', 'apps/server/src/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test\./.test(file),
)

/** The code that uses each setting: file and pattern. A setting nobody uses must be removed. */
const SHOP: Record<string, [file: string, says: RegExp]> = {
  entryMode: ['domains/shops/shops/shop-conf.server.ts', /entryMode: conf\.entryMode/],
  doorHoldSeconds: ['domains/shops/shops/door-settings.ts', /conf\.doorHoldSeconds/],
  heldSeconds: ['domains/shops/shops/door-settings.ts', /conf\.heldSeconds/],
  absentOffice: ['domains/shops/shops/door-settings.ts', /conf\.absentOffice/],
  doorSettings: ['domains/devices/door-access/entry.server.ts', /shop\.doorSettings/],
  unmannedEnabled: ['domains/shops/shops/unmanned.server.ts', /c\.unmanned_enabled/],
  lightSchedule: ['domains/shops/shops/shop-conf.server.ts', /lightSchedule: conf\.lightSchedule/],
  welcomeAudioId: ['domains/shops/shops/shop-conf.server.ts', /sound\(conf\.welcomeAudioId\)/],
  leaveAudioId: ['domains/shops/shops/shop-conf.server.ts', /sound\(conf\.leaveAudioId\)/],
  payTypes: ['domains/sales/orders/place-order.ts', /conf\?\.payTypes/],
  vipEnabled: ['domains/sales/customers/prices.ts', /c\.vip_enabled = false/],
  deliveryEnabled: ['domains/sales/orders/place-order.ts', /conf\?\.deliveryEnabled/],
  pointsPerYuan: ['domains/sales/orders/place-order.ts', /conf\?\.pointsPerYuan/],
  pointsForYuan: ['domains/sales/marketing/offers.ts', /conf\?\.pointsForYuan/],
  pointsShare: ['domains/sales/marketing/offers.ts', /conf\?\.pointsShare/],
  lowStockThreshold: ['domains/catalogue/products/goods.server.ts', /\?\.lowStockThreshold/],
  expiryWarnDays: ['domains/catalogue/inventory/expiring.ts', /c\.expiry_warn_days/],
  membersOnly: ['domains/devices/door-access/entry.server.ts', /c\.members_only/],
  chargeConfirmedTag: ['domains/sales/point-of-sale/sale.ts', /c\.charge_confirmed_tag/],
  alertPhones: ['domains/shops/shop-events/notice.job.ts', /\(await findShopConf\(.*\)\)\?\.alertPhones/],
}

/** Returns the files that read a parameter by its declaration. */
function readersOf(name: string): string[] {
  const reads = new RegExp(`\\b(paramValue|paramNumber|readParamsInTransaction)\\([^)]*\\b${name}\\b`)
  return code.filter((file) => reads.test(read(file)))
}

describe('a setting', () => {
  test('of a shop is read by somebody, and none is offered that nobody reads', () => {
    const offered = Object.entries(shopConf.fields as Record<string, Field>).filter(
      ([key, field]) => (field.form ?? 'edit') === 'edit' && key !== 'remark',
    )
    expect(Object.keys(SHOP).sort()).toEqual(offered.map(([key]) => key).sort())
    for (const [key, [file, says]] of Object.entries(SHOP))
      expect([key, file, says.test(read(file))]).toEqual([key, file, true])
  })

  test('of the system is read by somebody, and none is offered that nobody reads', () => {
    const declared = code.flatMap((file) =>
      [...read(file).matchAll(/export const (\w+) = defineSystemParam\(\{\s*key: '([\w.]+)'/g)].map(
        ([, name, key]) => ({
          name: name!,
          key: key!,
        }),
      ),
    )
    // Retention periods are read where modules declare the rows they apply to (retention.test.ts).
    const days = new Set(productModules.flatMap((module) => module.retention ?? []).map(({ param }) => param.key))
    const others = productModules.flatMap((module) => module.params ?? []).filter(({ key }) => !days.has(key))
    expect(
      declared
        .map(({ key }) => key)
        .filter((key) => !days.has(key))
        .sort(),
    ).toEqual(others.map(({ key }) => key).sort())
    expect(
      declared
        .filter(({ key }) => !days.has(key))
        .filter(({ name }) => !readersOf(name).length)
        .map(({ key }) => key),
    ).toEqual([])
  })
})
