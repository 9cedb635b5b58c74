import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { requireTransition, type MoveName } from '#kit/server/resource/transition.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { regionsOfDistrict } from '#domains/shops/shops/api.ts'
import { notifyPerson } from '#domains/shops/shop-events/api.ts'
import { joinUs, joinUsFollow, LEAD_STATE } from './join-us.resource.ts'
import './refusals.ts'

type Lead = RowOf<typeof joinUs>

const leadReminderQueue = defineQueue<{ id: string; at: string }>('lead.remind')

const remindLater = (db: Db, { id, nextFollowTime }: Lead) =>
  nextFollowTime
    ? db.enqueue(
        leadReminderQueue,
        { id, at: nextFollowTime },
        { key: `${id}/${nextFollowTime}`, runAt: parseShanghaiTime(nextFollowTime) },
      )
    : undefined

/** Reminds the person in charge to call a lead; does nothing if it was called or moved meanwhile. */
export const leadReminderJob = defineModuleJob({
  queue: leadReminderQueue,
  run: ({ id, at }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const lead = await db.get(joinUs, id, 'forUpdate')
      if (lead?.status !== LEAD_STATE.contact && lead?.status !== LEAD_STATE.fresh) return
      if (lead.nextFollowTime !== at || !lead.followUser) return
      await notifyPerson(db, services, {
        userId: lead.followUser,
        template: 'lead',
        key: `lead/${id}/${at}`,
        content: { zh: `该跟进加盟申请了：${lead.name}`, en: `Time to call back: ${lead.name}` },
      })
    }),
})

/** Records a contact and makes the lead's move. Refuses a next call in the past. */
async function contact(
  lead: Lead,
  move: MoveName<typeof joinUs>,
  followUp: { way?: string | null; content: string | null; nextFollowTime?: string | null },
  call: Call,
): Promise<{ id: string; status: number | null }> {
  const { db, caller, services } = call
  const now = formatShanghaiTime(services.now())
  if (followUp.nextFollowTime && followUp.nextFollowTime <= now)
    throw invalidFieldRefusal({ fields: joinUs.actions.follow.input }, 'nextFollowTime', 'too_small', {
      min: now.slice(0, 16),
    })
  const nextFollowTime = followUp.nextFollowTime ?? null
  await db.insert(joinUsFollow, {
    joinId: lead.id,
    way: followUp.way ?? null,
    status: joinUs.states.values[joinUs.states.moves[move].to],
    content: followUp.content,
    nextFollowTime,
    userId: caller.userId,
  })
  const row = await requireTransition(call, joinUs, lead.id, move, {
    followUser: lead.followUser ?? caller.userId,
    followRemark: followUp.content ?? lead.followRemark,
    lastFollowTime: now,
    nextFollowTime,
    followCount: (lead.followCount ?? 0) + 1,
    ...(move === 'follow' ? {} : { closeTime: now }),
  })
  await remindLater(db, row)
  return { id: row.id, status: row.status }
}

export const joinUsServer = serve(joinUs, {
  beforeSave: (draft, was) => {
    if (was && was.status! >= LEAD_STATE.signed) throw new Refused('lead_closed', { name: was.name })
    Object.assign(draft, regionsOfDistrict(draft.district))
  },
  afterSave: async (row, was, { db }) => {
    if (row.nextFollowTime !== was?.nextFollowTime || row.followUser !== was.followUser) await remindLater(db, row)
  },
  actions: {
    follow: (lead, { way, content, nextFollowTime }, call) =>
      contact(lead, 'follow', { way, content, nextFollowTime }, call),
    sign: (lead, { content }, call) => contact(lead, 'sign', { content }, call),
    reject: (lead, { content }, call) => contact(lead, 'reject', { content }, call),
  },
})

export const joinUsFollowServer = serve(joinUsFollow, {
  without: ['submit', 'remove'],
  where: ({ query }) =>
    query.joinId ? sql` and r.join_id = ${/^\d{1,18}$/.test(query.joinId) ? query.joinId : '0'}` : sql``,
})
