import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { audioConf } from '#domains/devices/audio-announcements/index.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { GUARD_CASE_STATE, GUARD_SHIFT_STATE } from './dictionaries.ts'
import { guardPhrase } from './guard-phrase.resource.ts'
import { guardShift } from './guard-shift.resource.ts'
import { recomputeLosses } from './loss.server.ts'
import { buildShiftHandover } from './shift.server.ts'

const HOUR_MS = 3_600_000
const text = (at: number) => formatShanghaiTime(new Date(at))

/** Most frequent phrases of the desk. */
const PHRASES: readonly { name: string; text: string; kinds: readonly string[] }[] = [
  {
    name: '请结账',
    text: '您好，您有商品还没有结账，请到收银台完成付款，谢谢。',
    kinds: ['unpaidLeave', 'suspicious'],
  },
  { name: '请关门', text: '您好，店门没有关好，请随手关门，谢谢。', kinds: ['doorLeftOpen', 'doorForced'] },
  { name: '马上来人', text: '您好，我们已经看到您的求助，工作人员马上与您联系。', kinds: ['sos'] },
  { name: '正在录像', text: '您好，本店正在录像，请勿进入非营业区域。', kinds: ['intrusion', 'doorForced'] },
  { name: '请勿吸烟', text: '您好，店内禁止吸烟，感谢您的配合。', kinds: [] },
  { name: '请勿喧哗', text: '夜深了，请您小声一些，不要打扰附近居民，谢谢。', kinds: [] },
]

/** Seeds phrases, yesterday's shift with its handover, and the losses. */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  await seedPhrases(db, stage)
  await seedWatch(db, stage)
  await recomputeLosses(db, stage.services)
}

async function seedPhrases(db: Db, { shops }: StorySeedContext): Promise<void> {
  for (const [at, { name, text: says, kinds }] of PHRASES.entries()) {
    const audio = await db.insert(audioConf, {
      name: `值守·${name}`,
      shopId: shops[0]!.shopId,
      text: says,
      voice: 'female',
      trigger: 'manual',
      volume: 85,
      state: 'NONE',
      enabled: true,
    })
    await db.insert(guardPhrase, { name, audioId: audio.id, kinds: [...kinds], sort: at + 1, enabled: true })
  }
}

/** Demo shift: hours since its end, and its length in hours. */
const WATCH = { endedHours: 9, hours: 12 } as const

/** Turns ended events into cases handled at the desk, most within one or two minutes, and writes the shift. */
async function seedWatch(db: Db, { now, random, users }: StorySeedContext): Promise<void> {
  const userId = users.get(db.tenantId === '100001' ? 'wu' : 'tang')!
  const events = await db.query<{
    id: string
    shopId: string
    type: string
    level: number
    at: number
    remark: string
  }>(
    sql`select id, shop_id, type, level, (extract(epoch from occur_time) * 1000)::float8 as at,
      coalesce(handle_remark, '') as remark from shop_event where tenant_id = ${db.tenantId} and status = 2
      and level > 1 order by occur_time desc limit 60`,
  )

  const end = now.getTime() - WATCH.endedHours * HOUR_MS
  const from = end - WATCH.hours * HOUR_MS
  for (const [at, one] of events.entries()) {
    // Some are moved into the shift, as the demo data has few nights.
    const came = at < 9 ? from + random.int(5, WATCH.hours * 60 - 40) * 60_000 : one.at
    const first = came + random.int(6, 130) * 1000
    await db.run(sql`insert into guard_case (id, tenant_id, shop_id, kind, status, level, came_time, create_time,
        taker_id, take_time, first_time, end_time, outcome, remark, event_id)
      values (${one.id}, ${db.tenantId}, ${one.shopId}, ${one.type}, ${GUARD_CASE_STATE.done}, ${one.level},
        ${text(came)}::timestamptz, ${text(came)}::timestamptz, ${userId}, ${text(first)}::timestamptz,
        ${text(first)}::timestamptz, ${text(first + random.int(60, 900) * 1000)}::timestamptz,
        ${random.pick(['spoken', 'called', 'harmless', 'sent'])}, ${one.remark}, ${one.id})
      on conflict do nothing`)
    await db.run(sql`insert into guard_deed (id, tenant_id, case_id, kind, user_id, create_time)
      values (${newId()}, ${db.tenantId}, ${one.id}, 'claim', ${userId}, ${text(first)}::timestamptz)`)
  }

  const shift = await db.insert(guardShift, {
    userId,
    status: GUARD_SHIFT_STATE.running,
    startTime: text(from),
    openKey: userId,
  })

  const report = await buildShiftHandover(db, shift, text(end))
  // Demo devices have no connection yet, so all would count as offline.
  const handover = { ...report, watch: report.watch.filter(({ why }) => why !== 'offline') }
  const { came, done, itself, left, answer } = handover
  await transition(db, guardShift, shift.id, 'end', {
    endTime: text(end),
    came,
    done,
    itself,
    left,
    answerP95: answer.count ? answer.p95 : null,
    handover,
    note: `${text(end).slice(5, 16)} 夜里两次有人按求助键，都是小朋友误按，已和家长说明`,
    openKey: null,
  })
}
