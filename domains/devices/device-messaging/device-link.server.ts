import type { RowOf } from '#kit/resource/index.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { newSecret } from '#kit/server/security/index.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { deleteDeviceKey, isClientIdOfOtherTenant, saveDeviceKey } from './device-key.ts'
import { deviceLink } from './device-link.resource.ts'
import { deviceTopicGrant, deviceTopicPrefix } from './topics.ts'

type Hand = Pick<Call, 'db' | 'services'>
type Line = { id: string; clientId: string | null }

/** Lets a device sign in at the broker with this secret. The previous one stays valid for a day. */
export async function grantDeviceAccess({ db, services }: Hand, { id, clientId }: Line, secret: string): Promise<void> {
  await saveDeviceKey(db, id, secret)
  const row = await db.update(deviceLink, id, { keyIssuedTime: formatShanghaiTime(services.now()) })
  publishRowsChanged({ db }, deviceLink, [row])
  // An external broker is sent the credentials; the built-in one asks this server.
  if (await isClientIdOfOtherTenant(db, clientId!)) return
  db.afterCommit(() => services.link?.access.grant(clientId!, secret, deviceTopicGrant(db.tenantId, clientId!)))
}

/** Revokes a device's secret and disconnects it. Its link may have been deleted already. */
export async function revokeDeviceAccess({ db, services }: Hand, { id, clientId }: Line): Promise<void> {
  await deleteDeviceKey(db, id)
  if (await db.get(deviceLink, id))
    publishRowsChanged({ db }, deviceLink, [await db.update(deviceLink, id, { keyIssuedTime: null })])
  // The broker knows sessions only by number: when another tenant's device owns it, that session stays.
  if (!clientId || (await isClientIdOfOtherTenant(db, clientId))) return
  db.afterCommit(() => services.link?.access.revoke(clientId))
}

async function issue(link: RowOf<typeof deviceLink>, call: Call) {
  const { tenantId } = call.db
  const secret = newSecret()
  await grantDeviceAccess(call, link, secret)
  return { id: link.id, clientId: link.clientId, tenantId, topic: deviceTopicPrefix(tenantId, link.clientId!), secret }
}

type Revoked = (line: RowOf<typeof deviceLink>, call: Call) => Promise<void>
const revoked: Revoked[] = []
/** Registers a handler that revokes other credentials of a device together with its secret. */
export const onDeviceLinkRevoked = (also: Revoked): void => void revoked.push(also)

async function revoke(link: RowOf<typeof deviceLink>, call: Call): Promise<void> {
  await revokeDeviceAccess(call, link)
  for (const also of revoked) await also(link, call)
}

export const deviceLinkServer = serve(deviceLink, {
  without: ['submit', 'remove'],
  actions: { issue: (row, _input, call) => issue(row, call), revoke: (row, _input, call) => revoke(row, call) },
})
