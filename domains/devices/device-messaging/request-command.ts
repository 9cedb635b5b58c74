import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { resourceColumnsSql } from '#kit/server/database/row-sql.ts'
import { MQTT_MESSAGE_BYTES_MAX, MessageRejectedError } from '#kit/server/broker/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import './refusals.ts'
import {
  ALREADY_APPLIED_MESSAGE,
  findCommandDefinition,
  commandLifetimeMs,
  OPEN_COMMAND_STATES,
  type DeviceCommand,
  type CommandDefinition,
  type CommandState,
  type DeviceLink,
} from './command.ts'
import { deviceCommand } from './device-command.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { deviceTopicPrefix } from './topics.ts'
import {
  scheduleCommandCheck,
  recordCommandResend,
  publishCommandChanged,
  transitionCommand,
} from './command-transition.ts'
import { commandStepTopic } from './command-topic.ts'

export type CommandOrigin = {
  source: 'office' | 'customer' | 'schedule' | 'event' | 'system'
  userId?: string | null
  reason?: string | null
  visitId?: string | null
  /** Idempotency key: a second request with the same key returns the first command. */
  key?: string
}

const DEVICE = { zh: '设备', en: 'Device' }

/** Returns a device by its number in the caller's scope; refuses an unknown one. */
export async function requireDeviceLink(
  { db, caller }: Pick<Call, 'db' | 'caller'>,
  clientId: string,
): Promise<DeviceLink> {
  const [link] = await db.find(deviceLink, sql`r.client_id = ${clientId}${dataScopeSql(deviceLink, caller)}`)
  if (!link) throw new Refused('not_found', { label: DEVICE })
  return link
}

/** The gateway of a shop; undefined when the shop has none. */
export const findGatewayOfShop = (db: Db, shopId: string): Promise<DeviceLink | undefined> => db.get(deviceLink, shopId)

/** Reserved for the rest of the message: id, times, user and parameters added at sending. */
const ENVELOPE_BYTES = 4 * 1024
/**
 * Limit of a command's parameters in UTF-8 bytes. The broker closes the server's connection over a message that is too
 * large.
 */
export const COMMAND_PARAMS_BYTES_MAX = MQTT_MESSAGE_BYTES_MAX - ENVELOPE_BYTES
export const jsonByteLength = (params: object): number => Buffer.byteLength(JSON.stringify(params))

const TOO_FAST = 'commands_too_fast'
export const COMMAND_TOO_LARGE_MESSAGE = 'command_too_large'
/** Message of a command the broker rejected. */
export const COMMAND_NOT_ACCEPTED_MESSAGE = 'command_not_taken'
const tooLarge = (name: string) =>
  new Refused(COMMAND_TOO_LARGE_MESSAGE, { name, max: `${COMMAND_PARAMS_BYTES_MAX / 1024} KB` })
type CommandBlocker = { code: number | null; message: Refused; known?: DeviceCommand }

/** Returns why a command must not be sent (too large, offline, busy, too often), or undefined. */
async function findBlocker(
  db: Db,
  command: CommandDefinition,
  params: object,
  link: DeviceLink,
  origin: CommandOrigin,
  now: Date,
): Promise<CommandBlocker | undefined> {
  if (jsonByteLength(params) > COMMAND_PARAMS_BYTES_MAX) return { code: null, message: tooLarge(link.name ?? '') }
  if (command.offline === 'refuse' && link.state === 'offline')
    return { code: null, message: new Refused('device_offline', { name: link.name }) }
  const lane = command.lane?.(params)
  if (lane) {
    await db.advisoryLock(`device/${link.id}/${lane}`)
    const busy = await db.one(sql`select 1 from device_command_due d join device_command c on c.tenant_id = d.tenant_id
      and c.id = d.id where d.tenant_id = ${db.tenantId} and d.link_id = ${link.id} and c.lane = ${lane}
      and c.client_id = ${link.clientId} and c.expire_time > ${now.toISOString()}`)
    if (busy) return { code: 3, message: new Refused('device_busy', { name: link.name }) }
  }
  if (command.perMinute && origin.userId) {
    if (!lane) await db.advisoryLock(`device/${link.id}/${command.method}/${origin.userId}`)
    const made = await db.one<{ n: number; told: string | null }>(sql`select
        (count(*) filter (where state <> 'refused'))::int as n,
        (max(id) filter (where message = ${TOO_FAST}))::text as told
      from device_command where tenant_id = ${db.tenantId} and link_id = ${link.id} and method = ${command.method}
      and user_id = ${origin.userId} and create_time > ${new Date(now.getTime() - 60_000).toISOString()}`)
    if (made!.n >= command.perMinute) {
      // Further refusals within the minute are not stored but return the first one.
      const known = made!.told ? await db.get(deviceCommand, made!.told) : undefined
      return { code: 3, message: new Refused(TOO_FAST, { max: command.perMinute }), known }
    }
  }
  return undefined
}

/** Cancels waiting commands with the same subject. */
async function cancelSuperseded(db: Db, services: Services, link: DeviceLink, about: string): Promise<void> {
  const waiting = await db.query<{ id: string }>(sql`select c.id from device_command_due d join device_command c
    on c.tenant_id = d.tenant_id and c.id = d.id where d.tenant_id = ${db.tenantId} and d.link_id = ${link.id}
    and c.about = ${about} and c.state = 'asked'`)
  for (const { id } of waiting) await transitionCommand(db, services, id, 'canceled')
}

/**
 * Stores a command and sends it after the commit. One that is blocked (offline, busy, too often) is stored as refused,
 * so that attempts can be traced. Returns the row; `deviceCommandRefusal` says why it was refused.
 */
export async function requestCommand<P extends object>(
  { db, services }: Pick<Call, 'db' | 'services'>,
  declared: CommandDefinition<P>,
  link: DeviceLink,
  params: P,
  origin: CommandOrigin,
): Promise<DeviceCommand> {
  const made = origin.key ? await commandOfKey(db, origin.key) : undefined
  if (made) return made
  const now = services.now()
  const hindered = await findBlocker(db, declared, params, link, origin, now)
  if (hindered?.known) return hindered.known
  const about = declared.replaces?.(params) ?? null
  if (about && !hindered) await cancelSuperseded(db, services, link, about)
  const exp = now.getTime() + commandLifetimeMs(declared as CommandDefinition)
  // Waits when the device is known to be offline. Otherwise it is stored as sent before it is: if the process dies in
  // between, it is resent, and a command that left is never recorded as unsent.
  const mustWait = link.state === 'offline'
  const command = await db.insert(deviceCommand, {
    createTime: now.toISOString(),
    expireTime: new Date(exp).toISOString(),
    method: declared.method,
    linkId: link.id,
    clientId: link.clientId,
    shopId: link.shopId,
    ...originColumns(origin),
    params: params,
    lane: declared.lane?.(params) ?? null,
    about,
    ...stateColumns(hindered, mustWait, now),
  })
  if (hindered) {
    publishCommandChanged(db, command)
    await declared.ended?.(db, command, services)
    return command
  }
  db.waitUntil(scheduleCommandCheck(db, command, new Date(mustWait ? exp : now.getTime() + declared.ackTimeoutMs)))
  publishCommandChanged(db, command)
  sendAfterCommit(db, services, link, { command, exp, mustWait })
  return command
}

/** Returns the command requested with this key before. Concurrent requests with the key wait for this transaction. */
async function commandOfKey(db: Db, key: string): Promise<DeviceCommand | undefined> {
  await db.advisoryLock(`device/${key}`)
  const [known] = await db.find(deviceCommand, sql`r.ask_key = ${key}`)
  return known
}

const originColumns = (origin: CommandOrigin) => ({
  source: origin.source,
  userId: origin.userId ?? null,
  reason: origin.reason ?? null,
  visitId: origin.visitId ?? null,
  askKey: origin.key ?? null,
})

/** Returns the columns of a new command: refused, waiting for its device, or sent. */
function stateColumns(hindered: CommandBlocker | undefined, mustWait: boolean, now: Date) {
  const isSent = !hindered && !mustWait
  return {
    state: hindered ? 'refused' : mustWait ? 'asked' : 'sent',
    tries: isSent ? 1 : 0,
    sentTime: isSent ? now.toISOString() : null,
    code: hindered?.code ?? null,
    message: hindered ? hindered.message.code : null,
    endTime: hindered ? now.toISOString() : null,
  }
}

function sendAfterCommit(
  db: Db,
  services: Services,
  link: DeviceLink,
  { command, exp, mustWait }: { command: DeviceCommand; exp: number; mustWait: boolean },
): void {
  const { tenantId } = db
  db.afterCommit(() => {
    if (!mustWait) return void sendIfOnline(services, tenantId, command, exp)
    // The device may have connected just now and not have seen this command among the waiting ones.
    sendQueuedCommands(services, link).catch((err: unknown) => services.log.warn({ err, command: command.id }, UNSENT))
  })
}

/** Sends a waiting command or resends one, while it is valid. Errors are logged; the next check tries again. */
export async function sendDeviceCommand(
  services: Services,
  tenantId: string,
  command: DeviceCommand,
  exp: number,
): Promise<void> {
  if (!services.slots.find(deviceTransportSlot) || services.now().getTime() >= exp) return
  try {
    // Recorded before sending, so that a command recorded as unsent was never sent.
    const isFirst = command.state === 'asked'
    const sent = await services.unit({ tenantId }, async (db) => {
      if (isFirst) return transitionCommand(db, services, command.id, 'sent')
      await recordCommandResend(db, services, command)
      return command
    })
    if (sent) await sendIfOnline(services, tenantId, command, exp)
  } catch (err) {
    services.log.warn({ err, command: command.id }, UNSENT)
  }
}

const UNSENT = 'A command could not be sent; it is tried again while it lives'

/** Publishes a command. The broker's acceptance does not mean that the device has it. */
async function sendIfOnline(services: Services, tenantId: string, command: DeviceCommand, exp: number): Promise<void> {
  const now = services.now().getTime()
  const { id, method, params, userId, source } = command
  const fresh = findCommandDefinition(method!)?.resolveAtSend?.(command, services, tenantId)
  const message = { v: 1, id, method, params: { ...(params as object), ...fresh }, ts: now, exp, by: userId ?? source }
  try {
    await services.slots
      .find(deviceTransportSlot)
      ?.publish(`${deviceTopicPrefix(tenantId, command.clientId!)}down/cmd`, message, {
        qos: 1,
        expirySeconds: Math.max(1, Math.floor((exp - now) / 1000)),
      })
  } catch (err) {
    if (err instanceof MessageRejectedError) return dropped(services, tenantId, command, err)
    services.log.warn({ err, command: id }, UNSENT)
  }
}

/** Ends a command the broker rejected: unknown when it may have arrived all the same, else refused. */
async function dropped(
  services: Services,
  tenantId: string,
  { id, method }: DeviceCommand,
  err: MessageRejectedError,
): Promise<void> {
  services.log.error({ err, command: id, method }, 'The broker does not take a command; it is not sent again')
  await services
    .unit({ tenantId }, (db) =>
      transitionCommand(db, services, id, err.mayHaveArrived ? 'unknown' : 'refused', {
        message: COMMAND_NOT_ACCEPTED_MESSAGE,
      }),
    )
    .catch((error: unknown) => services.log.warn({ err: error, command: id }, 'A dropped command could not be ended'))
}

/**
 * Sends the waiting commands of a device in order, if it is online. Cancels those that waited for a device that had its
 * place before.
 */
export async function sendQueuedCommands(
  services: Services,
  { tenantId, id: linkId, clientId }: DeviceLink,
): Promise<void> {
  const [waiting] = await readBatch(services.pool, { tenantId }, [
    sql`select ${resourceColumnsSql(deviceCommand)}, (extract(epoch from r.expire_time) * 1000)::bigint as exp
      from device_command_due d
      join device_command r on r.tenant_id = d.tenant_id and r.id = d.id and r.state = 'asked'
      join device_link l on l.tenant_id = d.tenant_id and l.id = d.link_id and l.state = 'online'
      where d.tenant_id = ${tenantId} and d.link_id = ${linkId} order by r.id`,
  ])
  const [own, others] = [true, false].map((isOwn) =>
    (waiting as (DeviceCommand & { exp: number })[]).filter((command) => (command.clientId === clientId) === isOwn),
  ) as [(DeviceCommand & { exp: number })[], DeviceCommand[]]
  if (others.length)
    await services.unit({ tenantId }, async (db) => {
      for (const { id } of others) await transitionCommand(db, services, id, 'canceled')
    })
  for (const { exp, ...command } of own) await sendDeviceCommand(services, tenantId, command, exp)
}

const isOver = ({ state }: { state: string | null }) => !OPEN_COMMAND_STATES.includes(state as CommandState)
const LOOK_MS = 250

type Wait = {
  until?: 'taken' | 'over'
  maxMs: number
  /** The command as it was just requested, which saves the first look-up. */
  fresh?: DeviceCommand
}

/**
 * Waits until a command has ended (or is acknowledged, with `until: 'taken'`), in whichever process that is reported.
 * Returns the command as it is then, or after `maxMs` milliseconds.
 */
export async function waitForCommand(
  services: Services,
  tenantId: string,
  id: string,
  { until = 'over', maxMs, fresh }: Wait,
): Promise<DeviceCommand> {
  const look = async () => {
    const [rows] = await readBatch(services.pool, { tenantId }, [
      sql`select ${resourceColumnsSql(deviceCommand)} from device_command r where r.tenant_id = ${tenantId} and r.id =
        ${id}`,
    ])
    return rows![0] as DeviceCommand
  }
  const isEnough = ({ state }: { state: string | null }) =>
    isOver({ state }) || (until === 'taken' && state === 'taken')
  const end = Date.now() + maxMs
  const bell = listenFor(services, id, (state) => isEnough({ state }))
  try {
    let command = fresh ?? (await look())
    for (;;) {
      const left = end - Date.now()
      if (isEnough(command) || left <= 0) return command
      await bell.rings(Math.min(left, LOOK_MS))
      command = await look()
    }
  } finally {
    bell.close()
  }
}

type Ring = (state: string) => void
const ears = new WeakMap<Services, Map<string, Set<Ring>>>()

/** Listens for a state of a command that is waited for, published by any process. */
function listenFor(services: Services, id: string, isEnough: (state: string) => boolean) {
  let waiting = ears.get(services)
  if (!waiting) {
    const all = new Map<string, Set<Ring>>()
    services.live.on(commandStepTopic, ({ data }) => {
      for (const ring of all.get(data.id as string) ?? []) ring(String(data.state))
    })
    ears.set(services, (waiting = all))
  }
  let hasRung = false
  let wake = () => {}
  const ring: Ring = (state) => {
    if (!isEnough(state)) return
    hasRung = true
    wake()
  }
  const rings = waiting.get(id) ?? new Set()
  waiting.set(id, rings.add(ring))
  return {
    rings: async (maxMs: number) => {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      hasRung = false
    },
    close: () => {
      rings.delete(ring)
      if (!rings.size) waiting.delete(id)
    },
  }
}

/** Returns the refusal for a command that ended without being done; undefined when it was done or is open. */
export function deviceCommandRefusal(command: DeviceCommand, link: DeviceLink): Refused | undefined {
  const { name } = link
  const message = command.message ?? ''
  if (command.state === 'unknown') return new Refused('device_silent', { name })
  if (command.state === 'expired') return new Refused('device_late', { name })
  if (command.state === 'failed') return new Refused('device_failed', { name, message })
  if (command.state !== 'refused') return undefined
  if (message === 'device_offline' || message === 'device_busy' || message === ALREADY_APPLIED_MESSAGE)
    return new Refused(message, { name })
  if (message === COMMAND_TOO_LARGE_MESSAGE) return tooLarge(name ?? '')
  if (message === COMMAND_NOT_ACCEPTED_MESSAGE) return new Refused(message, { name })
  if (message === TOO_FAST) return new Refused(message, { max: findCommandDefinition(command.method!)?.perMinute ?? 0 })
  return new Refused('device_refused', { name, message })
}

/** Returns the tenant of a device. Platform administrators command devices of all tenants, others only their own. */
export async function findTenantOfDevice({ caller, services }: Call, clientId: string): Promise<string> {
  if (!caller.isPlatform) return caller.tenantId
  const found = await services.unit({ crossTenantReason: 'platform administrator: whose device is this' }, (db) =>
    db.one<{ tenantId: string }>(sql`select l.tenant_id from device_link l left join device_holder h
      on h.tenant_id = l.tenant_id and h.link_id = l.id where l.client_id = ${clientId}
      order by h.link_id is null, l.id limit 1`),
  )
  return found?.tenantId ?? caller.tenantId
}

/**
 * Requests a command in a transaction of its own and waits for it outside. Returns the command; throws the refusal when
 * it was not done in time. With `until: 'asked'` it does not wait.
 */
export async function executeDeviceCommand<P extends object>(
  call: Call,
  declared: CommandDefinition<P>,
  clientId: string,
  params: P,
  { until = 'over', ...origin }: Partial<CommandOrigin> & { until?: 'asked' | 'taken' | 'over' } = {},
): Promise<DeviceCommand> {
  const { services, caller } = call
  if (!services.slots.find(deviceTransportSlot)) throw new Refused('no_device_line')
  const tenantId = await findTenantOfDevice(call, clientId)
  const actor = { userId: caller.userId, deptId: caller.deptIds[0] ?? null }
  const [row, link] = await services.unit(
    { tenantId },
    async (db) => {
      const found = await requireDeviceLink({ db, caller }, clientId)
      if (declared.kind && found.kind !== declared.kind) throw new Refused('not_found', { label: DEVICE })
      const by = { source: 'office' as const, userId: caller.userId, ...origin }
      return [await requestCommand({ db, services }, declared, found, params, by), found] as const
    },
    actor,
  )
  if (until === 'asked' && !isOver(row)) return row
  // A second longer than the device has, so that the timeout is recorded by then.
  const maxMs = declared.ackTimeoutMs + (until === 'over' ? declared.completionTimeoutMs : 0) + 1_000
  const command =
    isOver(row) || until === 'asked'
      ? row
      : await waitForCommand(services, tenantId, row.id, { until, maxMs, fresh: row })
  const refusal = deviceCommandRefusal(command, link)
  if (refusal) throw refusal
  if (!isOver(command) && !(until === 'taken' && command.state === 'taken'))
    throw new Refused('device_silent', { name: link.name })
  return command
}
