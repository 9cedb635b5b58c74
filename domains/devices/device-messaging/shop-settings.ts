import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, extend } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { findShopConf, loadTerminalSettings, recordReportedSettings } from '#domains/shops/shops/api.ts'
import { shopConf } from '#domains/shops/shops/index.ts'
import { findGatewayOfShop } from './request-command.ts'
import { deviceLink } from './device-link.resource.ts'
import { sendDesiredState } from './handle-device-message.ts'
import { registerDesiredStateProvider, onDeviceState } from './device-handlers.ts'

const pushGatewayDesiredStateQueue = defineQueue<{ linkId: string }>('gateway.desired')

// Sends a shop's settings to its gateway, the same as registers read.
registerDesiredStateProvider(async ({ db, link }) => {
  if (link.kind !== 'gateway') return undefined
  const conf = await loadTerminalSettings(db, link.shopId!)
  return conf && { ver: Number(conf.version), conf }
})

onDeviceState(async ({ db, link, data, services }) => {
  const version = data.confVersion
  if (link.kind !== 'gateway' || !Number.isSafeInteger(version) || version < 0 || version > 2_000_000_000) return
  if (!(await recordReportedSettings(db, link.shopId!, version, services.now()))) return
  publishRowsChanged({ db }, shopConf, [(await findShopConf(db, link.shopId!))!])
})

/** Sends saved settings to the gateway through a job, which retries while the broker is unavailable. */
export const pushConfToGatewayExtension = extend(shopConf, {
  afterSave: async (row, was, { db }) => {
    if (was && was.wantedVersion === row.wantedVersion) return
    const link = await findGatewayOfShop(db, row.shopId)
    if (link)
      await db.enqueue(pushGatewayDesiredStateQueue, { linkId: link.id }, { key: `${link.id}/${row.wantedVersion}` })
  },
})

export const pushGatewayDesiredStateJob = defineModuleJob({
  queue: pushGatewayDesiredStateQueue,
  run: async ({ linkId }, { tenantId, services }) => {
    const link = await services.unit({ tenantId }, (db) => db.get(deviceLink, linkId))
    if (link) await sendDesiredState(services, link)
  },
})
