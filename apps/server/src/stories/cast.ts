/** Someone of the demo story who may sign in; the password is the account's name. */
export type Actor = {
  tenantId: string
  account: string
  name: string
  role: 'admin' | 'boss' | 'clerk'
  shops: readonly string[]
  who: string
  phone: string
}

export const storyTenants = [
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

/** Tests, screenshots and demonstrations use this cast. */
export const storyCast: readonly Actor[] = [
  {
    tenantId: '100001',
    account: 'wu',
    name: '吴敏',
    role: 'admin',
    shops: [],
    who: '小满便利 租户管理员 tenant administrator',
    phone: '13857100001',
  },
  {
    tenantId: '100001',
    account: 'lin',
    name: '林晓',
    role: 'boss',
    shops: ['S001', 'S002', 'S003'],
    who: '小满便利 店主（3家店） boss of three shops',
    phone: '13857100002',
  },
  {
    tenantId: '100001',
    account: 'chen',
    name: '陈立',
    role: 'boss',
    shops: ['S004', 'S005'],
    who: '小满便利 店主（2家店） boss of two shops',
    phone: '13857100003',
  },
  {
    tenantId: '100001',
    account: 'zhou',
    name: '周倩',
    role: 'clerk',
    shops: ['S001'],
    who: '小满便利 店员（西溪湿地店） clerk',
    phone: '13857100004',
  },
  {
    tenantId: '100001',
    account: 'xu',
    name: '徐航',
    role: 'clerk',
    shops: ['S004', 'S005'],
    who: '小满便利 店员（两家店） clerk',
    phone: '13857100005',
  },
  {
    tenantId: '100002',
    account: 'tang',
    name: '唐悦',
    role: 'admin',
    shops: [],
    who: '夜猫优选 租户管理员 tenant administrator',
    phone: '13857200001',
  },
  {
    tenantId: '100002',
    account: 'qiao',
    name: '乔北',
    role: 'boss',
    shops: ['N01', 'N02', 'N03'],
    who: '夜猫优选 店主 boss',
    phone: '13857200002',
  },
  {
    tenantId: '100002',
    account: 'he',
    name: '何苗',
    role: 'clerk',
    shops: ['N01'],
    who: '夜猫优选 店员 clerk',
    phone: '13857200003',
  },
]

/** What the end of a start prints. */
export const storySignIns = [
  { tenantId: '000000', account: 'admin', password: 'admin', who: '平台管理员 platform administrator' },
  ...storyCast.map(({ tenantId, account, who }) => ({ tenantId, account, password: account, who })),
]
