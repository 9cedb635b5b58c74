import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { LocalizedText } from '#kit/resource/index.ts'

/** A user of the demo data. The password is the account's name. */
type Actor = {
  tenantId: string
  account: string
  name: string
  role: 'admin' | 'boss' | 'clerk'
  shops: readonly string[]
  who: LocalizedText
  phone: string
}

export const demoTenants = [
  {
    tenantId: '100001',
    tenantName: '小满便利',
    linkman: '吴敏',
    contactNumber: '13857100001',
    address: '杭州市西湖区文二西路808号',
  },
  {
    tenantId: '100002',
    tenantName: '夜猫优选',
    linkman: '唐悦',
    contactNumber: '13857200001',
    address: '杭州市钱塘区学源街258号',
  },
] as const

/** The users of the demo data's tenants, also used by tests, screenshots and demonstrations. */
export const demoUsers: readonly Actor[] = [
  {
    tenantId: '100001',
    account: 'wu',
    name: '吴敏',
    role: 'admin',
    shops: [],
    who: { zh: '小满便利 租户管理员', en: 'tenant administrator' },
    phone: '13857100001',
  },
  {
    tenantId: '100001',
    account: 'lin',
    name: '林晓',
    role: 'boss',
    shops: ['S001', 'S002', 'S003'],
    who: { zh: '小满便利 店主（3家店）', en: 'boss of three shops' },
    phone: '13857100002',
  },
  {
    tenantId: '100001',
    account: 'chen',
    name: '陈立',
    role: 'boss',
    shops: ['S004', 'S005'],
    who: { zh: '小满便利 店主（2家店）', en: 'boss of two shops' },
    phone: '13857100003',
  },
  {
    tenantId: '100001',
    account: 'zhou',
    name: '周倩',
    role: 'clerk',
    shops: ['S001'],
    who: { zh: '小满便利 店员（西溪湿地店）', en: 'clerk' },
    phone: '13857100004',
  },
  {
    tenantId: '100001',
    account: 'xu',
    name: '徐航',
    role: 'clerk',
    shops: ['S004', 'S005'],
    who: { zh: '小满便利 店员（两家店）', en: 'clerk' },
    phone: '13857100005',
  },
  {
    tenantId: '100002',
    account: 'tang',
    name: '唐悦',
    role: 'admin',
    shops: [],
    who: { zh: '夜猫优选 租户管理员', en: 'tenant administrator' },
    phone: '13857200001',
  },
  {
    tenantId: '100002',
    account: 'qiao',
    name: '乔北',
    role: 'boss',
    shops: ['N01', 'N02', 'N03'],
    who: { zh: '夜猫优选 店主', en: 'boss' },
    phone: '13857200002',
  },
  {
    tenantId: '100002',
    account: 'he',
    name: '何苗',
    role: 'clerk',
    shops: ['N01'],
    who: { zh: '夜猫优选 店员', en: 'clerk' },
    phone: '13857200003',
  },
]

/** The accounts that the end of a start prints. */
export const demoSignIns = [
  {
    tenantId: MANAGEMENT_TENANT,
    account: 'admin',
    name: '管理员',
    password: 'admin',
    who: { zh: '平台管理员', en: 'platform administrator' },
  },
  ...demoUsers.map(({ tenantId, account, name, who }) => ({ tenantId, account, name, password: account, who })),
]
