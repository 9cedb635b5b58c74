import { f } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { tenantSharedKey, type Json } from '#kit/server/shared/index.ts'
import { provinceAndCityOf } from '#kit/fields/region/region.ts'
import { refuseOnVendorError } from '#domains/platform/external-apis/api.ts'
import { findWechatAccount, createWechatPay, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { payApply } from './pay-apply.resource.ts'

const DAY_SECONDS = 86_400
const SHOWN_MAX = 50
const PAGES_MAX = 50

/**
 * A bank of WeChat Pay's list. `alias` is its usual name; `bank` is the name applications must use, a collective one
 * for small banks.
 */
type Bank = { alias: string; aliasCode: string; bank: string; needsBranch: boolean }
type Branch = { name: string; branchNo: string }
type BankRegion = { name: string; code: number }

type Kind = 'corporate' | 'personal'

const { bankAccountType, bankRegion } = payApply.fields
const keyword = f.text({ label: { zh: '关键字', en: 'Keyword' }, max: 50 })

/** Returns a list of WeChat Pay, cached for a day for each tenant; empty without a WeChat Pay account. */
async function listed<T extends Json>(call: Call, name: string, ask: (pay: WechatPay) => Promise<T[]>): Promise<T[]> {
  const { services, caller } = call
  const account = await services.unit({ tenantId: caller.tenantId }, (db) => findWechatAccount(services, db))
  if (!account) return []
  const key = tenantSharedKey(caller.tenantId, 'wechatpay/banks', account.mchid, name)
  const known = await services.shared.read(key)
  if (known) return known as T[]
  const found = await refuseOnVendorError(() => ask(createWechatPay(services, account)))
  await services.shared.put(key, found, DAY_SECONDS)
  return found
}

type BankListBody = Record<string, any>

async function allPages<T>(ask: (offset: number) => Promise<BankListBody>, of: (one: BankListBody) => T): Promise<T[]> {
  const found: T[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data = [], total_count } = await ask(found.length)
    found.push(...(data as BankListBody[]).map(of))
    if (!data.length || found.length >= Number(total_count)) break
  }
  return found
}

const bankOf = (one: BankListBody): Bank => ({
  alias: String(one.bank_alias),
  aliasCode: String(one.bank_alias_code),
  bank: String(one.account_bank),
  needsBranch: one.need_bank_branch === true,
})

const banksOf = (pay: WechatPay, kind: Kind): Promise<Bank[]> => allPages((offset) => pay.banks(kind, offset), bankOf)

/**
 * Returns the name WeChat Pay uses for a bank; small banks share a collective name. Unknown names are returned as
 * given.
 */
export async function findWechatBankName(
  pay: WechatPay,
  kind: string | null,
  name: string | null,
): Promise<string | null> {
  const all = name ? await banksOf(pay, kind === 'personal' ? 'personal' : 'corporate') : []
  return all.find(({ alias }) => alias === name)?.bank ?? name
}

const holding = <T>(all: readonly T[], words: string | null | undefined, of: (one: T) => string): T[] =>
  all.filter((one) => !words || of(one).includes(words.trim())).slice(0, SHOWN_MAX)

/** Returns WeChat Pay's code of the city a region belongs to, found by name, as its codes are not the official ones. */
async function cityCodeOf(call: Call, region: string): Promise<number | undefined> {
  const { province, city } = provinceAndCityOf(region)
  const named = await call.services.unit({ tenantId: call.caller.tenantId }, (db) =>
    db.query<{ code: string; name: string }>(
      sql`select code, name from region where code = any(${[province, city].filter(Boolean)}::text[])`,
    ),
  )
  const nameOf = (code: string | null) => named.find((one) => one.code === code)?.name ?? ''
  const provinces = await listed(call, 'provinces', async (pay) =>
    ((await pay.provinces()).data as BankListBody[]).map((one): BankRegion =>
      placeOf(one.province_name, one.province_code),
    ),
  )
  const inside = provinces.find((one) => isSamePlace(one.name, nameOf(province)))
  if (!inside) return undefined
  const cities = await listed(call, `cities/${inside.code}`, async (pay) =>
    ((await pay.cities(inside.code)).data as BankListBody[]).map((one): BankRegion =>
      placeOf(one.city_name, one.city_code),
    ),
  )
  // A municipality such as 上海 has a single city.
  return (cities.find((one) => isSamePlace(one.name, nameOf(city))) ?? (cities.length === 1 ? cities[0] : undefined))
    ?.code
}

const placeOf = (name: unknown, code: unknown): BankRegion => ({ name: String(name), code: Number(code) })
const SUFFIX = /(省|市|自治区|特别行政区|(壮族|回族|维吾尔)自治区)$/
const isSamePlace = (one: string, other: string) => !!other && one.replace(SUFFIX, '') === other.replace(SUFFIX, '')

export const bankRoutes = [
  defineRoute({
    method: 'GET',
    path: `${payApply.path}/banks`,
    title: { zh: '可结算的银行', en: 'Banks for settlement' },
    can: ['payApply_add', 'payApply_edit', 'settlementChange_add'],
    tx: false,
    input: { bankAccountType: { ...bankAccountType, required: true }, keyword },
    handle: async (call) => {
      const kind = call.input.bankAccountType === 'personal' ? 'personal' : 'corporate'
      const all = await listed(call, kind, (pay) => banksOf(pay, kind))
      return holding(all, call.input.keyword, ({ alias }) => alias)
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${payApply.path}/branches`,
    title: { zh: '银行的支行', en: 'Bank branches' },
    can: ['payApply_add', 'payApply_edit', 'settlementChange_add'],
    tx: false,
    input: {
      aliasCode: f.text({
        label: { zh: '银行编号', en: 'Bank ID' },
        required: true,
        pattern: '^\\d{1,20}$',
      }),
      bankRegion: { ...bankRegion, required: true },
      keyword,
    },
    handle: async (call) => {
      const { aliasCode, bankRegion: region } = call.input
      const city = await cityCodeOf(call, region)
      if (city === undefined) return []
      const all = await listed(call, `branches/${aliasCode}/${city}`, (pay) =>
        allPages(
          (offset) => pay.branches(aliasCode, city, offset),
          (one): Branch => ({ name: String(one.bank_branch_name), branchNo: String(one.bank_branch_id) }),
        ),
      )
      return holding(all, call.input.keyword, ({ name }) => name)
    },
  }),
]
