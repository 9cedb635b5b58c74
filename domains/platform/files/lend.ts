import { binarySchema } from '#kit/server/request/answer-shape.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineRoute } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { replyWithStoredFile } from './file.server.ts'
import { oss } from './oss.resource.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from './sealed-address.ts'
import { findFileByKey } from './stored-file.ts'

const lentPath = `${oss.path}/endpoint/lent/`

const LENT = 'lent'

/** Returns a full URL of a file for clients without a session, such as devices, valid for `seconds`. */
export const createTemporaryFileUrl = (services: Services, key: string, seconds: number): string =>
  `${services.config.publicUrl}${lentPath}${createEncryptedUrlPart(services, LENT, { key }, seconds)}`

export const temporaryFileRoute = defineRoute({
  method: 'GET',
  path: `${lentPath}*`,
  answers: binarySchema,
  answersAs: { type: '*/*' },
  title: { zh: '设备下载文件', en: 'Device file download' },
  can: { open: 'the address is sealed by the server and worth a short time' },
  tx: false,
  perMinute: 600,
  handle: async (call) => {
    const lent = readEncryptedUrlPart<{ key: string }>(call.services, LENT, call.query['*'] ?? '')
    const file = lent && (await findFileByKey(call.services, lent.key))
    if (!file) throw new Refused('ticket_spent')
    return replyWithStoredFile(call, file, 'no-store')
  },
})
