import { serve } from '#kit/server/module.ts'
import { masked } from '#kit/server/security/index.ts'
import { maskSecrets, settleProvider } from '#domains/platform/files/api.ts'
import { carryLater, pushLater } from './push-later.ts'
import { tagAccount } from './tag-account.resource.ts'

const KEYS = ['endpoint', 'user', 'secretKey', 'storeNo', 'enabled'] as const

export const tagAccountServer = serve(tagAccount, {
  beforeSave: (draft, was, call) => {
    settleProvider(tagAccount, draft, was, call)
    if (!KEYS.some((key) => draft[key] !== undefined && draft[key] !== was?.[key])) return
    // Another name, key or place: what is known of the old one means nothing.
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
    await pushLater(db, services.now())
    await carryLater(db, row.id)
  },
  present: (wire, rows) => {
    maskSecrets(wire)
    rows.forEach((row, at) => (wire[at]!.secretKey = row.secretKey ? masked : ''))
  },
})
