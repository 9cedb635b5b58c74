import { periodStateField } from './time-state.ts'
import { wxUserIdField } from './wx-user.resource.ts'
import {
  defineResource,
  defineStates,
  f,
  remarkField,
  startTimeField,
  reasonField,
  objectSchema,
  rowIdSchema,
  textSchema,
} from '#kit/resource/index.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'

/**
 * A term of membership: who holds which level from when to when. A customer's level now is the highest of their running
 * terms.
 */
export const vipInfo = defineResource({
  name: 'vipInfo',
  path: '/api/shop/vipInfo',
  label: { zh: '会员', en: 'Member' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'member', path: '/member/vipInfo', icon: 'crown', sort: 10 },
  title: 'cardNo',
  remove: false,
  fields: {
    wxUserId: wxUserIdField({ required: true, form: 'add', width: 150 }),
    level: f.ref('vipLevel', {
      onRemoval: 'refuse',
      label: { zh: '等级', en: 'Tier' },
      labelKey: 'levelName',
      required: true,
      form: 'add',
      search: 'eq',
      width: 120,
    }),
    cardNo: f.text({
      label: { zh: '会员卡号', en: 'Member card no.' },
      max: 32,
      form: 'add',
      search: 'like',
      width: 150,
      help: { zh: '不填则自动编号', en: 'Leave blank to generate it automatically' },
    }),
    startTime: startTimeField({ form: 'add', help: { zh: '不填则从现在起', en: 'Leave blank to start now' } }),
    endTime: f.datetime({
      label: { zh: '到期时间', en: 'Valid until' },
      isEnd: true,
      required: true,
      form: 'add',
      search: 'range',
      width: 160,
    }),
    state: periodStateField(),
    status: f.dict('vip_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'hidden',
      default: 1,
      search: 'eq',
      width: 90,
    }),
    source: f.dict('vip_source', { label: { zh: '来源', en: 'Source' }, form: 'hidden', search: 'eq', width: 110 }),
    neededAmount: f.money({ label: { zh: '达标金额', en: 'Qualifying spend' }, form: 'hidden', detail: false }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '入会门店', en: 'Joined at' },
      labelKey: 'shopName',
      form: 'add',
      search: 'eq',
      width: 150,
    }),
    remark: remarkField(),
  },
  list: {
    columns: [
      'cardNo',
      'wxUserId',
      'level',
      'state',
      'status',
      'startTime',
      'endTime',
      'source',
      'shopId',
      'createTime',
    ],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['level', 'shopId', '…cardNo'], late: 'endTime' },
  unique: [['cardNo']],
  indexes: [['wxUserId', 'endTime'], ['level'], ['endTime']],
  states: defineStates({
    field: 'status',
    values: MEMBERSHIP_TERM_STATE,
    initial: ['valid'],
    moves: {
      cancel: { from: ['valid'], to: 'cancelled' },
      takeBack: { from: ['valid'], to: 'cancelled' },
      merge: { from: ['valid'], to: 'merged' },
    },
  }),
  actions: {
    renew: {
      on: 'row',
      label: { zh: '续期', en: 'Renew' },
      icon: 'calendar',
      enabled: { status: { eq: 1 } },
      input: {
        months: f.number({ label: { zh: '月数', en: 'Duration (months)' }, required: true, min: 1, max: 120 }),
        reason: reasonField({ required: true }),
      },
      answer: objectSchema({ id: rowIdSchema, endTime: textSchema }),
    },
    cancel: {
      on: 'row',
      label: { zh: '取消会员', en: 'Cancel membership' },
      confirm: {
        zh: '取消会员卡 {cardNo}？权益立即停止',
        en: 'Cancel membership {cardNo}? Its benefits end immediately.',
      },
      icon: 'stop',
      danger: true,
      input: { reason: reasonField({ required: true }) },
    },
  },
})
