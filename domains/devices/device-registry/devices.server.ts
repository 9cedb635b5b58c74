import { createHash } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import {
  emptyObjectSchema,
  objectSchema,
  oneOfSchema,
  textSchema,
  integerSchema,
  booleanSchema,
  type ResponseTypeOf,
} from '#kit/resource/response-schema.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { registerDeviceInstaller, registerDeviceRemover } from '#domains/shops/work-orders/api.ts'
import { findTenantFileByLink, fileKeyOfLink, openStoredFile } from '#domains/platform/files/api.ts'
import { resolveEvents } from '#domains/shops/shop-events/api.ts'
import { deviceInfo } from './device-info.resource.ts'
import { cashRegisterPic } from './screens.resource.ts'
import { cashRegisterClientVersion, clientVersion, VERSION_STATE } from './versions.resource.ts'

export const deviceInfoServer = serve(deviceInfo)

// Adds the devices of an installation to the shop. A known device moves there, but is refused while it is in a shop
// outside the caller's scope (`shops`).
registerDeviceInstaller(async (db, { shopId, devices, day, shops }) => {
  const ids = new Map<string, string>()
  for (const line of devices) {
    const [was] = await db.find(deviceInfo, sql`sn = ${line.sn}`)
    if (was && shops && !shops.includes(was.shopId)) throw new Refused('device_of_somebody_else', { sn: line.sn })
    const row = was
      ? await db.update(deviceInfo, was.id, {
          shopId,
          installTime: day,
          ...(line.position ? { position: line.position } : {}),
        })
      : await db.insert(deviceInfo, {
          shopId,
          position: line.position,
          installTime: day,
          name: `${line.position ?? ''}${line.sn}`.slice(0, 50),
          type: line.deviceType,
          sn: line.sn,
          online: false,
        })
    ids.set(line.id, row.id)
    publishRowsChanged({ db }, deviceInfo, [row])
  }
  return ids
})

// Removes the devices a finished order dismantled, unless they have been moved to another shop since.
registerDeviceRemover(async (db, { shopId, devices }) => {
  const found = await db.find(
    deviceInfo,
    sql`r.shop_id = ${shopId} and r.sn = any(${devices.map(({ sn }) => sn)})`,
    sql`order by r.id`,
  )
  if (!found.length) return
  await db.remove(
    deviceInfo,
    found.map(({ id }) => id),
  )
  for (const { id } of found) await resolveEvents(db, { shopId, type: 'offline', deviceId: id })
  publishRowsChanged({ db }, deviceInfo, found)
})

export const cashRegisterPicServer = serve(cashRegisterPic, {
  beforeSave: (draft, was) => {
    const [start, end] = [
      draft.startTime === undefined ? was?.startTime : draft.startTime,
      draft.endTime === undefined ? was?.endTime : draft.endTime,
    ]
    if (start && end && end < start) throw invalidFieldRefusal(cashRegisterPic, 'endTime', 'too_small', { min: start })
  },
})

type Versions = typeof cashRegisterClientVersion | typeof clientVersion

const versionHooks = (resource: Versions) => ({
  // A published version is frozen, as devices may have installed it. Only the rollout share and the notes may change.
  beforeSave: async (draft: Record<string, unknown>, was: Record<string, unknown> | undefined, call: Call) => {
    if (was?.status !== VERSION_STATE.published) return measure(resource, draft, was, call)
    const changed = Object.keys(draft).find(
      (key) => key !== 'rollout' && key !== 'notes' && JSON.stringify(draft[key]) !== JSON.stringify(was[key]),
    )
    if (changed) throw new Refused('version_is_published', { version: was.versionName })
  },
  beforeRemove: (rows: readonly { status: number | null; versionName: string | null }[]) => {
    const published = rows.find((row) => row.status === VERSION_STATE.published)
    if (published) throw new Refused('version_is_published', { version: published.versionName })
  },
  actions: {
    publish: async (row: { id: string }, _input: unknown, call: Call) => {
      await requireTransition(call, resource as typeof clientVersion, row.id, 'publish')
    },
    revoke: async (row: { id: string }, _input: unknown, call: Call) => {
      await requireTransition(call, resource as typeof clientVersion, row.id, 'revoke')
    },
  },
})

/** Computes size and checksums of an uploaded package. A package stored elsewhere needs an MD5 entered by hand. */
async function measure(
  resource: Versions,
  draft: Record<string, unknown>,
  was: Record<string, unknown> | undefined,
  { services, db }: Call,
): Promise<void> {
  const url = (draft.url ?? was?.url) as string
  const key = fileKeyOfLink(url)
  if (!key) {
    if (url !== was?.url) draft.sha256 = null
    if (!(draft.md5 === undefined ? was?.md5 : draft.md5))
      throw invalidFieldRefusal(resource as typeof clientVersion, 'md5', 'required')
    return
  }
  if (url === was?.url && was.sha256) return
  const file = await findTenantFileByLink(services, db.tenantId, url)
  const found = file && (await openStoredFile(services, file))
  if (!found) throw invalidFieldRefusal(resource as typeof clientVersion, 'url', 'not_found')
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  let size = 0
  for await (const bytes of found.stream as AsyncIterable<Buffer>) {
    size += bytes.length
    md5.update(bytes)
    sha256.update(bytes)
  }
  Object.assign(draft, { size, md5: md5.digest('hex'), sha256: sha256.digest('hex') })
}

export const cashRegisterClientVersionServer = serve(cashRegisterClientVersion, versionHooks(cashRegisterClientVersion))
export const clientVersionServer = serve(clientVersion, versionHooks(clientVersion))

/** A number from 0 to 99.99 that a device keeps for a version: the same device always gets the same answer. */
function shareOf(sn: string, versionCode: number): number {
  let hash = 2_166_136_261
  for (const sign of `${sn}/${versionCode}`) hash = Math.imul(hash ^ sign.codePointAt(0)!, 16_777_619)
  return ((hash >>> 0) % 10_000) / 100
}

const version = objectSchema({
  versionName: textSchema,
  versionCode: integerSchema,
  url: textSchema,
  md5: textSchema,
  size: integerSchema,
  force: booleanSchema,
  notes: textSchema,
})

/** The newest published version that a register's rollout share allows; undefined when there is none. */
async function versionFor(db: Db, sn: string): Promise<ResponseTypeOf<typeof version> | undefined> {
  const rows = await db.find(
    cashRegisterClientVersion,
    sql`status = ${VERSION_STATE.published}`,
    sql`order by version_code desc limit 50`,
  )
  const found = rows.find((row) => shareOf(sn, row.versionCode) < row.rollout)
  return (
    found && {
      versionName: found.versionName,
      versionCode: found.versionCode,
      url: found.url,
      md5: found.md5 ?? '',
      size: found.size ?? 0,
      force: found.force === true,
      notes: found.notes ?? '',
    }
  )
}

export const programVersionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/terminal/version',
    answers: oneOfSchema(version, emptyObjectSchema),
    title: { zh: '查询版本', en: 'Check for version' },
    can: { terminal: 'registers sign in with credentials of their own (Authorization: Basic sn:secret)' },
    handle: async ({ db, caller }) => (await versionFor(db, caller.account)) ?? {},
  }),
]
