import { defineRoom, serve } from '#kit/server/room.ts'
import { secretsOf } from '#domains/files/doors.ts'
import { thirdpartyDictionaries } from './dictionaries.ts'
import { thirdApi } from './third-api.resource.ts'

const thirdApiServer = serve(thirdApi, {
  beforeSave: (draft, was, call) => {
    if (draft.appSecret)
      Object.assign(draft, { appSecret: secretsOf(call.services).seal(draft.appSecret), hasSecret: true })
    // Never shown, so an empty one means unchanged.
    else if (was) delete draft.appSecret
  },
})

export default defineRoom({
  name: 'thirdparty',
  label: { zh: '开放平台', en: 'Outside platforms' },
  resources: [thirdApiServer],
  dictionaries: thirdpartyDictionaries,
})
