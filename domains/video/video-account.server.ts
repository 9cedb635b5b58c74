import { maskSecrets, settleProvider } from '#domains/files/doors.ts'
import { Refused } from '#kit/server/refused.ts'
import { serve } from '#kit/server/room.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import './refusals.ts'
import { SYNC_QUEUE } from './sync.job.ts'
import { videoAccount } from './video-account.resource.ts'

const SECRETS = ['secretKey', 'apiKey'] as const

export const videoAccountServer = serve(videoAccount, {
  beforeSave: (draft, was, call) => {
    settleProvider(videoAccount, draft, was, call, SECRETS)
    const value = <K extends 'username' | 'secretKey' | 'apiKey'>(key: K) =>
      draft[key] === undefined ? was?.[key] : draft[key]
    if (!value('apiKey') && !(value('username') && value('secretKey'))) throw new Refused('video_credentials_missing')
  },
  // Its cameras come at once, not with the next minute.
  afterSave: async (row, _was, { db }) => {
    if (row.enabled !== false) await db.later(SYNC_QUEUE, { id: row.id }, { key: row.id, maxAttempts: 1 })
  },
  present: (wire, _rows, { lang }) => {
    maskSecrets(wire, SECRETS)
    presentSystemWords(wire, 'failReason', lang)
  },
  actions: {
    sync: async (row, _input, { db }) => {
      await db.later(SYNC_QUEUE, { id: row.id }, { key: row.id, maxAttempts: 1 })
    },
  },
})
