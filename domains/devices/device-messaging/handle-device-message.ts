import { sanitizeForStorage } from '#kit/server/base/outside-json.ts'
import type { Json } from '#kit/server/shared/index.ts'
import { MessageRejectedError } from '#kit/server/broker/index.ts'
import { withConnectionLimits, sql, awaitBatch, type Db, type Sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { Services } from '#kit/server/module/services.ts'
import { sendDeviceCommand, sendQueuedCommands } from './request-command.ts'
import {
  ALREADY_APPLIED_MESSAGE,
  DEVICE_REPLY_CODE,
  findCommandDefinition,
  OPEN_COMMAND_STATES,
  type DeviceCommand,
  type CommandState,
  type DeviceHello,
  type DeviceLink,
} from './command.ts'
import {
  computeClockOffsetMs,
  isValidTimestampMs,
  estimateClockOffsetMs,
  deviceTimeToServerTime,
} from './device-clock.ts'
import { normalizeDeviceIdentifier } from './identity.ts'
import { deviceCommand } from './device-command.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import {
  deviceReplyCodeTexts,
  deviceHandlers,
  InvalidDeviceMessageError,
  type DeviceMessageContext,
} from './device-handlers.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { createDevicePresence, type LinkEndReason, type DevicePresence } from './presence.ts'
import { deviceTopicPrefix, parseTopic } from './topics.ts'
import {
  findCommandExpiryMs,
  scheduleCommandCheck,
  confirmCommandBySensor,
  enableAsyncCommit,
  publishCommandChanged,
  transitionCommand,
} from './command-transition.ts'

/** Message of a command whose device reported "done" although the server has received no result. */
const NOTHING_CAME = 'nothing_came'

/** One message of a known device, with what its handlers need. */
type DeviceMessage = {
  services: Services
  presence: DevicePresence
  link: DeviceLink
  message: Record<string, any>
  /** False for a retained message the broker had stored, which does not prove that the device is online. */
  isNow: boolean
  /**
   * Whether the message waited in a queue before the server, so that its arrival says nothing about the device's clock.
   */
  isLate: boolean
  /** When it arrived, by the server's clock, in milliseconds. It may have waited in this process since. */
  arrivedAt: number
}

const TEXT_MAX = 500
const text = (value: unknown, max = TEXT_MAX): string | null =>
  typeof value === 'string' && value ? sanitizeForStorage(value.slice(0, max)) : null
const millis = (value: unknown): number => {
  if (!isValidTimestampMs(value)) throw new InvalidDeviceMessageError('ts is no time')
  return value
}
const idOf = (value: unknown): string => {
  if (typeof value !== 'string' || !/^\d{1,18}$/.test(value))
    throw new InvalidDeviceMessageError('id is no command of ours')
  return value
}

/** Returns a device's result code. Anything that is not an integer counts as `other`. */
const codeOf = (value: unknown): number =>
  Number.isInteger(Number(value)) && Math.abs(Number(value)) < 1_000_000 ? Number(value) : DEVICE_REPLY_CODE.other

/** Returns when a message was sent, by the server's clock. A retained one counts as of now. */
const momentOf = ({ link, message, services, isNow }: DeviceMessage): Date =>
  isNow ? deviceTimeToServerTime(millis(message.ts), link.clockOffset, services.now().getTime()) : services.now()

const inUnit = <T>({ services, link }: DeviceMessage, work: (db: Db) => Promise<T>): Promise<T> =>
  services.unit({ tenantId: link.tenantId }, work)

const down = async ({ services, link }: DeviceMessage, about: string, message: object): Promise<void> =>
  services.slots
    .find(deviceTransportSlot)
    ?.publish(`${deviceTopicPrefix(link.tenantId, link.clientId!)}down/${about}`, message)

/** Handles going online and offline. A delayed will (MQTT) of an earlier connection is ignored. */
async function online(incoming: DeviceMessage): Promise<void> {
  const { message, link, presence, isNow } = incoming
  const connId = normalizeDeviceIdentifier(message.connId)
  if (!connId) throw new InvalidDeviceMessageError('connId is missing')
  await inUnit(incoming, (db) => {
    enableAsyncCommit(db)
    return message.online === true
      ? presence.came(db, link, connId, { isNow })
      : presence.went(db, link.id, connId, endOf(message.reason))
  })
}

/** Maps the reason a device gives for going offline. `lwt` is the will the broker sends for it. */
const endOf = (reason: unknown): LinkEndReason => (reason === 'lwt' ? 'lost' : reason === 'reboot' ? 'restart' : 'left')

const daysBack = (services: Services, days: number) =>
  new Date(services.now().getTime() - days * 86_400_000).toISOString()

/** Returns the device's commands of the last day without a known result. */
const unclear = (
  db: Db,
  { link, services }: DeviceMessage,
  states: readonly CommandState[] = ['sent', 'taken', 'unknown'],
) =>
  db.find(
    deviceCommand,
    sql`r.link_id = ${link.id} and r.client_id = ${link.clientId} and r.create_time > ${daysBack(services, 1)}
      and r.state = any(${[...states]}::text[])`,
    sql`order by r.id desc limit ${QUERY_MAX}`,
  )

async function hello(incoming: DeviceMessage): Promise<void> {
  const { message, link, presence, services } = incoming
  const greeting: DeviceHello = {
    connId: normalizeDeviceIdentifier(message.connId) ?? '',
    bootId: normalizeDeviceIdentifier(message.bootId) ?? '',
    fw: text(message.fw, 50) ?? '',
    app: text(message.app, 50) ?? undefined,
    hw: text(message.hw, 50) ?? undefined,
    ip: text(message.ip, 45) ?? undefined,
    ts: millis(message.ts),
    caps: Array.isArray(message.caps) ? message.caps.map(String).slice(0, 50) : [],
  }
  if (!greeting.connId || !greeting.bootId) throw new InvalidDeviceMessageError('connId or bootId is missing')
  const now = services.now().getTime()
  const { open, offsetMs, wanted } = await inUnit(incoming, async (db) => {
    const [was, before, ...desired] = await awaitBatch([
      db.get(deviceLink, link.id, 'forUpdate'),
      unclear(db, incoming, ['asked', 'sent', 'taken', 'unknown']),
      ...wantedOf(db, services, link),
    ])
    if (was?.clientId !== link.clientId) throw new InvalidDeviceMessageError('nobody of this number any more')
    const measured = computeClockOffsetMs(greeting.ts, incoming.arrivedAt)
    const error = incoming.isLate ? estimateClockOffsetMs(measured, was.clockOffset) : measured
    await presence.greeted(db, was, greeting, error)
    await applyReply(db, services, before, { greeting, was })
    if (!before.length) enableAsyncCommit(db)
    return { open: before.length ? await unclear(db, incoming) : [], offsetMs: error, wanted: desired }
  })
  await down(incoming, 'hello', { ts: greeting.ts, now, offsetMs })
  if (open.length) await down(incoming, 'query', { ids: open.map(({ id }) => id) })
  await sendQueuedCommands(services, link)
  await publishDesiredStates(services, link, wanted)
}

type Greeting = { greeting: DeviceHello; was: DeviceLink }

/** Applies a hello to the commands whose end a hello reports. */
async function applyReply(
  db: Db,
  services: Services,
  open: readonly DeviceCommand[],
  { greeting, was }: Greeting,
): Promise<void> {
  for (const command of open) {
    const verdict = findCommandDefinition(command.method!)?.completedByHello?.(command, greeting, was)
    if (verdict === 'seen') await confirmCommandBySensor(db, services, command.id)
    else if (verdict === 'already')
      await transitionCommand(db, services, command.id, 'refused', { message: ALREADY_APPLIED_MESSAGE })
    else if (verdict)
      await transitionCommand(db, services, command.id, verdict.state, { ...verdict, isSeen: verdict.state === 'done' })
  }
}

/** Starts to load the settings a device should have, one promise per provider. */
const wantedOf = (db: Db, services: Services, link: DeviceLink) =>
  deviceHandlers.desired.map((give) => give({ db, services, link }))
type DesiredState = Awaited<ReturnType<typeof wantedOf>[number]>

async function publishDesiredStates(services: Services, link: DeviceLink, all: readonly DesiredState[]): Promise<void> {
  const topic = `${deviceTopicPrefix(link.tenantId, link.clientId!)}down/desired`
  for (const wanted of all)
    if (wanted)
      await services.slots
        .find(deviceTransportSlot)
        ?.publish(topic, wanted, { retain: true })
        .catch((err: unknown) => {
          // The settings are too large for the broker. Trying again would not help.
          if (!(err instanceof MessageRejectedError)) throw err
          services.log.error({ err, topic }, 'The broker does not take what a device should be set to')
        })
}

/** Sends a device the settings it should have. They are retained, so that it receives the latest when it connects. */
export async function sendDesiredState(services: Services, link: DeviceLink): Promise<void> {
  const wanted = await services.unit({ tenantId: link.tenantId }, (db) => awaitBatch(wantedOf(db, services, link)))
  await publishDesiredStates(services, link, wanted)
}

/** Returns a command of this device. Undefined for another's, and for those of a device that had its place before. */
async function commandFor(db: Db, link: DeviceLink, id: string): Promise<DeviceCommand | undefined> {
  const command = await db.get(deviceCommand, id)
  return command?.linkId === link.id && command.clientId === link.clientId ? command : undefined
}

async function ack(incoming: DeviceMessage): Promise<void> {
  const { message, link, services } = incoming
  const id = idOf(message.id)
  await inUnit(incoming, async (db) => {
    if (message.ok === true) {
      enableAsyncCommit(db)
      return transitionCommand(db, services, id, 'taken', { saidBy: link })
    }
    const command = await commandFor(db, link, id)
    if (!command) return
    const code = codeOf(message.code) || DEVICE_REPLY_CODE.other
    if (code === DEVICE_REPLY_CODE.expired) return transitionCommand(db, services, id, 'expired', { code })
    if (code === DEVICE_REPLY_CODE.neverHeard && command.state !== 'asked') return resendOrExpire(incoming, db, command)
    return transitionCommand(db, services, id, 'refused', {
      code,
      message: text(message.msg) ?? deviceReplyCodeTexts[code]?.zh,
    })
  })
}

/** The device never received the command. Resends it while it is valid, else ends it as expired. */
async function resendOrExpire(incoming: DeviceMessage, db: Db, command: DeviceCommand): Promise<unknown> {
  const { services, message, link } = incoming
  const [exp, known] = await awaitBatch([findCommandExpiryMs(db, command.id), db.get(deviceLink, link.id)])
  const now = services.now().getTime()
  // Judged by the corrected clock of the device, with which it rejects late commands: it would not begin with another
  // copy after this.
  const repliedAt = deviceTimeToServerTime(millis(message.ts), known?.clockOffset ?? null, now)
  if (repliedAt.getTime() >= exp)
    return transitionCommand(db, services, command.id, 'expired', { code: DEVICE_REPLY_CODE.expired })
  // The message was delayed and another copy may have reached the device since, so it is asked again.
  if (now >= exp) return void setTimeout(() => void askAfter(services, command), ASK_AGAIN_MS)
  // It is no longer resent, but a copy on its way could still arrive: asks once that copy has expired.
  if (command.state === 'unknown') return scheduleCommandCheck(db, command, new Date(exp))
  if (command.state !== 'sent') return undefined
  // The effect is there without this command, which therefore must not run again.
  if (command.seenTime && findCommandDefinition(command.method!)?.completedByHello)
    return transitionCommand(db, services, command.id, 'refused', {
      code: DEVICE_REPLY_CODE.neverHeard,
      message: ALREADY_APPLIED_MESSAGE,
    })
  db.afterCommit(() => void sendDeviceCommand(services, link.tenantId, command, exp))
  return undefined
}

const ASK_AGAIN_MS = 1_000

/** Asks a device what became of a command. If the message is lost, the next hello asks again. */
const askAfter = async (services: Services, { tenantId, clientId, id }: DeviceCommand): Promise<void> =>
  services.slots
    .find(deviceTransportSlot)
    ?.publish(`${deviceTopicPrefix(tenantId, clientId!)}down/query`, { ids: [id] })
    .catch(() => {})

async function res(incoming: DeviceMessage): Promise<void> {
  const { message, link, services, presence } = incoming
  const id = idOf(message.id)
  const code = codeOf(message.code ?? DEVICE_REPLY_CODE.other)
  const state = code === DEVICE_REPLY_CODE.done ? 'done' : code === DEVICE_REPLY_CODE.expired ? 'expired' : 'failed'
  const words = text(message.msg) ?? (code === DEVICE_REPLY_CODE.done ? null : deviceReplyCodeTexts[code]?.zh)
  await inUnit(incoming, async (db) => {
    // Only parts of this device's own commands are kept. A complete result needs no look-up: one UPDATE checks and ends
    // it.
    if (message.parts > 1 && !(await commandFor(db, link, id))) return
    const whole = presence.assemble(id, message)
    if (!whole) return
    const news = state === 'expired' ? { code } : { code, message: words, result: whole.data ?? undefined }
    const ended = await transitionCommand(db, services, id, state, { ...news, saidBy: link })
    // A "done" that needs a new start, a version or the server's confirmation does not end the command.
    if (ended || state !== 'done') return
    const command = await commandFor(db, link, id)
    if (!command) return
    if (!findCommandDefinition(command.method!)?.confirmedByServer)
      return void (await transitionCommand(db, services, id, 'taken'))
    await transitionCommand(db, services, id, 'failed', { code: DEVICE_REPLY_CODE.other, message: NOTHING_CAME })
  })
}

async function prog(incoming: DeviceMessage): Promise<void> {
  const { message, link, services } = incoming
  const id = idOf(message.id)
  const percent = shareOf(message.pct)
  await inUnit(incoming, async (db) => {
    const command = await commandFor(db, link, id)
    if (!command || !OPEN_COMMAND_STATES.includes(command.state as CommandState)) return
    if (command.state !== 'taken') await transitionCommand(db, services, id, 'taken')
    const now = await db.update(deviceCommand, id, {
      step: text(message.step, 40),
      ...(percent !== undefined && { percent }),
    })
    const wait = findCommandDefinition(command.method!)?.completionTimeoutMs ?? 0
    await scheduleCommandCheck(db, now, new Date(services.now().getTime() + wait))
    publishCommandChanged(db, now)
  })
}

/** Returns a progress in per cent (0 when absent), or undefined when it is invalid. */
const shareOf = (value: unknown): number | undefined => {
  const percent = value === undefined ? 0 : Math.round(Number(value))
  return percent >= 0 && percent <= 100 ? percent : undefined
}

/** Stores an event and acknowledges it. An invalid one is acknowledged too, as the device would repeat it for ever. */
async function evt(incoming: DeviceMessage): Promise<void> {
  const { eid } = incoming.message
  if (normalizeDeviceIdentifier(eid) === null) throw new InvalidDeviceMessageError('eid is missing')
  let misheard: InvalidDeviceMessageError | undefined
  try {
    await keepEvent(incoming)
  } catch (error) {
    if (!(error instanceof InvalidDeviceMessageError)) throw error
    misheard = error
  }
  // After the commit: until then the device keeps it, and says it again.
  await down(incoming, 'evtack', { eids: [eid] })
  if (misheard) throw misheard
}

async function keepEvent(incoming: DeviceMessage): Promise<void> {
  const { message, link, services } = incoming
  const [eid, type] = [normalizeDeviceIdentifier(message.eid)!, text(message.type, 40)]
  if (!type) throw new InvalidDeviceMessageError('type is missing')
  const at = momentOf(incoming)
  const data = (typeof message.data === 'object' && message.data !== null ? message.data : {}) as Record<string, Json>
  const sentAt = new Date(millis(message.ts)).toISOString()
  const keep = (db: Db, key: string, where: Sql) =>
    db.run(sql`insert into device_event (id, tenant_id, link_id, eid, type, data, time, said_time)
      select ${newId()}, ${db.tenantId}, ${link.id}, ${key}, ${type}, ${JSON.stringify(data)}::jsonb,
        ${at.toISOString()}::timestamptz, ${sentAt}::timestamptz where ${where} on conflict do nothing`)
  await inUnit(incoming, async (db) => {
    const isNew =
      (await keep(db, eid, sql`true`)) || (await keep(db, `${link.clientId}/${eid}`, isOfOneBefore(db, link, eid)))
    if (isNew) await runHandlers(deviceHandlers.events.get(type) ?? [], { db, services, link, data, at })
  })
}

/** SQL: whether this event id was used by the device that had this one's place before. */
const isOfOneBefore = (db: Db, { id }: DeviceLink, eid: string): Sql =>
  sql`exists (select 1 from device_event e join device_link l on l.tenant_id = e.tenant_id and l.id = e.link_id
    where e.tenant_id = ${db.tenantId} and e.link_id = ${id} and e.eid = ${eid} and e.create_time < l.create_time)`

async function runHandlers(
  handlers: readonly ((context: DeviceMessageContext) => Promise<void>)[],
  context: DeviceMessageContext,
): Promise<void> {
  for (const one of handlers) await one(context)
}

async function state(incoming: DeviceMessage): Promise<void> {
  const { message, link, services, presence, isNow } = incoming
  const at = momentOf(incoming)
  await inUnit(incoming, async (db) => {
    db.waitUntil(presence.reported(db, link, message, { isNow }))
    await lookedAt({ db, services, link, data: message, at })
  })
}

/**
 * Merges a part of a device's state, received in the answer to a command, into the reported state and handles it like a
 * reported one.
 */
export async function handleStateReport(context: DeviceMessageContext): Promise<void> {
  const { db, link, data } = context
  db.waitUntil(
    db.run(sql`update device_link set reported = coalesce(reported, '{}'::jsonb) || ${JSON.stringify(data)}::jsonb
      where tenant_id = ${db.tenantId} and id = ${link.id}`),
  )
  await lookedAt(context)
}

/** Confirms commands of the last ten minutes whose effect the state shows, then runs the modules' state handlers. */
async function lookedAt(context: DeviceMessageContext): Promise<void> {
  const { db, services, link, data } = context
  const shown = await db.find(
    deviceCommand,
    sql`r.link_id = ${link.id} and r.client_id = ${link.clientId} and r.seen_time is null
      and r.state in ('taken', 'done', 'unknown')
      and r.create_time > ${daysBack(services, 1 / 144)}`,
  )
  for (const command of shown)
    if (findCommandDefinition(command.method!)?.isSeen?.(command.params, data, command))
      await confirmCommandBySensor(db, services, command.id)
  await runHandlers(deviceHandlers.states, context)
}

/** Answers a device's request. The answer is sent after the commit of what it promises. */
async function answerRequest(incoming: DeviceMessage): Promise<void> {
  const { message, link, services } = incoming
  const { id } = message
  const [askId, type] = [normalizeDeviceIdentifier(id), text(message.type, 40)]
  const answer = type && deviceHandlers.questions.get(type)
  if (!askId || !type) throw new InvalidDeviceMessageError('id or type is missing')
  if (!answer) return down(incoming, 'answer', { id, code: DEVICE_REPLY_CODE.unsupported })
  const at = momentOf(incoming)
  const data = { ...(message.data as object | undefined), askId }
  const reply = await inUnit(incoming, (db) => answer({ db, services, link, data, at }))
  return down(incoming, 'answer', { id, ...reply })
}

/** Topics whose messages a broker may retain. Retained messages of other topics are refused. */
const KEPT: readonly string[] = ['online', 'state']

const about: Record<string, (incoming: DeviceMessage) => Promise<void>> = {
  online,
  hello,
  ack,
  res,
  prog,
  evt,
  state,
  ask: answerRequest,
}

const AT_THE_DOOR = { lane: 'write', acquireTimeoutMs: 5_000 } as const

/**
 * Handles one message of a device. Throws `InvalidDeviceMessageError` for one that can never be handled; after any
 * other error the caller may try again.
 */
export async function handleDeviceMessage(
  services: Services,
  presence: DevicePresence,
  topic: string,
  message: unknown,
  { retained = false, isLate = false, at = services.now().getTime(), isAgain = false } = {},
): Promise<void> {
  const spoken = parseTopic(topic)
  if (!spoken || !isRecord(message)) throw new InvalidDeviceMessageError('no message of a device')
  const link = await requireLink(presence, spoken)
  if (retained && !KEPT.includes(spoken.about))
    throw new InvalidDeviceMessageError(`nobody keeps what is said under ${spoken.about}`)
  if (spoken.about === 'hb') return presence.beat(link, message, { isLate, at })
  const handle = about[spoken.about]
  if (!handle) throw new InvalidDeviceMessageError(`nothing is said under ${spoken.about}`)
  const isNow = !retained
  if (isNow && !isAgain && !saysGoodbye(spoken.about, message)) presence.heardOf(link)
  const incoming = { services, presence, link, message, isNow, isLate, arrivedAt: at }
  // Somebody waits at a door: requests get a database connection before the backlog after a storm.
  if (spoken.about === 'ask') return withConnectionLimits(AT_THE_DOOR, () => handle(incoming))
  await handle(incoming)
}

const isRecord = (message: unknown): message is Record<string, any> => typeof message === 'object' && message !== null

/** Returns the device of a topic, looked up anew when it begins to connect. Throws for an unknown one. */
async function requireLink(
  presence: DevicePresence,
  { tenantId, clientId, about: kind }: NonNullable<ReturnType<typeof parseTopic>>,
): Promise<DeviceLink> {
  const link = await presence.linkOf(tenantId, clientId, { isFresh: kind === 'online' || kind === 'hello' })
  if (!link) throw new InvalidDeviceMessageError('nobody of this number')
  return link
}

/** Whether the device goes offline (its will included), which does not prove that it is online. */
const saysGoodbye = (kind: string, message: Record<string, unknown>): boolean =>
  kind === 'online' && message.online !== true

/**
 * Kinds of messages that may be handled late and twice without harm. A request has somebody waiting, and a state is
 * only true when it is sent.
 */
const LATER: readonly string[] = ['evt', 'ack', 'res', 'prog']
export const canHandleMessageLater = (kind: string): boolean => LATER.includes(kind)

const ofPast = new WeakMap<Services, DevicePresence>()

/**
 * Handles a stored message again, without taking the device for online. Throws for kinds that only make sense at once.
 */
export async function retryDeviceMessage(services: Services, topic: string, message: unknown): Promise<void> {
  if (!canHandleMessageLater(parseTopic(topic)?.about ?? ''))
    throw new InvalidDeviceMessageError('no message of a device')
  const presence = ofPast.get(services) ?? createDevicePresence(services)
  ofPast.set(services, presence)
  await handleDeviceMessage(services, presence, topic, message, { isAgain: true, isLate: true })
}

type Asking = { tenantId: string; clientId: string; ids: string[] }

/** How many commands a device remembers. Of older ones it would say that it never received them. */
const QUERY_MAX = 200

/**
 * Returns the ids of commands whose result may have been missed, by device: all, or of the devices named
 * `tenant/client`.
 */
const openCommands = (services: Services, devices?: readonly string[]): Promise<Asking[]> =>
  services.unit({ crossTenantReason: 'devices of all tenants are asked again' }, (db) =>
    db.query<Asking>(sql`select c.tenant_id as "tenantId", c.client_id as "clientId",
        (array_agg(c.id::text order by c.id desc))[1:${QUERY_MAX}] as ids
      from ${devices ? ofDevices(devices) : sql`device_command c`}
      where c.state in ('sent', 'taken', 'unknown') and c.create_time > ${daysBack(services, 1)}
      group by c.tenant_id, c.client_id limit 5000`),
  )

/** SQL: the commands of devices named `tenant/client`, found through their links, which have an index. */
const ofDevices = (devices: readonly string[]): Sql => {
  const [tenantIds, clientIds] = [0, 1].map((at) => devices.map((device) => device.split('/')[at] ?? ''))
  return sql`unnest(${tenantIds}::text[], ${clientIds}::text[]) as d(tenant_id, client_id)
    join device_link l on l.tenant_id = d.tenant_id and l.client_id = d.client_id
    join device_command c on c.tenant_id = l.tenant_id and c.link_id = l.id and c.client_id = l.client_id`
}

/**
 * Asks devices what became of their commands. Without `devices` it asks all, when this process begins to listen:
 * reports the previous process acknowledged and did not store come from nowhere else. With `devices` it asks those
 * whose messages were dropped, for their state too. Returns how many were asked.
 */
export async function queryOpenDeviceCommands(services: Services, devices?: readonly string[]): Promise<number> {
  const line = services.slots.find(deviceTransportSlot)
  if (!line) return 0
  const open = await openCommands(services, devices)
  if (!devices) {
    for (const { tenantId, clientId, ids } of open)
      await line.publish(`${deviceTopicPrefix(tenantId, clientId)}down/query`, { ids })
    return open.length
  }
  const idsOf = new Map(open.map(({ tenantId, clientId, ids }) => [`${tenantId}/${clientId}`, ids]))
  for (const device of devices) {
    const [tenantId = '', clientId = ''] = device.split('/')
    const message = { ids: idsOf.get(device) ?? [], state: true }
    await line.publish(`${deviceTopicPrefix(tenantId, clientId)}down/query`, message)
  }
  return devices.length
}

/** Checks the commands that are due. Returns how many. */
export async function checkDueCommands(services: Services): Promise<number> {
  const due = await services.unit({ crossTenantReason: 'commands of all tenants whose time has come' }, (db) =>
    db.query<{ id: string; tenantId: string }>(sql`select id, tenant_id from device_command_due
      where due_time <= ${services.now().toISOString()} order by due_time limit 500`),
  )
  for (const { id, tenantId } of due)
    await checkDueCommand(services, tenantId, id).catch(async (err: unknown) => {
      // One that fails must not hold up the others.
      services.log.warn({ err, command: id }, 'A command could not be looked at; it is tried again later')
      const later = new Date(services.now().getTime() + LATER_MS).toISOString()
      await services.unit({ tenantId }, (db) =>
        db.run(sql`update device_command_due set due_time = ${later} where tenant_id = ${tenantId} and id = ${id}`),
      )
    })
  return due.length
}

const LATER_MS = 30_000

/**
 * Resends a due command while it is valid and not acknowledged. After that, it expires if it was never sent, else its
 * result is unknown and the device is asked.
 */
async function checkDueCommand(services: Services, tenantId: string, id: string): Promise<void> {
  const next = await services.unit({ tenantId }, async (db): Promise<NextStep | undefined> => {
    const command = await db.get(deviceCommand, id, 'forUpdate')
    if (!command || !OPEN_COMMAND_STATES.includes(command.state as CommandState)) {
      await db.run(sql`delete from device_command_due where tenant_id = ${tenantId} and id = ${id}`)
      return command?.state === 'unknown'
        ? { command, exp: await findCommandExpiryMs(db, id), isLost: true }
        : undefined
    }
    const link = await db.get(deviceLink, command.linkId!)
    // The device has been replaced or removed, so nobody will report a result.
    if (link?.clientId !== command.clientId) {
      await transitionCommand(db, services, id, command.state === 'asked' ? 'canceled' : 'unknown')
      return undefined
    }
    const exp = await findCommandExpiryMs(db, id)
    return command.state === 'asked' ? unsentStep(db, services, command, exp) : sentStep(db, services, command, exp)
  })
  if (!next) return
  if (!next.isLost) return sendDeviceCommand(services, tenantId, next.command, next.exp)
  await askAfter(services, next.command)
}

/** A command to send, or to ask the device about when `isLost`. */
type NextStep = { command: DeviceCommand; exp: number; isLost?: boolean }

const isAlive = (services: Services, exp: number): boolean => services.now().getTime() < exp

/** A command that was never sent: sent while it is valid, else expired. */
async function unsentStep(
  db: Db,
  services: Services,
  command: DeviceCommand,
  exp: number,
): Promise<NextStep | undefined> {
  if (isAlive(services, exp)) return { command, exp }
  await transitionCommand(db, services, command.id, 'expired')
  return undefined
}

/**
 * A command that was sent: resent a few times while it is valid, or left to wait for its device. After that its result
 * is unknown.
 */
async function sentStep(
  db: Db,
  services: Services,
  command: DeviceCommand,
  exp: number,
): Promise<NextStep | undefined> {
  if (command.state === 'sent' && isAlive(services, exp)) {
    if ((command.tries ?? 0) < TRIES_MAX) return { command, exp }
    if (findCommandDefinition(command.method!)?.offline === 'wait') {
      await scheduleCommandCheck(db, command, new Date(exp))
      return undefined
    }
  }
  await transitionCommand(db, services, command.id, 'unknown')
  return { command, exp, isLost: true }
}

const TRIES_MAX = 2
