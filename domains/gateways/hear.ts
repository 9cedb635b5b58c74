import type { Json } from '#kit/server/shared/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { Services } from '#kit/server/services.ts'
import { send, sendWaiting } from './ask-command.ts'
import { CODE, commandOf, OPEN, type Command, type CommandState, type Hello, type Link } from './command.ts'
import { clockOffsetOf, likelyOffset, officeTime } from './device-clock.ts'
import { deviceCommand } from './device-command.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import { codeWords, heardBy, type Heard } from './heard.ts'
import { deviceLine } from './line.ts'
import type { Presence } from './presence.ts'
import { prefixOf, spokenBy } from './topics.ts'
import { expiryOf, keepDue, seen, tell, turn } from './turn.ts'

/** A message that cannot be understood, or is nobody's: kept aside, never tried again. */
export class Misheard extends Error {
  override name = 'Misheard'
}

/** One message of a device whose line is known. */
type Told = {
  services: Services
  presence: Presence
  link: Link
  message: Record<string, any>
  /** Said at this moment; else the broker had kept it, and it proves nobody's presence. */
  isNow: boolean
  /** It waited behind many others: when it was said is not now. */
  isLate: boolean
}

const TEXT_MAX = 500
const text = (value: unknown, max = TEXT_MAX): string | null =>
  typeof value === 'string' && value ? value.replaceAll('\0', '').slice(0, max) : null
const millis = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Misheard('ts is no time')
  return value
}
const idOf = (value: unknown): string => {
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value)) throw new Misheard('id is no command of ours')
  return value
}

/** What the broker has kept tells of now, whenever it was said. */
const momentOf = ({ link, message, services, isNow }: Told): Date =>
  isNow ? officeTime(millis(message.ts), link.clockOffset, services.now().getTime()) : services.now()

const inUnit = <T>({ services, link }: Told, work: (db: Db) => Promise<T>): Promise<T> =>
  services.unit({ tenantId: link.tenantId }, work)

const down = async ({ services, link }: Told, about: string, message: object): Promise<void> =>
  services.slots.find(deviceLine)?.publish(`${prefixOf(link.tenantId, link.clientId!)}down/${about}`, message)

/** Comes and goes. A will that arrives late tells of a connection that is over already, and is passed over. */
async function online(told: Told): Promise<void> {
  const { message, link, presence, isNow } = told
  const connId = text(message.connId, 64)
  if (!connId) throw new Misheard('connId is missing')
  if (message.online === true) await inUnit(told, (db) => presence.came(db, link, connId, { isNow }))
  else await inUnit(told, (db) => presence.went(db, link.id, connId))
}

const daysBack = (services: Services, days: number) =>
  new Date(services.now().getTime() - days * 86_400_000).toISOString()

/** What is at work in a device that may have forgotten it, or that may have done what we never heard of. */
const unclear = (db: Db, { link, services }: Told) =>
  db.find(
    deviceCommand,
    sql`r.link_id = ${link.id} and r.create_time > ${daysBack(services, 1)}
      and r.state in ('sent', 'taken', 'unknown')`,
    sql`order by r.id limit 200`,
  )

async function hello(told: Told): Promise<void> {
  const { message, link, presence, services } = told
  const said: Hello = {
    connId: text(message.connId, 64) ?? '',
    bootId: text(message.bootId, 64) ?? '',
    fw: text(message.fw, 50) ?? '',
    app: text(message.app, 50) ?? undefined,
    hw: text(message.hw, 50) ?? undefined,
    ip: text(message.ip, 45) ?? undefined,
    ts: millis(message.ts),
    caps: Array.isArray(message.caps) ? message.caps.map(String).slice(0, 50) : [],
  }
  if (!said.connId || !said.bootId) throw new Misheard('connId or bootId is missing')
  const now = services.now().getTime()
  const { open, offsetMs } = await inUnit(told, async (db) => {
    const was = await db.get(deviceLink, link.id, 'lock')
    if (!was) throw new Misheard('nobody of this number any more')
    const measured = clockOffsetOf(said.ts, now)
    const error = told.isLate ? likelyOffset(measured, was.clockOffset) : measured
    await presence.greeted(db, was, said, error)
    for (const command of await unclear(db, told)) {
      const verdict = commandOf(command.method!)?.endsByHello?.(command, said, was)
      if (verdict === 'seen') await seen(db, services, command.id)
      else if (verdict)
        await turn(db, services, command.id, verdict.state, { ...verdict, isSeen: verdict.state === 'done' })
    }
    return { open: await unclear(db, told), offsetMs: error }
  })
  await down(told, 'hello', { ts: said.ts, now, offsetMs })
  if (open.length) await down(told, 'query', { ids: open.map(({ id }) => id) })
  await sendWaiting(services, link.tenantId, link.id)
  await tellDesired(services, link)
}

/** What the device should be set to, told anew with each hello; the broker keeps the last one for it. */
export async function tellDesired(services: Services, link: Link): Promise<void> {
  for (const give of heardBy.desired) {
    const wanted = await services.unit({ tenantId: link.tenantId }, (db) => give({ db, services, link }))
    if (wanted)
      await services.slots
        .find(deviceLine)
        ?.publish(`${prefixOf(link.tenantId, link.clientId!)}down/desired`, wanted, { retain: true })
  }
}

/** A command of this device; another's is none. */
async function commandFor(db: Db, link: Link, id: string): Promise<Command | undefined> {
  const command = await db.get(deviceCommand, id)
  return command?.linkId === link.id ? command : undefined
}

async function ack(told: Told): Promise<void> {
  const { message, link, services } = told
  const id = idOf(message.id)
  await inUnit(told, async (db) => {
    const command = await commandFor(db, link, id)
    if (!command) return
    if (message.ok === true) return turn(db, services, id, 'taken')
    const code = Number(message.code) || CODE.other
    if (code === CODE.expired) return turn(db, services, id, 'expired', { code })
    if (code === CODE.notFound && command.state !== 'asked') return neverHeard(told, db, command)
    return turn(db, services, id, 'refused', { code, message: text(message.msg) ?? codeWords[code]?.zh })
  })
}

/** The device has never heard of it: it was lost on the way. It goes again while it lives, else it is over, undone. */
async function neverHeard({ services, link }: Told, db: Db, command: Command): Promise<unknown> {
  const exp = await expiryOf(db, command.id)
  if (services.now().getTime() >= exp) return turn(db, services, command.id, 'expired', { code: CODE.expired })
  if (command.state !== 'sent') return undefined
  db.afterCommit(() => void send(services, link.tenantId, command, exp))
  return undefined
}

async function res(told: Told): Promise<void> {
  const { message, link, services, presence } = told
  const id = idOf(message.id)
  const whole = presence.assemble(id, message)
  if (!whole) return
  await inUnit(told, async (db) => {
    const command = await commandFor(db, link, id)
    if (!command) return
    const code = Number(message.code ?? CODE.other)
    if (code === CODE.expired) return turn(db, services, id, 'expired', { code })
    // What only a new start or a version can prove is not done because the device says so.
    if (code === CODE.done && commandOf(command.method!)?.endsByHello && !command.seenTime)
      return turn(db, services, id, 'taken')
    const state = code === CODE.done ? 'done' : 'failed'
    const words = text(message.msg) ?? (code === CODE.done ? null : codeWords[code]?.zh)
    return turn(db, services, id, state, { code, message: words, result: whole.data ?? undefined })
  })
}

async function prog(told: Told): Promise<void> {
  const { message, link, services } = told
  const id = idOf(message.id)
  const percent = Math.max(0, Math.min(100, Math.round(Number(message.pct) || 0)))
  await inUnit(told, async (db) => {
    const command = await commandFor(db, link, id)
    if (!command || !OPEN.includes(command.state as CommandState)) return
    if (command.state !== 'taken') await turn(db, services, id, 'taken')
    const now = await db.update(deviceCommand, id, { step: text(message.step, 40), percent })
    const wait = commandOf(command.method!)?.doneMs ?? 0
    await keepDue(db, now, new Date(services.now().getTime() + wait))
    tell(db, now)
  })
}

async function evt(told: Told): Promise<void> {
  const { message, link, services } = told
  const [eid, type] = [text(message.eid, 64), text(message.type, 40)]
  if (!eid || !type) throw new Misheard('eid or type is missing')
  const at = momentOf(told)
  const data = (typeof message.data === 'object' && message.data !== null ? message.data : {}) as Record<string, Json>
  await inUnit(told, async (db) => {
    const isNew = await db.run(sql`insert into device_event (id, tenant_id, link_id, eid, type, data, time,
      said_time) values (${newId()}, ${db.tenantId}, ${link.id}, ${eid}, ${type}, ${JSON.stringify(data)},
        ${at.toISOString()},
        ${new Date(millis(message.ts)).toISOString()}) on conflict do nothing`)
    if (isNew) await hearAll(heardBy.events.get(type) ?? [], { db, services, link, data, at })
  })
  // After the commit: until then the device keeps it, and says it again.
  await down(told, 'evtack', { eids: [eid] })
}

async function hearAll(hear: readonly ((heard: Heard) => Promise<void>)[], heard: Heard): Promise<void> {
  for (const one of hear) await one(heard)
}

async function state(told: Told): Promise<void> {
  const { message, link, services, presence, isNow } = told
  const at = momentOf(told)
  await inUnit(told, async (db) => {
    await presence.reported(db, link.id, message, { isNow })
    await lookedAt({ db, services, link, data: message, at })
  })
}

/** A device told a part of its state in the answer to a command: known from now on as if it had reported it. */
export async function answeredState(heard: Heard): Promise<void> {
  const { db, link, data } = heard
  await db.run(sql`update device_link set reported = coalesce(reported, '{}'::jsonb) || ${JSON.stringify(data)}::jsonb
    where tenant_id = ${db.tenantId} and id = ${link.id}`)
  await lookedAt(heard)
}

/** What was commanded is seen where the state shows it; then the rooms hear the state. */
async function lookedAt(heard: Heard): Promise<void> {
  const { db, services, link, data } = heard
  const shown = await db.find(
    deviceCommand,
    sql`r.link_id = ${link.id} and r.state in ('taken', 'done', 'unknown') and r.seen_time is null
      and r.create_time > ${daysBack(services, 1 / 144)}`,
  )
  for (const command of shown)
    if (commandOf(command.method!)?.isSeen?.(command.params, data, command)) await seen(db, services, command.id)
  await hearAll(heardBy.states, heard)
}

/** Answered in its own transaction; what the answer promises stands before the device hears it. */
async function ask(told: Told): Promise<void> {
  const { message, link, services } = told
  const [id, type] = [text(message.id, 64), text(message.type, 40)]
  const answer = type && heardBy.questions.get(type)
  if (!id || !type) throw new Misheard('id or type is missing')
  if (!answer) return down(told, 'answer', { id, code: CODE.unsupported })
  const at = momentOf(told)
  const data = { ...(message.data as object | undefined), askId: id }
  const said = await inUnit(told, (db) => answer({ db, services, link, data, at }))
  return down(told, 'answer', { id, ...said })
}

const about: Record<string, (told: Told) => Promise<void>> = { online, hello, ack, res, prog, evt, state, ask }

/** Takes one message of a device. Throws `Misheard` for what can never be understood; anything else is tried again. */
export async function hear(
  services: Services,
  presence: Presence,
  topic: string,
  message: unknown,
  { retained = false, isLate = false } = {},
): Promise<void> {
  const spoken = spokenBy(topic)
  if (!spoken || typeof message !== 'object' || message === null) throw new Misheard('no message of a device')
  const link = await presence.linkOf(spoken.tenantId, spoken.clientId)
  if (!link) throw new Misheard('nobody of this number')
  if (spoken.about === 'hb') return presence.beat(link, message as Record<string, unknown>, { isLate })
  const handle = about[spoken.about]
  if (!handle) throw new Misheard(`nothing is said under ${spoken.about}`)
  const isNow = !retained
  if (isNow) presence.heardOf(link)
  await handle({ services, presence, link, message: message as Record<string, any>, isNow, isLate })
}

/** Looks at commands whose time has come; answers how many. */
export async function lookAtDue(services: Services): Promise<number> {
  const due = await services.unit({ across: 'commands of all tenants whose time has come' }, (db) =>
    db.query<{ id: string; tenantId: string }>(sql`select id, tenant_id from device_command_due
      where due_time <= ${services.now().toISOString()} order by due_time limit 500`),
  )
  for (const { id, tenantId } of due) await lookAt(services, tenantId, id)
  return due.length
}

/** Once more while it lives and is not known to be taken; then it is expired where it never left, else unknown. */
async function lookAt(services: Services, tenantId: string, id: string): Promise<void> {
  const next = await services.unit({ tenantId }, async (db) => {
    const command = await db.get(deviceCommand, id, 'lock')
    if (!command || !OPEN.includes(command.state as CommandState)) {
      await db.run(sql`delete from device_command_due where tenant_id = ${tenantId} and id = ${id}`)
      return undefined
    }
    const exp = await expiryOf(db, id)
    const isAlive = services.now().getTime() < exp
    if (command.state === 'asked') {
      if (isAlive) return { command, exp }
      await turn(db, services, id, 'expired')
      return undefined
    }
    if (command.state === 'sent' && isAlive && (command.tries ?? 0) < TRIES_MAX) return { command, exp }
    if (command.state === 'sent' && isAlive && commandOf(command.method!)?.offline === 'wait') {
      await keepDue(db, command, new Date(exp))
      return undefined
    }
    await turn(db, services, id, 'unknown')
    return { command, exp, isLost: true }
  })
  if (!next) return
  if (!next.isLost) return send(services, tenantId, next.command, next.exp)
  await services.slots
    .find(deviceLine)
    ?.publish(`${prefixOf(tenantId, next.command.clientId!)}down/query`, { ids: [id] })
    .catch(() => {})
}

const TRIES_MAX = 2
