import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { invalidField, serve } from '#kit/server/room.ts'
import { shopConf } from './shop-conf.resource.ts'

/** Lights on from one time of day to another, on days 1 (Monday) to 7. */
export type LightTime = { from: string; to: string; days: number[] }

/** What the gateway acts by: a change of these must reach it. */
const FOR_GATEWAY = ['entryMode', 'doorHoldSeconds', 'unmannedEnabled', 'lightSchedule', 'welcomeAudioId', 'leaveAudioId'] as const

const LIGHTS_MAX = 20
const clock = /^([01]\d|2[0-3]):[0-5]\d$/

function isLightTime(one: Partial<LightTime> | null): boolean {
  return (
    clock.test(String(one?.from)) && clock.test(String(one?.to)) && one!.from !== one!.to && Array.isArray(one!.days) && one!.days.length > 0 &&
    one!.days.every((day) => Number.isInteger(day) && day >= 1 && day <= 7) && new Set(one!.days).size === one!.days.length
  )
}

export const shopConfServer = serve(shopConf, {
  beforeSave: (draft, was) => {
    const lights = draft.lightSchedule
    if (lights && Object.keys(lights).length === 0) draft.lightSchedule = []
    else if (lights && !(Array.isArray(lights) && lights.length <= LIGHTS_MAX && lights.every((one) => isLightTime(one as LightTime)))) throw invalidField(shopConf, 'lightSchedule', 'not_a_list')
    if (draft.alertPhones?.some((phone) => !/^1[3-9]\d{9}$/.test(phone))) throw invalidField(shopConf, 'alertPhones', 'phone_format')
    if (was && FOR_GATEWAY.some((key) => draft[key] !== undefined && JSON.stringify(draft[key]) !== JSON.stringify(was[key]))) draft.wantedVersion = was.wantedVersion! + 1
  },
})

/** The settings a shop starts with. */
export const startConf = (db: Db, shopId: string): Promise<RowOf<typeof shopConf>> =>
  db.insert(shopConf, {
    shopId, entryMode: 'scan', doorHoldSeconds: 5, unmannedEnabled: false, lightSchedule: [], payTypes: ['wechat', 'alipay', 'balance'], vipEnabled: true, deliveryEnabled: false,
    lowStockThreshold: 5, expiryWarnDays: 7, alertPhones: [], wantedVersion: 1, reportedVersion: 0,
  })

/** The settings of a shop. */
export const confOf = async (db: Db, shopId: string): Promise<RowOf<typeof shopConf> | undefined> =>
  (await db.find(shopConf, sql`r.shop_id = ${shopId}`))[0]
