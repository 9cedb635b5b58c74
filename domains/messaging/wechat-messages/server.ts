import './refusals.ts'
import { maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { defineModule, serve } from '#kit/server/module/module.ts'
import { wechatMessageCall } from './messages.ts'
import { wechatTokenTable } from './token-table.ts'
import { deleteWechatAccessToken } from './tokens.ts'
import { wechatAppDictionaries, wechatApp } from './wechat-app.resource.ts'
import { wechatMessageStateDictionary, wechatMessage } from './wechat-message.resource.ts'

const appServer = serve(wechatApp, {
  beforeSave: (draft, was, call) => prepareProviderDraft(wechatApp, draft, was, call),
  afterSave: async (row, was, { db }) => {
    const isOther = (['appid', 'secretKey', 'endpoint'] as const).some((key) => was && row[key] !== was[key])
    if (isOther) await deleteWechatAccessToken(db, row.id)
  },
  afterRemove: async (rows, { db }) => {
    for (const { id } of rows) await deleteWechatAccessToken(db, id)
  },
  present: (wire) => maskProviderSecrets(wire),
})

/** Joins the stored values (JSON by field) into one line; returns other content unchanged. */
function readOf(content: string): string {
  try {
    return Object.values(JSON.parse(content) as Record<string, string>).join(' · ')
  } catch {
    return content
  }
}

const messageServer = serve(wechatMessage, {
  without: ['submit', 'remove'],
  present: (wire, rows, { lang }) => {
    translateSystemTextField(wire, 'failReason', lang)
    // Shows only the values the recipient read, without the template's field names.
    rows.forEach((row, at) => (wire[at]!.content = readOf(row.content ?? '')))
  },
})

export default defineModule({
  name: 'messaging/wechat-messages',
  label: { zh: '微信消息', en: 'WeChat messages' },
  resources: [appServer, messageServer],
  tables: [wechatTokenTable],
  jobs: wechatMessageCall.jobs,
  dictionaries: [...wechatAppDictionaries, wechatMessageStateDictionary],
  retention: [
    {
      table: 'wechat_message',
      param: defineRetentionParam(
        'wechatMessageDays',
        365,
        { zh: '微信消息保留天数', en: 'WeChat message retention (days)' },
        30,
      ),
    },
  ],
})
