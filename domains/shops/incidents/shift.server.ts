import { f, interpolate, type RowOf } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { GUARD_CASE_STATE, AUTOMATIC_CASE_OUTCOME, GUARD_SHIFT_STATE } from './dictionaries.ts'
import { guardShift } from './guard-shift.resource.ts'
import { handoverSentences, type ShiftHandover } from './handover.ts'
import './refusals.ts'

type Shift = RowOf<typeof guardShift>

/** Number of cases of a shop in a shift from which the next shift should watch it. */
const OFTEN = 3
const LISTED = 100
const NOTE_MAX = 2000

/** SQL condition for the cases (alias `c`) of the shops of a shift. */
const ofShift = (db: Db, { shopIds }: Shift): Sql =>
  sql`c.tenant_id = ${db.tenantId}${shopIds?.length ? sql` and c.shop_id = any(${shopIds}::bigint[])` : sql``}`

type Counts = Pick<ShiftHandover, 'came' | 'before' | 'done' | 'itself' | 'left'> & {
  answered: number
  p50: number | null
  p95: number | null
  longest: number | null
}

/** Counts new, ended and answered cases between two times. A case that came and ended counts in both. */
const countsOf = (db: Db, mine: Sql, from: string, until: string) =>
  db.one<Counts>(sql`with mine as (
      select c.*, greatest(0, extract(epoch from c.first_time - c.came_time)) as answer,
        c.came_time >= ${from}::timestamptz and c.came_time < ${until}::timestamptz as is_new,
        c.end_time >= ${from}::timestamptz and c.end_time < ${until}::timestamptz as is_ended,
        c.first_time >= ${from}::timestamptz and c.first_time < ${until}::timestamptz as is_answered
      from guard_case c where ${mine} and c.came_time < ${until}::timestamptz
        and (c.end_time is null or c.end_time >= ${from}::timestamptz)
    ) select (count(*) filter (where is_new))::int as came,
      (count(*) filter (where not is_new))::int as before,
      (count(*) filter (where is_ended and status = ${GUARD_CASE_STATE.done}))::int as done,
      (count(*) filter (where is_ended and status = ${GUARD_CASE_STATE.itself}))::int as itself,
      (count(*) filter (where end_time is null or end_time >= ${until}::timestamptz))::int as left,
      (count(*) filter (where is_answered))::int as answered,
      (percentile_disc(0.5) within group (order by answer) filter (where is_answered))::float8 as p50,
      (percentile_disc(0.95) within group (order by answer) filter (where is_answered))::float8 as p95,
      (max(answer) filter (where is_answered))::float8 as longest from mine`)

const kindsOf = (db: Db, mine: Sql, from: string, until: string) =>
  db.query<{ kind: string; came: number; done: number }>(sql`
    select c.kind, (count(*) filter (where c.came_time >= ${from}::timestamptz))::int as came,
      (count(*) filter (where c.status = ${GUARD_CASE_STATE.done} and c.end_time >= ${from}::timestamptz
        and c.end_time < ${until}::timestamptz))::int as done
    from guard_case c where ${mine} and c.came_time < ${until}::timestamptz
      and (c.came_time >= ${from}::timestamptz or c.end_time >= ${from}::timestamptz)
    group by c.kind order by 2 desc, c.kind`)

const outcomesOf = (db: Db, mine: Sql, from: string, until: string) =>
  db.query<{ outcome: string; count: number }>(sql`select c.outcome, count(*)::int as count from guard_case c
    where ${mine} and c.status = ${GUARD_CASE_STATE.done} and c.end_time >= ${from}::timestamptz
      and c.end_time < ${until}::timestamptz and c.outcome <> ${AUTOMATIC_CASE_OUTCOME.itself}
    group by c.outcome order by 2 desc, c.outcome`)

const openOf = (db: Db, mine: Sql, until: string) =>
  db.query<ShiftHandover['open'][number]>(sql`select c.id, c.kind, c.shop_id, coalesce(s.shop_name, '') as shop_name,
      to_char(c.came_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as since,
      coalesce(nullif(u.real_name, ''), u.account, '') as taker_name
    from guard_case c left join basic_shop_info s on s.tenant_id = c.tenant_id and s.id = c.shop_id
    left join sys_user u on u.tenant_id = c.tenant_id and u.id = c.taker_id
    where ${mine} and c.came_time < ${until}::timestamptz
      and (c.end_time is null or c.end_time >= ${until}::timestamptz)
    order by c.level desc, c.came_time limit ${LISTED}`)

const watchOf = (db: Db, mine: Sql, from: string, until: string) =>
  db.query<ShiftHandover['watch'][number]>(sql`with busy as (
      select c.shop_id, count(*)::int as n, (count(*) filter (where c.kind = 'unpaidLeave'))::int as unpaid
      from guard_case c where ${mine} and c.came_time >= ${from}::timestamptz and c.came_time < ${until}::timestamptz
      group by c.shop_id)
    select w.why, w.shop_id, s.shop_name, w.n as count from (
      select 'often' as why, 3 as rank, shop_id, n from busy where n >= ${OFTEN}
      union all select 'unpaid', 2, shop_id, unpaid from busy where unpaid > 1
      union all select 'offline', 0, c.shop_id, 1 from device_link c where ${mine} and c.kind = 'gateway'
        and c.state = 'offline'
      union all select 'held', 1, c.shop_id, 1 from device_link c where ${mine} and c.kind = 'gateway'
        and c.reported @? '$.doors[*] ? (@.mode == "hold")'
    ) w join basic_shop_info s on s.tenant_id = ${db.tenantId} and s.id = w.shop_id
      and s.is_deleted = 0 and (w.rank > 1 or s.status = 1)
    order by w.rank, w.n desc, w.shop_id limit ${LISTED}`)

/** Phrases spoken and doors controlled by the person during the shift. */
const countActions = (db: Db, { userId }: Shift, from: string, until: string) =>
  db.one<{ said: number; doors: number }>(sql`select
    (select count(*)::int from guard_deed d where d.tenant_id = ${db.tenantId} and d.user_id = ${userId}
      and d.kind = 'say' and d.create_time >= ${from}::timestamptz and d.create_time < ${until}::timestamptz) as said,
    (select count(*)::int from device_command d where d.tenant_id = ${db.tenantId} and d.user_id = ${userId}
      and d.method in ('door.control', 'door.forceClose') and d.create_time >= ${from}::timestamptz
      and d.create_time < ${until}::timestamptz) as doors`)

/** Builds the handover of a shift from the rows; of a running shift up to now. */
export async function buildShiftHandover(db: Db, shift: Shift, until: string): Promise<ShiftHandover> {
  const from = shift.startTime!
  const mine = ofShift(db, shift)
  const counts = (await countsOf(db, mine, from, until))!
  const { answered, p50, p95, longest, ...rest } = counts
  return {
    from,
    until,
    ...rest,
    answer: { count: answered, p50: round(p50), p95: round(p95), max: round(longest) },
    kinds: await kindsOf(db, mine, from, until),
    outcomes: await outcomesOf(db, mine, from, until),
    ...(await countActions(db, shift, from, until))!,
    open: await openOf(db, mine, until),
    watch: await watchOf(db, mine, from, until),
  }
}

const round = (seconds: number | null) => Math.round(seconds ?? 0)

/** Appends a note with time and author, one line for each. */
function noted(shift: Shift, note: string | null, { caller, services }: Call): string | null {
  if (!note?.trim()) return shift.note
  const line = `${formatShanghaiTime(services.now()).slice(5, 16)} ${caller.name || caller.account}：${note.trim()}`
  return [shift.note, line].filter(Boolean).join('\n').slice(-NOTE_MAX)
}

const requireOwn = ({ userId }: Shift, { caller }: Call): void => {
  if (userId !== caller.userId && !caller.isAdmin) throw new Refused('shift_of_other')
}

/** Whether a shift's shops are all the caller's: otherwise it is neither shown nor continued. */
export const isWithinCallerShops = ({ limits }: Call['caller'], shopIds: readonly string[] | null): boolean =>
  !limits.shop || !!shopIds?.every((id) => limits.shop!.includes(id))

async function beginShift(call: Call) {
  const { db, caller, services } = call
  await db.advisoryLock(`shift/${caller.userId}`)
  const [running] = await db.find(
    guardShift,
    sql`r.user_id = ${caller.userId} and r.status = ${GUARD_SHIFT_STATE.running}`,
  )
  // A repeated request returns the running shift.
  if (running && isWithinCallerShops(caller, running.shopIds)) return { id: running.id, startTime: running.startTime }
  if (running) await end(running, null, call)
  const shift = await db.insert(guardShift, {
    userId: caller.userId,
    status: GUARD_SHIFT_STATE.running,
    startTime: formatShanghaiTime(services.now()),
    shopIds: caller.limits.shop ? [...caller.limits.shop] : null,
    openKey: caller.userId,
  })
  publishRowsChanged(call, guardShift, [shift])
  return { id: shift.id, startTime: shift.startTime }
}

/** Added to the end time, so that events of the same second are included. */
const END_MS = 1000

async function end(shift: Shift, note: string | null, call: Call) {
  requireOwn(shift, call)
  const now = call.services.now()
  const handover = await buildShiftHandover(call.db, shift, formatShanghaiTime(new Date(now.getTime() + END_MS)))
  const { came, done, itself, left, answer } = handover
  await requireTransition(call, guardShift, shift.id, 'end', {
    endTime: formatShanghaiTime(now),
    came,
    done,
    itself,
    left,
    answerP95: answer.count ? answer.p95 : null,
    handover,
    note: noted(shift, note, call),
    openKey: null,
  })
  return { id: shift.id, came, done, itself, left }
}

export const guardShiftServer = serve(guardShift, {
  without: ['submit', 'remove'],
  actions: {
    begin: (_none, _input, call) => beginShift(call),
    end: (row, input, call) => end(row, input.note, call),
    amend: async (row, input, call) => {
      requireOwn(row, call)
      const next = await call.db.update(guardShift, row.id, { note: noted(row, input.note, call) })
      publishRowsChanged(call, guardShift, [next])
      return { id: row.id, note: next.note }
    },
  },
})

/** Returns a handover as written, or of a running shift as of now: figures, rows and sentences. */
async function handover(call: Call<{ id: string }>) {
  const { caller, services, lang, input } = call
  let report: object = {}
  await forEachTenantOfRows(call, guardShift, [input.id], async ([id], db) => {
    const [shift] = await db.find(guardShift, sql`r.id = ${id}${dataScopeSql(guardShift, caller)}`)
    if (!shift) throw new Refused('not_found', { label: guardShift.label })
    const one =
      shift.status === GUARD_SHIFT_STATE.over
        ? (shift.handover as ShiftHandover)
        : await buildShiftHandover(db, shift, formatShanghaiTime(new Date(services.now().getTime() + END_MS)))
    const lines = handoverSentences(one, (words, params) => interpolate(words[lang], params))
    report = { ...one, lines, note: shift.note ?? '' }
  })
  return report
}

export const shiftRoutes = [
  defineRoute({
    method: 'GET',
    path: `${guardShift.path}/handover`,
    title: { zh: '交班内容', en: 'Handover notes' },
    can: guardShift.code,
    input: { id: f.ref('', { label: guardShift.label, required: true }) },
    handle: handover,
  }),
]
