import { binarySchema } from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { replyWithStoredFile } from './file.server.ts'
import { oss } from './oss.resource.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from './sealed-address.ts'
import { findFileByKey } from './stored-file.ts'

const temporaryFilePath = `${oss.path}/endpoint/lent/`

const URL_PURPOSE = 'lent'

/** Returns a full URL of a file for clients without a session, such as devices, valid for `seconds`. */
export const createTemporaryFileUrl = (services: Services, key: string, seconds: number): string =>
  `${services.config.publicUrl}${temporaryFilePath}${createEncryptedUrlPart(services, URL_PURPOSE, { key }, seconds)}`

export const temporaryFileRoute = defineRoute({
  method: 'GET',
  path: `${temporaryFilePath}*`,
  answers: binarySchema,
  answersAs: { type: '*/*' },
  title: { zh: '设备下载文件', en: 'Device file download' },
  can: { open: 'the address is sealed by the server and worth a short time' },
  tx: false,
  perMinute: 600,
  handle: async (call) => {
    const target = readEncryptedUrlPart<{ key: string }>(call.services, URL_PURPOSE, call.query['*'] ?? '')
    const file = target && (await findFileByKey(call.services, target.key))
    if (!file) throw new Refused('ticket_spent')
    return replyWithStoredFile(call, file, 'no-store')
  },
})
