import './refusals.ts'
import { maskSecrets, settleProvider } from '#domains/platform/files/api.ts'
import { keptDays } from '#kit/resource/index.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import { defineModule, serve } from '#kit/server/module.ts'
import { wechatMessageJob } from './messages.ts'
import { tokenTable } from './token-table.ts'
import { forgetToken } from './tokens.ts'
import { appDictionaries, wechatApp } from './wechat-app.resource.ts'
import { messageState, wechatMessage } from './wechat-message.resource.ts'

const appServer = serve(wechatApp, {
  beforeSave: (draft, was, call) => settleProvider(wechatApp, draft, was, call),
  afterSave: async (row, was, { db }) => {
    const isOther = (['appid', 'secretKey', 'endpoint'] as const).some((key) => was && row[key] !== was[key])
    if (isOther) await forgetToken(db, row.id)
  },
  afterRemove: async (rows, { db }) => {
    for (const { id } of rows) await forgetToken(db, id)
  },
  present: (wire) => maskSecrets(wire),
})

/** The values of a message one after the other. */
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
    presentSystemWords(wire, 'failReason', lang)
    // What somebody read, without the names of the fields it stood in.
    rows.forEach((row, at) => (wire[at]!.content = readOf(row.content ?? '')))
  },
})

export default defineModule({
  name: 'messaging/wechat-messages',
  label: { zh: '微信消息', en: 'WeChat messages' },
  resources: [appServer, messageServer],
  tables: [tokenTable],
  jobs: [wechatMessageJob],
  dictionaries: [...appDictionaries, messageState],
  retention: [
    {
      table: 'wechat_message',
      param: keptDays('wechatMessageDays', 365, { zh: '微信消息保留天数', en: 'WeChat message retention (days)' }, 30),
    },
  ],
})
