import { sql } from '#kit/server/database/db.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { revokeDeviceAccess, grantDeviceAccess, onDeviceLinkRevoked } from '#domains/devices/device-messaging/api.ts'
import { isOnline, OFFLINE_AFTER_SECONDS } from '#domains/shops/shops/api.ts'
import { cashRegister } from './cash-register.resource.ts'
import { invalidateCashRegisterCache, issueKey, revokeKeys } from './credentials.ts'

async function revoke({ id, sn }: { id: string; sn: string }, call: Call): Promise<void> {
  await revokeKeys(call.db, id)
  await revokeDeviceAccess(call, { id, clientId: sn })
}

async function revokedNow(id: string, call: Call): Promise<void> {
  publishRowsChanged(call, cashRegister, [await call.db.update(cashRegister, id, { keyIssuedTime: null })])
  call.db.afterCommit(() => invalidateCashRegisterCache(call.services))
}

// The register's device connection uses the same secret as its calls.
onDeviceLinkRevoked(async ({ id, kind }, call) => {
  if (kind !== 'register') return
  await revokeKeys(call.db, id)
  await revokedNow(id, call)
})

export const cashRegisterServer = serve(cashRegister, {
  // The list can show the registers that the home page counts as offline.
  where: ({ query, services }) =>
    query.isOffline === 'true'
      ? sql` and r.status = 1 and (r.last_heartbeat is null
        or r.last_heartbeat < ${new Date(services.now().getTime() - OFFLINE_AFTER_SECONDS * 1000).toISOString()})`
      : sql``,
  afterSave: (_row, was, call) => {
    if (was) call.db.afterCommit(() => invalidateCashRegisterCache(call.services))
  },
  afterRemove: async (rows, call) => {
    for (const row of rows) await revoke(row, call)
    call.db.afterCommit(() => invalidateCashRegisterCache(call.services))
  },
  present: (wire, rows, call) => {
    const now = call.services.now()
    rows.forEach((row, at) => (wire[at]!.online = row.status === 1 && isOnline(row.lastHeartbeat, now)))
  },
  actions: {
    issue: async (row, _input, call) => {
      // The same secret for terminal calls and for the broker that delivers commands.
      const secret = await issueKey(call.db, row.id)
      await grantDeviceAccess(call, { id: row.id, clientId: row.sn }, secret)
      publishRowsChanged(call, cashRegister, [
        await call.db.update(cashRegister, row.id, { keyIssuedTime: formatShanghaiTime(call.services.now()) }),
      ])
      call.db.afterCommit(() => invalidateCashRegisterCache(call.services))
      return { id: row.id, sn: row.sn, secret }
    },
    revoke: async (row, _input, call) => {
      await revoke(row, call)
      await revokedNow(row.id, call)
    },
  },
})
