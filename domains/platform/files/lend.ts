import { bytes } from '#kit/server/request/answer-shape.ts'
import { Refused } from '#kit/server/refused.ts'
import { route } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { sendFile } from './file.server.ts'
import { oss } from './oss.resource.ts'
import { saidBy, sealedPart } from './sealed-address.ts'
import { fileByKey } from './stored-file.ts'

const lentPath = `${oss.path}/endpoint/lent/`

const LENT = 'lent'

/** The whole address of a file for somebody without a session, such as a device, worth so many seconds. */
export const lendFile = (services: Services, key: string, seconds: number): string =>
  `${services.config.publicUrl}${lentPath}${sealedPart(services, LENT, { key }, seconds)}`

export const lentRoute = route({
  method: 'GET',
  path: `${lentPath}*`,
  answers: bytes,
  answersAs: { type: '*/*' },
  title: { zh: '设备下载文件', en: 'Device file download' },
  can: { open: 'the address is sealed by the server and worth a short time' },
  tx: false,
  perMinute: 600,
  handle: async (call) => {
    const lent = saidBy<{ key: string }>(call.services, LENT, call.query['*'] ?? '')
    const file = lent && (await fileByKey(call.services, lent.key))
    if (!file) throw new Refused('ticket_spent')
    return sendFile(call, file, 'no-store')
  },
})
