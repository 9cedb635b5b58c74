import type { RowOf } from '#kit/resource/index.ts'
import { sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { invalidFieldRefusal, serve } from '#kit/server/module/module.ts'
import {
  resolveDoorSetting,
  DOOR_HELD_OPEN_SECONDS_RANGE,
  isDoorSettings,
  DOOR_RELOCK_SECONDS_RANGE,
  storedDoorSettings,
} from './door-settings.ts'
import { shopConf } from './shop-conf.resource.ts'

/** A time in which the lights are on, on days 1 (Monday) to 7. */
type LightTime = { from: string; to: string; days: number[] }

/** Settings the devices in the shop use; changing one raises the wanted version. */
const FOR_TERMINALS = [
  'entryMode',
  'doorHoldSeconds',
  'heldSeconds',
  'absentOffice',
  'doorSettings',
  'unmannedEnabled',
  'lightSchedule',
  'welcomeAudioId',
  'leaveAudioId',
  'payTypes',
  'vipEnabled',
  'deliveryEnabled',
  'chargeConfirmedTag',
] as const

const spanOf = ({ min, max }: { min: number; max: number }) => `${min}–${max}`

const LIGHTS_MAX = 20
const clock = /^([01]\d|2[0-3]):[0-5]\d$/

function isLightTime(one: Partial<LightTime> | null): boolean {
  return (
    clock.test(String(one?.from)) &&
    clock.test(String(one?.to)) &&
    one!.from !== one!.to &&
    Array.isArray(one!.days) &&
    one!.days.length > 0 &&
    one!.days.every((day) => Number.isInteger(day) && day >= 1 && day <= 7) &&
    new Set(one!.days).size === one!.days.length
  )
}

export const shopConfServer = serve(shopConf, {
  beforeSave: (draft, was) => {
    const lights = draft.lightSchedule
    if (lights && Object.keys(lights).length === 0) draft.lightSchedule = []
    else if (
      lights &&
      !(Array.isArray(lights) && lights.length <= LIGHTS_MAX && lights.every((one) => isLightTime(one as LightTime)))
    )
      throw invalidFieldRefusal(shopConf, 'lightSchedule', 'light_periods', { max: LIGHTS_MAX })
    if (draft.doorSettings && !Object.keys(draft.doorSettings).length) draft.doorSettings = []
    else if (draft.doorSettings && !isDoorSettings(draft.doorSettings))
      throw invalidFieldRefusal(shopConf, 'doorSettings', 'doors_apart', {
        relock: spanOf(DOOR_RELOCK_SECONDS_RANGE),
        held: spanOf(DOOR_HELD_OPEN_SECONDS_RANGE),
      })
    if (draft.alertPhones?.some((phone) => !/^1[3-9]\d{9}$/.test(phone)))
      throw invalidFieldRefusal(shopConf, 'alertPhones', 'phone_format')
    if (
      was &&
      FOR_TERMINALS.some((key) => draft[key] !== undefined && JSON.stringify(draft[key]) !== JSON.stringify(was[key]))
    )
      draft.wantedVersion = was.wantedVersion! + 1
  },
})

/** Inserts the default settings of a new shop. */
export const insertDefaultShopConf = (db: Db, shopId: string): Promise<RowOf<typeof shopConf>> =>
  db.insert(shopConf, {
    shopId,
    entryMode: 'scan',
    doorHoldSeconds: DOOR_RELOCK_SECONDS_RANGE.usual,
    heldSeconds: DOOR_HELD_OPEN_SECONDS_RANGE.usual,
    absentOffice: 'refuse',
    doorSettings: [],
    unmannedEnabled: false,
    lightSchedule: [],
    payTypes: ['wechat', 'alipay', 'balance'],
    vipEnabled: true,
    deliveryEnabled: false,
    chargeConfirmedTag: false,
    lowStockThreshold: 5,
    expiryWarnDays: 7,
    alertPhones: [],
    wantedVersion: 1,
    reportedVersion: 0,
  })

/** Returns the settings of a shop; undefined if there are none. */
export const findShopConf = async (db: Db, shopId: string): Promise<RowOf<typeof shopConf> | undefined> =>
  (await db.find(shopConf, sql`r.shop_id = ${shopId}`))[0]

/** Returns the settings for the devices in a shop, with the version they report back. */
export async function loadTerminalSettings(db: Db, shopId: string): Promise<Record<string, unknown> | undefined> {
  const [conf, hours, sounds] = await awaitBatch([
    findShopConf(db, shopId),
    db.one<{ start: string | null; end: string | null }>(
      sql`select unmanned_start as start, unmanned_end as end from basic_shop_info where tenant_id = ${db.tenantId}
        and id = ${shopId}`,
    ),
    db.query<{ id: string; text: string | null; audioUrl: string | null }>(
      sql`select a.id, a.text, a.audio_url from shop_conf c join audio_conf a on a.tenant_id = c.tenant_id
        and a.id in (c.welcome_audio_id, c.leave_audio_id) and a.is_deleted = 0 and coalesce(a.enabled, true)
        where c.tenant_id = ${db.tenantId} and c.shop_id = ${shopId} and c.is_deleted = 0`,
    ),
  ])
  if (!conf) return undefined
  const sound = (id: string | null) => {
    const found = sounds.find((one) => one.id === id)
    return found ? { text: found.text ?? '', audioUrl: found.audioUrl ?? '' } : null
  }
  const usual = resolveDoorSetting(conf)
  return {
    version: conf.wantedVersion ?? 1,
    entryMode: conf.entryMode ?? 'scan',
    doorHoldSeconds: usual.relockSeconds,
    ...usual,
    doors: storedDoorSettings(conf.doorSettings).map((own) => ({
      doorNo: own.doorNo,
      ...resolveDoorSetting(conf, own),
    })),
    unmanned: conf.unmannedEnabled ? { start: hours?.start ?? '', end: hours?.end ?? '' } : null,
    lightSchedule: conf.lightSchedule ?? [],
    welcome: sound(conf.welcomeAudioId),
    leave: sound(conf.leaveAudioId),
    payTypes: conf.payTypes ?? [],
    memberPrices: conf.vipEnabled !== false,
    delivery: conf.deliveryEnabled === true,
    neverAboveTag: conf.chargeConfirmedTag === true,
  }
}

/** Records which version of the settings a device uses; ignores versions that never existed. */
export const recordReportedSettings = (db: Db, shopId: string, version: number, now: Date): Promise<number> =>
  db.run(sql`update shop_conf set reported_version = ${version}, reported_time = ${now.toISOString()}
    where tenant_id = ${db.tenantId} and shop_id = ${shopId} and is_deleted = 0 and wanted_version >= ${version}
    and reported_version is distinct from ${version}`)
