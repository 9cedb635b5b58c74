import { audioConf } from '#domains/devices/audio-announcements/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Random } from '#kit/server/base/random.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import {
  deviceInfo,
  cashRegisterPic,
  cashRegisterClientVersion,
  clientVersion,
} from '#domains/devices/device-registry/index.ts'
import { importEnergyDemo } from '#domains/devices/energy/api.ts'
import { epaDevice, epaGateway } from '#domains/devices/energy/index.ts'
import { seedQuotedSales } from './quoted-sales.demo.ts'

const DAY_MS = 86_400_000

const devices = [
  { type: 'gateway', name: '门店网关', model: 'GW-200', position: '收银台下方', firmware: '2.4.1' },
  { type: 'camera', name: '入口摄像头', model: 'DS-2CD3T', position: '入口', firmware: 'V5.7.3' },
  { type: 'camera', name: '货架摄像头', model: 'DS-2CD3T', position: '饮料货架', firmware: 'V5.7.3' },
  { type: 'camera', name: '收银摄像头', model: 'DS-2CD2H', position: '收银台', firmware: 'V5.7.1' },
  { type: 'door', name: '门禁', model: 'MJ-10', position: '入口', firmware: '1.9.0' },
  { type: 'speaker', name: '吸顶音箱', model: 'SP-6', position: '店中', firmware: '1.2.0' },
  { type: 'sensor', name: '冷柜温度', model: 'TH-1', position: '冷柜', firmware: '1.0.3' },
] as const

/** Devices with power consumption in each demo shop. */
export const demoPoweredDevices = [
  { name: '店内照明', kind: 'light', watts: 180 },
  { name: '招牌灯箱', kind: 'sign', watts: 120 },
  { name: '空调', kind: 'airCon', watts: 1500 },
  { name: '冷柜', kind: 'fridge', watts: 420 },
] as const

/**
 * Devices of the shops with what they last reported: all well but for those of the shop that is silent, and one camera.
 */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  await seedDevices(db, stage)
  await seedQuotedSales(db, stage)
}

/** A shop and when it was last heard of. */
type Shop = { n: number; shopId: string; code: string; lastSeen: string | null | undefined; isSilent: boolean }
/** Returns the time `ms` milliseconds ago. */
type At = (ms: number) => string

async function seedDevices(db: Db, { now, random, shops, days }: StorySeedContext): Promise<void> {
  const seen = new Map(
    (
      await db.query<{ id: string; lastSeenTime: string | null }>(
        sql`select id, last_seen_time from basic_shop_info where tenant_id = ${db.tenantId}`,
      )
    ).map((row) => [row.id, row.lastSeenTime]),
  )
  const at: At = (ms) => formatShanghaiTime(new Date(now.getTime() - ms))
  for (const [n, { shopId, code }] of shops.entries()) {
    const lastSeen = seen.get(shopId)
    const shop = { n, shopId, code, lastSeen, isSilent: !lastSeen || lastSeen < at(3_600_000) }
    await seedThings(db, random, shop, at)
    await seedPower(db, random, shop, at)
    await seedWords(db, shop)
  }
  await (await importEnergyDemo()).seedPowerUsage(db, { now, days })
  // Each shop uses its own audio for welcome and goodbye.
  await db.run(sql`update shop_conf c set welcome_audio_id = a.enter, leave_audio_id = a.leave
    from (select shop_id, min(id) filter (where trigger = 'enter') as enter, min(id)
    filter (where trigger = 'leave') as leave from audio_conf where tenant_id = ${db.tenantId} group by shop_id) a
    where c.tenant_id = ${db.tenantId} and c.shop_id = a.shop_id`)
  await seedPicture(db, at)
  await seedVersions(db)
}

async function seedThings(
  db: Db,
  random: Random,
  { n, shopId, code, lastSeen, isSilent }: Shop,
  at: At,
): Promise<void> {
  for (const [m, device] of devices.entries()) {
    const isDown = isSilent || (n === 1 && m === 2)
    await db.insert(deviceInfo, {
      ...device,
      shopId,
      sn: `${code}-${device.type.toUpperCase()}-${m + 1}`,
      clientId: `GW-${code}`,
      online: !isDown,
      lastSeenTime: isDown ? (lastSeen ?? at(DAY_MS)) : at(random.int(5, 55) * 1000),
      ip: `192.168.${n + 10}.${20 + m}`,
      installTime: at(random.int(200, 500) * DAY_MS).slice(0, 10),
      warrantyEnd: at(-random.int(20, 600) * DAY_MS).slice(0, 10),
      ...(device.type === 'camera'
        ? {
            gbDeviceId: `3402000000132${String(n).padStart(4, '0')}00${m}`,
            gbChannelId: `3402000000131${String(n).padStart(4, '0')}00${m}`,
          }
        : {}),
    })
  }
}

async function seedPower(db: Db, random: Random, { shopId, code, lastSeen, isSilent }: Shop, at: At): Promise<void> {
  const gateway = await db.insert(epaGateway, {
    name: '用电网关',
    clientId: `EPA-${code}`,
    shopId,
    infoVersion: 7,
  })
  for (const [m, { name, kind, watts }] of demoPoweredDevices.entries()) {
    const isOn = !isSilent && kind !== 'sign'
    await db.insert(epaDevice, {
      name,
      kind,
      gatewayId: gateway.id,
      shopId,
      clientId: `SW-${m + 1}`,
      address: String(m + 1),
      power: isOn,
      voltage: 218 + random.int(0, 60) / 10,
      current: isOn ? Math.round((watts / 220) * 100) / 100 : 0,
      watts: isOn ? watts : 0,
      lost: false,
      energy: Math.round(watts * 0.09 * random.int(80, 110)) / 10,
      lastReportTime: isSilent ? lastSeen : at(random.int(10, 50) * 1000),
    })
  }
}

async function seedWords(db: Db, { shopId }: Shop): Promise<void> {
  for (const [name, trigger, text, cron] of [
    ['欢迎光临', 'enter', '欢迎光临，本店二十四小时无人值守，请扫码进店。', null],
    ['离店提醒', 'leave', '谢谢惠顾，请确认已付款后离店。', null],
    ['闭店播报', 'schedule', '亲爱的顾客，夜间请轻声关门，谢谢。', '0 22 * * *'],
  ] as const)
    await db.insert(audioConf, {
      name,
      shopId,
      text,
      trigger,
      cron,
      voice: 'female',
      speed: 1,
      pitch: 1,
      volume: 70,
      times: 1,
      state: 'NONE',
      enabled: true,
    })
}

const seedPicture = (db: Db, at: At) =>
  db.insert(cashRegisterPic, {
    name: '冬季热饮',
    picture: '/favicon.svg',
    position: 'idle',
    shopIds: [],
    sort: 1,
    enabled: true,
    startTime: at(10 * DAY_MS),
    endTime: at(-50 * DAY_MS),
  })

async function seedVersions(db: Db): Promise<void> {
  for (const [versionName, versionCode, rollout, status, notes] of [
    ['3.1.0', 310, 100, 1, '新增会员扫码'],
    ['3.2.0', 320, 100, 1, '离线销售补传更快'],
    ['3.3.0-beta', 330, 20, 1, '报价由服务器给出'],
    ['3.4.0', 340, 0, 0, '准备中'],
  ] as const)
    await db.insert(cashRegisterClientVersion, {
      versionName,
      versionCode,
      rollout,
      status,
      notes,
      force: false,
      size: 48_000_000 + versionCode,
      url: `https://files.example.com/register-${versionName}.apk`,
      md5: versionCode.toString(16).padStart(32, '0'),
    })
  for (const [versionName, versionCode, rollout, status] of [
    ['2.4.1', 241, 100, 1],
    ['2.5.0', 250, 10, 1],
  ] as const)
    await db.insert(clientVersion, {
      versionName,
      versionCode,
      model: 'GW-200',
      rollout,
      status,
      size: 12_000_000 + versionCode,
      url: `https://files.example.com/gateway-${versionName}.bin`,
      md5: versionCode.toString(16).padStart(32, '0'),
      notes: '稳定性改进',
    })
}
