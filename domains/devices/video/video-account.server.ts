import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { maskProviderSecrets, requirePublicEndpoint, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import './refusals.ts'
import { videoSyncQueue } from './sync.job.ts'
import { videoAccount } from './video-account.resource.ts'

const SECRETS = ['secretKey', 'apiKey'] as const

/** A change of one of these resets `cameras`, which is only set after a successful sign-in. */
const SIGN_IN = ['endpoint', 'username', ...SECRETS] as const

const PLACES = ['mediaBase', 'rtspBase'] as const

/**
 * Checks the addresses for reading streams and sending sound. Tenants may only enter public ones, and none while the
 * account may reach private addresses: what is read there is shown to viewers.
 */
function requirePlaces(draft: PatchOf<typeof videoAccount>, was: RowOf<typeof videoAccount> | undefined, call: Call) {
  for (const key of PLACES) {
    const place = draft[key]
    if (call.caller.isPlatform || !place || place === was?.[key]) continue
    // The check only knows HTTP, but hosts are written alike in every scheme.
    requirePublicEndpoint(call.caller, videoAccount, place.replace(/^rtsp:/, 'http:'), key)
    if (draft.mayBeInside ?? was?.mayBeInside)
      throw new Refused('video_place_of_platform', { label: videoAccount.fields[key].label }, { field: key })
  }
}

export const videoAccountServer = serve(videoAccount, {
  beforeSave: (draft, was, call) => {
    prepareProviderDraft(videoAccount, draft, was, call, SECRETS)
    requirePlaces(draft, was, call)
    const value = <K extends 'username' | 'secretKey' | 'apiKey'>(key: K) =>
      draft[key] === undefined ? was?.[key] : draft[key]
    if (!value('apiKey') && !(value('username') && value('secretKey'))) throw new Refused('video_credentials_missing')
    if (was && SIGN_IN.some((key) => draft[key] !== undefined && draft[key] !== was[key])) draft.cameras = null
  },
  // Synchronises the cameras at once instead of within the next minute.
  afterSave: async (row, _was, { db }) => {
    if (row.enabled !== false) await db.enqueue(videoSyncQueue, { id: row.id }, { key: row.id })
  },
  present: (wire, _rows, { lang }) => {
    maskProviderSecrets(wire, SECRETS)
    translateSystemTextField(wire, 'failReason', lang)
  },
  actions: {
    sync: async (row, _input, { db }) => {
      await db.enqueue(videoSyncQueue, { id: row.id }, { key: row.id })
    },
  },
})
