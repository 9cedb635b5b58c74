import type { RowOf } from '#kit/resource/index.ts'
import { serve, type Call } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { newSecret } from '#kit/server/security/index.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { dropDeviceKey, isHeldElsewhere, keepDeviceKey } from './device-key.ts'
import { deviceLink } from './device-link.resource.ts'
import { deviceTopicGrant, prefixOf } from './topics.ts'

type Hand = Pick<Call, 'db' | 'services'>
type Line = { id: string; clientId: string | null }

/** From now on a device may sign in at the broker with this secret; the one before stays valid for a day. */
export async function letIn({ db, services }: Hand, { id, clientId }: Line, secret: string): Promise<void> {
  await keepDeviceKey(db, id, secret)
  const row = await db.update(deviceLink, id, { keyIssuedTime: shanghaiText(services.now()) })
  publishChanged({ db }, deviceLink, [row])
  // A broker outside is told what it needs to let the device in; ours asks us.
  if (await isHeldElsewhere(db, clientId!)) return
  db.afterCommit(() => services.link?.access.grant(clientId!, secret, deviceTopicGrant(db.tenantId, clientId!)))
}

/** Cuts a device off; its line may be gone already. */
export async function cutOff({ db, services }: Hand, { id, clientId }: Line): Promise<void> {
  await dropDeviceKey(db, id)
  if (await db.get(deviceLink, id))
    publishChanged({ db }, deviceLink, [await db.update(deviceLink, id, { keyIssuedTime: null })])
  // The broker knows the session by its number: that of another tenant's device goes on.
  if (!clientId || (await isHeldElsewhere(db, clientId))) return
  db.afterCommit(() => services.link?.access.revoke(clientId))
}

async function issue(link: RowOf<typeof deviceLink>, call: Call) {
  const { tenantId } = call.db
  const secret = newSecret()
  await letIn(call, link, secret)
  return { id: link.id, clientId: link.clientId, tenantId, topic: prefixOf(tenantId, link.clientId!), secret }
}

type Revoked = (line: RowOf<typeof deviceLink>, call: Call) => Promise<void>
const revoked: Revoked[] = []
/** What else a device could sign in with, and may no more when its secrets are revoked. */
export const onLinkRevoked = (also: Revoked): void => void revoked.push(also)

async function revoke(link: RowOf<typeof deviceLink>, call: Call): Promise<void> {
  await cutOff(call, link)
  for (const also of revoked) await also(link, call)
}

export const deviceLinkServer = serve(deviceLink, {
  without: ['submit', 'remove'],
  actions: { issue: (row, _input, call) => issue(row, call), revoke: (row, _input, call) => revoke(row, call) },
})
