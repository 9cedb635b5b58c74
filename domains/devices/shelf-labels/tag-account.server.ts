import { serve } from '#kit/server/module/module.ts'
import { SECRET_MASK } from '#kit/server/base/mask.ts'
import { maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { enqueueTagProviderPush, enqueueTagPush } from './push-later.ts'
import { tagAccount } from './tag-account.resource.ts'

const KEYS = ['endpoint', 'user', 'secretKey', 'storeNo', 'enabled'] as const

export const tagAccountServer = serve(tagAccount, {
  beforeSave: (draft, was, call) => {
    prepareProviderDraft(tagAccount, draft, was, call)
    if (!KEYS.some((key) => draft[key] !== undefined && draft[key] !== was?.[key])) return
    // New credentials or another address: forgets what is known about the old ones.
    Object.assign(draft, {
      accessToken: null,
      state: 'unknown',
      stateMessage: null,
      restUntil: null,
      silences: 0,
      wellSince: null,
    })
  },
  afterSave: async (row, _was, { db, services }) => {
    if (!row.enabled) return
    await enqueueTagPush(db, services.now())
    await enqueueTagProviderPush(db, row.id)
  },
  present: (wire, rows) => {
    maskProviderSecrets(wire)
    rows.forEach((row, at) => (wire[at]!.secretKey = row.secretKey ? SECRET_MASK : ''))
  },
})
