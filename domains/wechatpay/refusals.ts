import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  pay_key_unreadable: { zh: '看不懂这个密钥，应为 PEM 格式', en: 'This key cannot be read: PEM is expected' },
  pay_apiv3_length: { zh: 'APIv3 密钥正好 32 个字符', en: 'An APIv3 key has exactly 32 characters' },
  pay_public_key_half: {
    zh: '公钥编号和公钥要一起填写',
    en: 'The public key and its number are given together',
  },
  pay_account_missing: {
    zh: '还没有启用的微信支付账号，请先在资源管理里填写',
    en: 'No WeChat Pay account is in use: enter one under resources first',
  },
  pay_unanswered: {
    zh: '已向微信支付提出，尚未确认，稍后会再查询',
    en: 'Asked of WeChat Pay and not confirmed yet: it will be asked about',
    status: 503,
  },
  pay_refused: { zh: '微信支付拒绝：{message}（{code}）', en: 'WeChat Pay refused: {message} ({code})' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
