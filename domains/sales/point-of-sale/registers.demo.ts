import type { Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { cashRegister } from './cash-register.resource.ts'
import { issueKey } from './credentials.ts'

export type DemoRegister = { sn: string; name: string; shopCode: string; silentHours?: number }

/** Registers of the demo data. Those with `silentHours` are offline, and the simulator does not run them. */
export const demoRegisters: Record<string, readonly DemoRegister[]> = {
  100001: [
    { sn: 'XM-S001-1', name: '西溪1号机', shopCode: 'S001' },
    { sn: 'XM-S001-2', name: '西溪2号机', shopCode: 'S001' },
    { sn: 'XM-S002-1', name: '文三1号机', shopCode: 'S002' },
    { sn: 'XM-S003-1', name: '滨江1号机', shopCode: 'S003' },
    { sn: 'XM-S004-1', name: '武林1号机', shopCode: 'S004' },
    { sn: 'XM-S004-2', name: '武林2号机', shopCode: 'S004', silentHours: 51 },
    { sn: 'XM-S005-1', name: '钱江1号机', shopCode: 'S005' },
  ],
  100002: [
    { sn: 'YM-N01-1', name: '下沙1号机', shopCode: 'N01' },
    { sn: 'YM-N02-1', name: '未来1号机', shopCode: 'N02' },
    { sn: 'YM-N03-1', name: '萧山1号机', shopCode: 'N03', silentHours: 3 },
  ],
}

export async function seedRegisters(
  db: Db,
  now: Date,
  shopIds: ReadonlyMap<string, string>,
): Promise<Map<string, { id: string; silentSince: number }[]>> {
  const byShop = new Map<string, { id: string; silentSince: number }[]>()
  for (const one of demoRegisters[db.tenantId]!) {
    const silentSince = one.silentHours ? now.getTime() - one.silentHours * 3_600_000 : Number.POSITIVE_INFINITY
    const row = await db.insert(cashRegister, {
      name: one.name,
      sn: one.sn,
      shopId: shopIds.get(one.shopCode)!,
      status: 1,
      appVersion: '3.2.1',
      unsent: 0,
      clockSkew: 0,
      screenState: 'idle',
      lastHeartbeat: formatShanghaiTime(new Date(Math.min(silentSince, now.getTime()))),
      keyIssuedTime: formatShanghaiTime(now),
    })
    await issueKey(db, row.id)
    byShop.set(one.shopCode, [...(byShop.get(one.shopCode) ?? []), { id: row.id, silentSince }])
  }
  return byShop
}
