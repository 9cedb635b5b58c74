import { sql, type Db } from '#kit/server/database/db.ts'
import { dictBiz } from './dict.resource.ts'
import { tenantPackage } from './tenant.resource.ts'

const WORDS = [
  {
    code: 'refund_reason',
    zh: '退款原因',
    en: 'Why refunded',
    entries: [
      ['商品过期', 'Out of date'],
      ['包装破损', 'Damaged package'],
      ['重复扣款', 'Charged twice'],
      ['价签不符', 'Price tag differs'],
      ['顾客改变主意', 'Changed mind'],
    ],
  },
  {
    code: 'loss_reason',
    zh: '报损原因',
    en: 'Why written off',
    entries: [
      ['过期', 'Expired'],
      ['破损', 'Broken'],
      ['失窃', 'Stolen'],
      ['试吃', 'Tasting'],
    ],
  },
] as const

/** Seeds business dictionaries of a demo tenant's trade. */
export async function seedBusinessDictionaries(db: Db): Promise<void> {
  for (const [order, { code, zh, en, entries }] of WORDS.entries()) {
    const root = await db.insert(dictBiz, {
      parentId: '0',
      code,
      dictKey: '-1',
      dictValue: zh,
      dictValueEn: en,
      sort: order + 1,
      isSealed: 0,
    })
    for (const [index, [dictValue, dictValueEn]] of entries.entries()) {
      await db.insert(dictBiz, {
        parentId: root.id,
        code,
        dictKey: String(index + 1),
        dictValue,
        dictValueEn,
        sort: index + 1,
        isSealed: 0,
      })
    }
  }
}

/** Menus in every package: desk, work, files, users, roles, departments and dictionaries. */
const OWN = ['desk', 'work', 'resource', 'role', 'user', 'dept', 'post', 'dictbiz', 'ownField']
const TRADE = [...OWN, 'shop', 'goods', 'order', 'member', 'device', 'statistics']
const PACKAGES = [
  { packageName: '单店版', remark: '一家店：商品、订单、会员和设备', groups: TRADE },
  {
    packageName: '连锁版',
    remark: '多家店：另有营销、采购、商户和两个外卖平台',
    groups: [...TRADE, 'marketing', 'supplier', 'merchant', 'ele', 'meituan'],
  },
  {
    packageName: '旗舰版',
    remark: '全部业务菜单与智能任务',
    groups: [
      ...TRADE,
      'marketing',
      'supplier',
      'merchant',
      'ele',
      'meituan',
      'ai',
      'guard',
      'flow',
      'monitor',
      'data_scope',
    ],
  },
] as const

/** Seeds the packages the platform sells. No demo tenant has one, so that they keep all menus. */
export async function seedTenantPackages(all: Db): Promise<void> {
  for (const { groups, ...named } of PACKAGES) {
    const rows = await all.query<{ id: string }>(sql`
      with recursive down as (
        select id from menu where code = any(${groups}) and is_deleted = 0
        union select m.id from menu m join down on m.parent_id = down.id where m.is_deleted = 0
      ) select id::text from down order by id`)
    await all.insert(tenantPackage, { ...named, menuId: rows.map((row) => row.id) })
  }
}
