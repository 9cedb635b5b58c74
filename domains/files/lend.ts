import { Refused } from '#kit/server/refused.ts'
import { route } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { sendFile } from './file.server.ts'
import { oss } from './oss.resource.ts'
import { sealPrefix, secretsOf } from './secrets.ts'
import { fileByKey } from './stored-file.ts'

const lentPath = `${oss.path}/endpoint/lent/`

/**
 * The whole address of a file for somebody without a session, such as a device, worth so many seconds: sealed with the
 * installation's key, it can be neither made nor prolonged by others.
 */
export function lendFile(services: Services, key: string, seconds: number): string {
  const lent = JSON.stringify({ lent: key, until: services.now().getTime() + seconds * 1000 })
  return `${services.config.publicUrl}${lentPath}${secretsOf(services).seal(lent).slice(sealPrefix.length)}`
}

function lentBy(services: Services, token: string): string | undefined {
  try {
    const { lent, until } = JSON.parse(secretsOf(services).open(`${sealPrefix}${token}`))
    return typeof lent === 'string' && until > services.now().getTime() ? lent : undefined
  } catch {
    return undefined
  }
}

export const lentRoute = route({
  method: 'GET',
  path: `${lentPath}*`,
  title: { zh: '设备下载文件', en: 'A device loads a file' },
  can: { open: 'the address is sealed by the server and worth a short time' },
  tx: false,
  perMinute: 600,
  handle: async (call) => {
    const key = lentBy(call.services, call.query['*'] ?? '')
    const file = key && (await fileByKey(call.services, key))
    if (!file) throw new Refused('ticket_spent')
    return sendFile(call, file, 'no-store')
  },
})
