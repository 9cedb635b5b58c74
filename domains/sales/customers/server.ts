import './refusals.ts'
import './member-payables.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { accountDictionaries } from './account-dictionaries.ts'
import { balanceLogServer, integralLogServer } from './account-log.server.ts'
import { blackAppealServer } from './black-appeal.server.ts'
import { blackAppeal } from './black-appeal.resource.ts'
import { blackListServer } from './black-list.server.ts'
import { memberDictionaries } from './dictionaries.ts'
import { maintainMembershipsJob } from './members.job.ts'
import { repointMergedCustomerJob } from './merge.ts'
import { wxUserMergeServer } from './merge.server.ts'
import { annualFeeLogServer, rechargeConfServer, rechargeLogServer } from './money.server.ts'
import { annualFeeConfServer, vipDayServer, vipInfoServer, vipLevelServer, vipPriceServer } from './vip.server.ts'
import { memberParams } from './params.ts'
import { customerShopTable, wxUserServer } from './wx-user.server.ts'

export default defineModule({
  name: 'sales/customers',
  label: { zh: '会员', en: 'Members' },
  params: memberParams,
  resources: [
    vipInfoServer,
    vipLevelServer,
    annualFeeConfServer,
    vipPriceServer,
    vipDayServer,
    rechargeConfServer,
    rechargeLogServer,
    annualFeeLogServer,
    blackListServer,
    blackAppealServer,
    wxUserMergeServer,
    wxUserServer,
    balanceLogServer,
    integralLogServer,
  ],
  tables: [customerShopTable],
  jobs: [repointMergedCustomerJob, maintainMembershipsJob],
  todos: [
    defineTodo(blackAppeal, {
      key: 'appealsWaiting',
      label: { zh: '黑名单申诉待处理', en: 'Pending blocklist appeals' },
      icon: 'solution',
      tone: 'warn',
      can: 'blackAppeal_uphold',
      query: () => ({ status: '0' }),
      line: { title: 'statement', notes: ['shopId'], time: 'createTime' },
    }),
  ],
  dictionaries: [...memberDictionaries, ...accountDictionaries],
  menus: [{ code: 'member', label: { zh: '会员', en: 'Members' }, path: '/member', icon: 'crown', sort: 40 }],
})
