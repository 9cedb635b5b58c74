import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  pay_key_unreadable: {
    zh: '无法读取这个密钥，应为 PEM 格式',
    en: 'The key could not be read. It must be in PEM format.',
  },
  pay_apiv3_length: { zh: 'APIv3 密钥正好 32 个字符', en: 'An APIv3 key has exactly 32 characters' },
  pay_public_key_half: {
    zh: '公钥编号和公钥要一起填写',
    en: 'Enter the public key together with its ID',
  },
  pay_account_missing: {
    zh: '还没有启用的微信支付账号，请先在资源管理里填写',
    en: 'No active WeChat Pay account. Add one under “Integrations & storage” first.',
  },
  pay_unanswered: {
    zh: '已提交微信支付，还没确认，会自动查询',
    en: 'Submitted to WeChat Pay and awaiting confirmation. The status is checked automatically.',
    status: 503,
  },
  pay_refused: { zh: '微信支付拒绝：{message}（{code}）', en: 'WeChat Pay rejected the request: {message} ({code})' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
