import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import { blackListServer } from './black-list.server.ts'
import { memberDictionaries } from './dictionaries.ts'
import { membersNightJob } from './members.job.ts'
import { mergeJob } from './merge.ts'
import { wxUserMergeServer } from './merge.server.ts'
import { annualFeeLogServer, rechargeConfServer, rechargeLogServer } from './money.server.ts'
import { annualFeeConfServer, vipDayServer, vipInfoServer, vipLevelServer, vipPriceServer } from './vip.server.ts'
import { memberParams } from './params.ts'

export default defineRoom({
  name: 'members',
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
    wxUserMergeServer,
  ],
  jobs: [mergeJob, membersNightJob],
  dictionaries: memberDictionaries,
  menus: [{ code: 'member', label: { zh: '会员', en: 'Members' }, path: '/member', icon: 'crown', sort: 40 }],
})
