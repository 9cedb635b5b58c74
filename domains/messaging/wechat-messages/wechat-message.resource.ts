import { defineDict, defineResource, f } from '#kit/resource/index.ts'

export const WECHAT_MESSAGE_STATE = {
  asked: 'asked',
  sending: 'sending',
  sent: 'sent',
  refused: 'refused',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
} as const
export type WechatMessageState = keyof typeof WECHAT_MESSAGE_STATE

export const wechatMessageStateDictionary = defineDict({
  code: 'wechat_message_state',
  label: { zh: '微信消息状态', en: 'WeChat message status' },
  entries: [
    { key: WECHAT_MESSAGE_STATE.asked, zh: '待发送', en: 'Queued', colour: 'default' },
    { key: WECHAT_MESSAGE_STATE.sending, zh: '发送中', en: 'Sending', colour: 'processing' },
    { key: WECHAT_MESSAGE_STATE.sent, zh: '已发送', en: 'Sent', colour: 'success' },
    { key: WECHAT_MESSAGE_STATE.refused, zh: '对方未授权', en: 'Not authorized by recipient', colour: 'warning' },
    { key: WECHAT_MESSAGE_STATE.failed, zh: '发送失败', en: 'Failed', colour: 'error' },
    { key: WECHAT_MESSAGE_STATE.unconfirmed, zh: '已提交，未确认', en: 'Awaiting confirmation', colour: 'warning' },
  ],
})

/** Log of every requested message and its result. */
export const wechatMessage = defineResource({
  name: 'wechatMessage',
  path: '/api/wechat/wechatMessage',
  label: { zh: '微信消息', en: 'WeChat message' },
  tenancy: 'tenant',
  writer: 'system',
  retentionDays: 30,
  menu: { under: 'resource', path: '/resource/wechatMessage', icon: 'history', sort: 10 },
  title: 'openid',
  fields: {
    wechatAppId: f.ref('wechatApp', {
      onRemoval: 'keep',
      label: { zh: '微信应用', en: 'WeChat app' },
      labelKey: 'wechatAppName',
      search: 'eq',
      width: 140,
    }),
    openid: f.text({ label: { zh: 'OpenID', en: 'OpenID' }, max: 64, search: 'eq', width: 220 }),
    templateNo: f.text({ label: { zh: '模板编号', en: 'Template ID' }, max: 64, search: 'eq', width: 220 }),
    target: f.text({ label: { zh: '点开后进入', en: 'Opens' }, max: 255, width: 160 }),
    content: f.longText({ label: { zh: '内容', en: 'Content' }, max: 4000, width: 260 }),
    state: f.dict('wechat_message_state', { label: { zh: '状态', en: 'Status' }, search: 'in', width: 130 }),
    failReason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 500, width: 240 }),
    answerCode: f.text({ label: { zh: '返回码', en: 'Return code' }, max: 40, search: 'eq', width: 90 }),
    answer: f.text({ label: { zh: '返回信息', en: 'Return message' }, max: 500, width: 200 }),
    messageNo: f.text({ label: { zh: '消息编号', en: 'Message ID' }, max: 64, search: 'eq', width: 160 }),
    attempts: f.number({ label: { zh: '尝试次数', en: 'Attempts' }, width: 90 }),
    firstTime: f.datetime({ label: { zh: '首次发送', en: 'First sent' }, form: 'hidden', detail: false }),
    leaseUntil: f.datetime({ label: { zh: '占用至', en: 'Locked until' }, form: 'hidden', detail: false }),
    sentTime: f.datetime({ label: { zh: '发送时间', en: 'Sent' }, search: 'range', width: 160 }),
  },
  list: {
    columns: ['createTime', 'wechatAppId', 'content', 'state', 'failReason', 'sentTime', 'openid', 'answerCode'],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: 'content', sub: ['wechatAppId'] },
})
