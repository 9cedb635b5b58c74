import { f, type RowOf } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { lockVisibleRow, publishRowsChanged, requireValidReferences } from '#kit/server/resource/submit-of.ts'
import { callRoute } from '#kit/server/resource/call-route.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { playAnnouncementOnDevice } from '#domains/devices/audio-announcements/api.ts'
import { audioConf } from '#domains/devices/audio-announcements/index.ts'
import { event } from '#domains/shops/shop-events/index.ts'
import {
  deviceTransportSlot,
  findGatewayOfShop,
  deviceCommandRefusal,
  type DeviceCommand,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'
import { GUARD_CASE_STATE, operatorCaseOutcomeKeys } from './dictionaries.ts'
import { guardCase } from './guard-case.resource.ts'
import { guardPhrase } from './guard-phrase.resource.ts'
import './refusals.ts'

type Case = RowOf<typeof guardCase>
type CaseAction = 'claim' | 'release' | 'handOver' | 'say' | 'finish'

const secondsBetween = (from: string | null, to: string | null): number | null =>
  from && to
    ? Math.max(0, Math.round((parseShanghaiTime(to).getTime() - parseShanghaiTime(from).getTime()) / 1000))
    : null

export const guardCaseServer = serve(guardCase, {
  without: ['submit', 'remove'],
  present: (wire, rows) => {
    for (const [at, row] of rows.entries()) {
      wire[at]!.answerSeconds = secondsBetween(row.cameTime, row.firstTime) ?? ''
      wire[at]!.lastedSeconds = secondsBetween(row.cameTime, row.endTime) ?? ''
    }
  },
})

type LockedCase = { call: Call; row: Case; at: string }

/**
 * Locks the event of a case and then the case, in the same order as code that ends events, and runs `work` in the
 * case's tenant.
 */
async function onCase<T>(call: Call, id: string, work: (held: LockedCase) => Promise<T>): Promise<T> {
  let done: T | undefined
  await forEachTenantOfRows(call, guardCase, [id], async ([one], db) => {
    await db.run(sql`select from shop_event where tenant_id = ${db.tenantId} and id = ${one} for no key update`)
    const inside = { ...call, db }
    const row = (await lockVisibleRow(guardCaseServer, inside, one!)) as Case
    done = await work({ call: inside, row, at: formatShanghaiTime(call.services.now()) })
  })
  return done as T
}

const nameOf = async (db: Db, userId: string | null): Promise<string> =>
  (
    await db.one<{ name: string }>(sql`select coalesce(nullif(real_name, ''), nullif(name, ''), account) as name
    from sys_user where tenant_id = ${db.tenantId} and id = ${userId}`)
  )?.name ?? ''

const isOver = ({ status }: Case) => (status ?? 0) >= GUARD_CASE_STATE.done

/** Refuses a case that has ended, or that somebody else has taken. */
async function requireMine({ call, row }: LockedCase): Promise<void> {
  if (isOver(row)) throw new Refused('guard_over')
  if (row.takerId && row.takerId !== call.caller.userId)
    throw new Refused('guard_taken', { name: await nameOf(call.db, row.takerId) })
}

/** Refuses to hand over or release somebody else's case. Administrators may, as people go home. */
async function requireHeld({ call, row }: LockedCase): Promise<void> {
  if (isOver(row)) throw new Refused('guard_over')
  if (!row.takerId) throw new Refused('guard_free')
  if (row.takerId !== call.caller.userId && !call.caller.isAdmin)
    throw new Refused('guard_not_yours', { name: await nameOf(call.db, row.takerId) })
}

const recordAction = (
  { call: { db, caller }, row }: LockedCase,
  kind: CaseAction,
  { toUser, note, commandId }: { toUser?: string; note?: string | null; commandId?: string } = {},
) =>
  db.run(sql`insert into guard_deed (id, tenant_id, case_id, kind, user_id, to_user, note, command_id)
    values (${newId()}, ${db.tenantId}, ${row.id}, ${kind}, ${caller.userId}, ${toUser}, ${note}, ${commandId})`)

/** Takes a case nobody has and acknowledges its event, so that no more reminders are sent. */
async function claimCase(held: LockedCase): Promise<Case> {
  const { call, row, at } = held
  await requireMine(held)
  if (row.takerId) return row
  if (row.eventId) {
    const open = await call.db.one(sql`select 1 from shop_event where tenant_id = ${call.db.tenantId}
      and id = ${row.eventId} and status = 0`)
    if (open) await callRoute(call, `${event.path}/acknowledge`, { body: { ids: row.eventId } })
  }
  const taken = await requireTransition(call, guardCase, row.id, 'claim', {
    takerId: call.caller.userId,
    takeTime: at,
    firstTime: row.firstTime ?? at,
  })
  await recordAction(held, 'claim')
  return taken
}

async function releaseCase(held: LockedCase) {
  await requireHeld(held)
  await recordAction(held, 'release')
  return requireTransition(held.call, guardCase, held.row.id, 'release', { takerId: null, takeTime: null })
}

async function reassignCase(held: LockedCase, userId: string) {
  await requireValidReferences(held.call, { userId: handOverInput.userId }, { userId })
  await requireHeld(held)
  if (userId === held.row.takerId) return held.row
  await recordAction(held, 'handOver', { toUser: userId })
  const next = await held.call.db.update(guardCase, held.row.id, { takerId: userId, takeTime: held.at })
  publishRowsChanged(held.call, guardCase, [next])
  return next
}

async function finish(held: LockedCase, outcome: string, remark: string | null) {
  if (held.row.refundId && !isOver(held.row)) throw new Refused('guard_refund_decides')
  const row = await claimCase(held)
  const { call, at } = held
  const { services, lang } = call
  // Before the event is resolved, so that the trigger does not treat the case as ended by itself.
  const done = await requireTransition(call, guardCase, row.id, 'finish', { endTime: at, outcome, remark })
  await recordAction(held, 'finish', { note: remark })
  if (row.eventId) {
    const word = services.labels.dict(call.db.tenantId, guardCase.fields.outcome, outcome, lang)
    await callRoute(call, `${event.path}/resolve`, { body: { ids: row.eventId, remark: remark || word } })
  }
  return done
}

const caseSummary = ({ id, status, takerId, outcome }: Case) => ({
  id,
  status,
  takerId: takerId ?? '',
  outcome: outcome ?? '',
})
const caseId = f.ref('', { label: guardCase.label, required: true })

type SentCommand = { link: DeviceLink; command: DeviceCommand }

/** Queues a phrase to be spoken in the shop of a case; takes the case for the speaker. */
async function askToSay(call: Call<{ id: string; phraseId: string }>): Promise<SentCommand> {
  const { caller, services, input } = call
  let sentCommand: SentCommand | undefined
  const ask = (db: Db) =>
    onCase({ ...call, db }, input.id, async (held) => {
      const { db: own } = held.call
      const [phrase] = await own.find(guardPhrase, sql`r.id = ${input.phraseId}${dataScopeSql(guardPhrase, caller)}`)
      if (!phrase) throw new Refused('not_found', { label: guardPhrase.label })
      if (phrase.enabled === false) throw new Refused('guard_phrase_off', { name: phrase.name })
      await claimCase(held)
      const audio = await own.get(audioConf, phrase.audioId)
      const link = await findGatewayOfShop(own, held.row.shopId!)
      if (!link) throw new Refused('shop_without_gateway')
      const cause = { why: 'manual', source: 'office', userId: caller.userId } as const
      const eventOfCase = { eventId: held.row.eventId ?? undefined }
      const command =
        audio && (await playAnnouncementOnDevice(own, services, { audio, link, cause: { ...cause, ...eventOfCase } }))
      if (!command) throw new Refused('audio_not_ready', { name: phrase.name })
      await recordAction(held, 'say', { note: phrase.name, commandId: command.id })
      sentCommand = { link, command }
    })
  await services.unit({ tenantId: caller.tenantId }, ask, actorOfCaller(caller))
  return sentCommand!
}

async function sayPhrase(call: Call<{ id: string; phraseId: string }>) {
  const { services } = call
  if (!services.slots.find(deviceTransportSlot)) throw new Refused('no_device_line')
  const { link, command } = await askToSay(call)
  // The answer does not wait for the end of the playback; the caller follows the command.
  const refusal = deviceCommandRefusal(command, link)
  if (refusal) throw refusal
  return { cmdId: command.id, state: command.state }
}

const handOverInput = {
  id: caseId,
  userId: f.ref('user', { label: { zh: '移交给', en: 'Hand off to' }, required: true }),
}
const finishInput = {
  id: caseId,
  outcome: f.dict('guard_outcome', { label: guardCase.fields.outcome.label, required: true }),
  remark: f.longText({ label: guardCase.fields.remark.label, max: 500 }),
}

export const caseRoutes = [
  defineRoute({
    method: 'POST',
    path: `${guardCase.path}/claim`,
    title: { zh: '接手值守事项', en: 'Take case' },
    can: 'guardCase_claim',
    input: { id: caseId },
    handle: (call) => onCase(call, call.input.id, async (held) => caseSummary(await claimCase(held))),
  }),
  defineRoute({
    method: 'POST',
    path: `${guardCase.path}/release`,
    title: { zh: '放回值守事项', en: 'Release case' },
    can: 'guardCase_claim',
    input: { id: caseId },
    handle: (call) => onCase(call, call.input.id, async (held) => caseSummary(await releaseCase(held))),
  }),
  defineRoute({
    method: 'POST',
    path: `${guardCase.path}/handOver`,
    title: { zh: '移交值守事项', en: 'Hand off case' },
    can: 'guardCase_handOver',
    input: handOverInput,
    handle: (call) =>
      onCase(call, call.input.id, async (held) => caseSummary(await reassignCase(held, call.input.userId))),
  }),
  defineRoute({
    method: 'POST',
    path: `${guardCase.path}/finish`,
    title: { zh: '处理完值守事项', en: 'Close case' },
    can: 'guardCase_claim',
    input: finishInput,
    handle: async (call) => {
      const { id, outcome, remark } = call.input
      if (!(operatorCaseOutcomeKeys as readonly string[]).includes(outcome))
        throw invalidFieldRefusal({ fields: finishInput }, 'outcome', 'not_a_choice')
      return onCase(call, id, async (held) => caseSummary(await finish(held, outcome, remark)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${guardCase.path}/say`,
    title: { zh: '在门店喊话', en: 'Talk down' },
    can: 'guardCase_say',
    tx: false,
    input: { id: caseId, phraseId: f.ref('', { label: guardPhrase.label, required: true }) },
    handle: sayPhrase,
  }),
]
