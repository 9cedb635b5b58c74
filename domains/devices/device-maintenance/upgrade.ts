import { type RowOf, f } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { cashRegisterClientVersion, clientVersion } from '#domains/devices/device-registry/index.ts'
import { findTenantFileByLink, fileKeyOfLink } from '#domains/platform/files/api.ts'
import {
  commandToWire,
  requestCommand,
  clientIdInputFields,
  defineCommand,
  requireDeviceLink,
  deviceCommandRefusal,
  findTenantOfDevice,
  type DeviceCommand,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'
import {
  isOtherTenant,
  operatorNameForTenant,
  requireTenantDeviceAccess,
  logOperationForTenant,
} from './across-tenants.ts'
import { loadPlatformKeys, type PlatformKeys } from './platform-key.ts'
import { createPackageDownloadUrl } from './program-file.ts'

const DAY_MS = 86_400_000
const PUBLISHED = 1
/** A device runs at most one upgrade at a time, whoever requested it. */
export const UPGRADE_LANE = 'upgrade'

type Params = {
  module: string
  version: string
  versionCode: number
  url: string
  size: number
  md5: string
  sha256: string
  sig: string
}
export type ProgramModule = 'gateway' | 'register'
type Program = RowOf<typeof clientVersion> | RowOf<typeof cashRegisterClientVersion>

type Ended = (db: Db, command: DeviceCommand, services: Services) => Promise<void>
const endings: Ended[] = []
/** Registers a handler that runs in the transaction in which a device's upgrade ends. */
export const onDeviceUpgradeEnd = (ended: Ended): void => void endings.push(ended)

const LAST_STEPS = ['INSTALLING', 'REBOOTING']

/**
 * Upgrades a device. Done when a device that acknowledged the command reports the new version in its hello. When it
 * never acknowledged, the device either had the version already or is asked. A new start with another version during
 * the last steps is a rollback.
 */
export const upgradeCommand = defineCommand<Params>({
  method: 'gw.upgrade',
  label: { zh: '升级', en: 'Upgrade' },
  // The audit log omits the address: its readers may not download the package.
  auditParams: ({ url: _url, ...params }) => params,
  summary: ({ version }) => ({ zh: `升级到 ${version}`, en: `Upgrade to ${version}` }),
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 30 * 60_000,
  // Valid as long as the download address in it.
  lifeMs: DAY_MS,
  offline: 'wait',
  lane: () => UPGRADE_LANE,
  completedByHello: (command, hello, was) => {
    const { version } = command.params as Params
    if (hello.fw === version) {
      if (command.state === 'taken' || command.takenTime) return { state: 'done', code: 0 }
      const wasAlreadyInstalled = was.firmware === version && !command.seenTime
      return wasAlreadyInstalled || command.state === 'asked' ? 'already' : 'seen'
    }
    return hello.bootId !== was.boot && LAST_STEPS.includes(command.step ?? '')
      ? { state: 'failed', message: 'ROLLBACK' }
      : undefined
  },
  ended: async (db, command, services) => {
    for (const ended of endings) await ended(db, command, services)
  },
})

/** Returns a version of a module's program in any state, or undefined. */
export async function findProgram(db: Db, module: ProgramModule, id: string | null): Promise<Program | undefined> {
  if (!id) return undefined
  return module === 'gateway' ? db.get(clientVersion, id) : db.get(cashRegisterClientVersion, id)
}

/** Returns the program; refuses one that is not published or whose package is not stored here. */
export async function requireInstallableProgram(db: Db, module: ProgramModule, id: string | null): Promise<Program> {
  const found = await findProgram(db, module, id)
  if (!found) throw new Refused('not_found', { label: clientVersion.label })
  if (found.status !== PUBLISHED || !found.sha256 || !fileKeyOfLink(found.url))
    throw new Refused('program_not_ready', { version: found.versionName })
  return found
}

/** Returns the model a gateway program is for, null for all. */
export const gatewayModelOfProgram = (program: Program): string | null => ('model' in program ? program.model : null)
/** Whether the program fits the device. A device that never reported its model fits. */
const isFor = (program: Program, module: ProgramModule, link: DeviceLink) =>
  link.kind === module &&
  (!gatewayModelOfProgram(program) || !link.hardware || link.hardware === gatewayModelOfProgram(program))

/** Builds the parameters of an upgrade command: signature, and a download address valid as long as the command. */
export async function createUpgradeParams(
  services: Services,
  keys: PlatformKeys,
  module: ProgramModule,
  program: Program,
): Promise<Params> {
  const { versionName: version, versionCode, sha256 } = program
  const key = fileKeyOfLink(program.url)!
  if (!(await findTenantFileByLink(services, program.tenantId, program.url)))
    throw new Refused('program_not_ready', { version })
  return {
    module,
    version,
    versionCode,
    url: createPackageDownloadUrl(services, keys, key, DAY_MS),
    size: program.size ?? 0,
    md5: program.md5 ?? '',
    sha256: sha256!,
    sig: keys.signProgram({ sha256: sha256!, version, module }),
  }
}

type UpgradeInput = { clientId: string; module: string | null; versionId: string | null }

async function upgrade(call: Call<UpgradeInput>, keys: PlatformKeys): Promise<readonly [DeviceCommand, DeviceLink]> {
  const { db, services, input, caller } = call
  const link = await requireDeviceLink(call, input.clientId)
  const module: ProgramModule = link.kind === 'register' ? 'register' : 'gateway'
  const program = await requireInstallableProgram(db, module, input.versionId)
  if (!isFor(program, module, link) || (input.module && input.module !== module))
    throw new Refused('program_wrong_device', { version: program.versionName, name: link.name })
  if (link.firmware === program.versionName)
    throw new Refused('program_is_there', { version: program.versionName, name: link.name })
  const params = await createUpgradeParams(services, keys, module, program)
  const { tenantId } = db
  logOperationForTenant(call, db, upgradeCommand.label.zh, { clientId: input.clientId, version: program.versionName })
  const reason = isOtherTenant(call, tenantId) ? operatorNameForTenant(call, tenantId) : null
  const by = { source: 'office' as const, userId: caller.userId, reason }
  return [await requestCommand(call, upgradeCommand, link, params, by), link]
}

/**
 * Refuses a version of another tenant: platform administrators see all tenants' versions, a device takes only its own.
 */
async function requireVersionOfTenant({ services, input }: Call<UpgradeInput>, tenantId: string): Promise<void> {
  const found = await services.unit({ crossTenantReason: 'platform administrator: whose version is this' }, (db) =>
    db.one<{ tenantId: string; version: string }>(sql`select tenant_id, version_name as version from client_version
        where id = ${input.versionId} union all
      select tenant_id, version_name from cash_register_client_version where id = ${input.versionId} limit 1`),
  )
  if (found && found.tenantId !== tenantId)
    throw new Refused('program_of_others', { version: found.version }, { field: 'versionId' })
}

export const upgradeRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/shop/basicShopInfo/upgrade',
    title: { zh: '升级设备', en: 'Upgrade device' },
    can: 'deviceLink_upgrade',
    tx: false,
    input: {
      ...clientIdInputFields(),
      module: f.text({ label: { zh: '程序', en: 'Program' }, max: 20 }),
      versionId: f.ref('', { label: clientVersion.label, required: true }),
    },
    handle: async (call) => {
      const { services, caller, input } = call
      const keys = await loadPlatformKeys(services)
      const tenantId = await findTenantOfDevice(call, input.clientId)
      await requireTenantDeviceAccess(call, tenantId)
      if (caller.isPlatform) await requireVersionOfTenant(call, tenantId)
      // A refused command stays stored, so that attempts can be traced.
      const [command, link] = await services.unit(
        { tenantId },
        (db) => upgrade({ ...call, db }, keys),
        actorOfCaller(caller),
      )
      const refusal = deviceCommandRefusal(command, link)
      if (refusal) throw refusal
      return commandToWire(command)
    },
  }),
]
