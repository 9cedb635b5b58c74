import { dataScope } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import './refusals.ts'
import { commandOf, lifeOf, OPEN, type Command, type CommandOf, type CommandState, type Link } from './command.ts'
import { deviceCommand } from './device-command.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import { deviceLine } from './line.ts'
import { prefixOf } from './topics.ts'
import { expiryOf, keepDue, sentAgain, tell, turn } from './turn.ts'

export type Asked = {
  source: 'office' | 'customer' | 'schedule' | 'event' | 'system'
  userId?: string | null
  reason?: string | null
  visitId?: string | null
  /** Asked twice under one key, it is one command. */
  key?: string
}

/** A device by its number, among those the caller may see; refuses what is not there. */
export async function linkOf({ db, caller }: Pick<Call, 'db' | 'caller'>, clientId: string): Promise<Link> {
  const [link] = await db.find(deviceLink, sql`r.client_id = ${clientId}${dataScope(deviceLink, caller)}`)
  if (!link) throw new Refused('not_found', { label: { zh: '设备', en: 'Device' } })
  return link
}

/** The gateway of a shop; undefined when the shop has none. */
export const gatewayOf = (db: Db, shopId: string): Promise<Link | undefined> => db.get(deviceLink, shopId)

/** Why a command does not leave, if it does not. */
async function hindrance(db: Db, command: CommandOf, params: object, link: Link, asked: Asked, now: Date) {
  if (command.offline === 'refuse' && link.state === 'offline')
    return { code: null, message: new Refused('device_offline', { name: link.name }) }
  const lane = command.lane?.(params)
  if (lane) {
    await db.lockName(`device/${link.id}/${lane}`)
    const busy = await db.one(sql`select 1 from device_command_due d join device_command c on c.tenant_id = d.tenant_id
      and c.id = d.id where d.tenant_id = ${db.tenantId} and d.link_id = ${link.id} and c.lane = ${lane}
      and c.expire_time > ${now.toISOString()}`)
    if (busy) return { code: 3, message: new Refused('device_busy', { name: link.name }) }
  }
  if (command.perMinute && asked.userId) {
    const since = new Date(now.getTime() - 60_000).toISOString()
    const made = await db.one<{ n: number }>(sql`select count(*)::int as n from device_command
      where tenant_id = ${db.tenantId} and link_id = ${link.id} and method = ${command.method}
      and user_id = ${asked.userId} and create_time > ${since} and state <> 'refused'`)
    if (made!.n >= command.perMinute)
      return { code: 3, message: new Refused('commands_too_fast', { max: command.perMinute }) }
  }
  return undefined
}

/** What still waits for the device about the same thing is overtaken. */
async function overtake(db: Db, services: Services, link: Link, about: string): Promise<void> {
  const waiting = await db.query<{ id: string }>(sql`select c.id from device_command_due d join device_command c
    on c.tenant_id = d.tenant_id and c.id = d.id where d.tenant_id = ${db.tenantId} and d.link_id = ${link.id}
    and c.about = ${about} and c.state = 'asked'`)
  for (const { id } of waiting) await turn(db, services, id, 'canceled')
}

/**
 * Writes down a command and sends it once the transaction has committed. What is hindered (offline, busy, too often) is
 * written down as refused, so that nobody has to guess who tried what. Answers the row; `refusalOf` says why not.
 */
export async function askCommand<P extends object>(
  { db, services }: Pick<Call, 'db' | 'services'>,
  declared: CommandOf<P>,
  link: Link,
  params: P,
  asked: Asked,
): Promise<Command> {
  if (asked.key) {
    await db.lockName(`device/${asked.key}`)
    const [known] = await db.find(deviceCommand, sql`r.ask_key = ${asked.key}`)
    if (known) return known
  }
  const now = services.now()
  const hindered = await hindrance(db, declared, params, link, asked, now)
  const about = declared.replaces?.(params) ?? null
  if (about && !hindered) await overtake(db, services, link, about)
  const exp = now.getTime() + lifeOf(declared as CommandOf)
  const command = await db.insert(deviceCommand, {
    createTime: now.toISOString(),
    expireTime: new Date(exp).toISOString(),
    method: declared.method,
    linkId: link.id,
    clientId: link.clientId,
    shopId: link.shopId,
    state: hindered ? 'refused' : 'asked',
    source: asked.source,
    userId: asked.userId ?? null,
    reason: asked.reason ?? null,
    visitId: asked.visitId ?? null,
    askKey: asked.key ?? null,
    params: params,
    tries: 0,
    lane: declared.lane?.(params) ?? null,
    about,
    code: hindered?.code ?? null,
    message: hindered ? hindered.message.code : null,
    endTime: hindered ? now.toISOString() : null,
  })
  if (hindered) {
    tell(db, command)
    await declared.ended?.(db, command, services)
  } else {
    // Waits for the device when that is known to be away; a process that dies before it has sent is made up for.
    const mustWait = link.state === 'offline'
    await keepDue(db, command, new Date(mustWait ? exp : now.getTime() + declared.takenMs))
    tell(db, command)
    const { tenantId } = db
    if (!mustWait) db.afterCommit(() => void send(services, tenantId, command, exp))
  }
  return command
}

/** Gives a command to the broker, whose "I have it" says nothing of the device. */
export async function send(services: Services, tenantId: string, command: Command, exp: number): Promise<void> {
  const line = services.slots.find(deviceLine)
  if (!line) return
  const now = services.now().getTime()
  if (now >= exp) return
  const message = {
    v: 1,
    id: command.id,
    method: command.method,
    params: command.params ?? {},
    ts: now,
    exp,
    by: command.userId ?? command.source,
  }
  try {
    // Said before it is done: a process that dies in between has not sent what it says it has not.
    const isFirst = command.state === 'asked'
    const sent = await services.unit({ tenantId }, async (db) => {
      if (isFirst) return turn(db, services, command.id, 'sent')
      await sentAgain(db, services, command)
      return command
    })
    if (!sent) return
    await line.publish(`${prefixOf(tenantId, command.clientId!)}down/cmd`, message, {
      qos: 1,
      expirySeconds: Math.max(1, Math.floor((exp - now) / 1000)),
    })
  } catch (err) {
    services.log.warn({ err, command: command.id }, 'A command could not be sent; it is tried again while it lives')
  }
}

/** Sends what still waits for a device that has just come, in the order it was asked. */
export async function sendWaiting(services: Services, tenantId: string, linkId: string): Promise<void> {
  const waiting = await services.unit({ tenantId }, async (db) => {
    const rows = await db.find(
      deviceCommand,
      sql`(r.tenant_id, r.id) in (select tenant_id, id from device_command_due where tenant_id = ${tenantId}
        and link_id = ${linkId})
        and r.state = 'asked'`,
      sql`order by r.id`,
    )
    return Promise.all(rows.map(async (row) => ({ row, exp: await expiryOf(db, row.id) })))
  })
  for (const { row, exp } of waiting) await send(services, tenantId, row, exp)
}

const isOver = (command: Command) => !OPEN.includes(command.state as CommandState)
const LOOK_MS = 250

/**
 * Waits until a command is over (or taken, where that is enough), whichever process hears it. Answers it as it is then,
 * or as it is after `maxMs`.
 */
export async function waitFor(
  services: Services,
  tenantId: string,
  id: string,
  { until = 'over', maxMs }: { until?: 'taken' | 'over'; maxMs: number },
): Promise<Command> {
  const look = () => services.unit({ tenantId }, async (db) => (await db.get(deviceCommand, id))!)
  const isEnough = (command: Command) => isOver(command) || (until === 'taken' && command.state === 'taken')
  const end = Date.now() + maxMs
  const bell = listenFor(services, id)
  try {
    for (;;) {
      const command = await look()
      const left = end - Date.now()
      if (isEnough(command) || left <= 0) return command
      await bell.rings(Math.min(left, LOOK_MS))
    }
  } finally {
    bell.close()
  }
}

const ears = new WeakMap<Services, Map<string, Set<() => void>>>()

/** Rings when somebody, in any process, tells of this command. */
function listenFor(services: Services, id: string) {
  let waiting = ears.get(services)
  if (!waiting) {
    const all = new Map<string, Set<() => void>>()
    services.live.on(`${deviceCommand.name}.changed`, ({ data }) => {
      for (const one of data.ids as string[]) for (const ring of all.get(one) ?? []) ring()
    })
    ears.set(services, (waiting = all))
  }
  let hasRung = false
  let wake = () => {}
  const ring = () => {
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

/** Why a command that is over was not done, for who asked; undefined when it was, or goes on. */
export function refusalOf(command: Command, link: Link): Refused | undefined {
  const { name } = link
  const message = command.message ?? ''
  if (command.state === 'unknown') return new Refused('device_silent', { name })
  if (command.state === 'expired') return new Refused('device_late', { name })
  if (command.state === 'failed') return new Refused('device_failed', { name, message })
  if (command.state !== 'refused') return undefined
  if (message === 'device_offline' || message === 'device_busy') return new Refused(message, { name })
  if (message === 'commands_too_fast') return new Refused(message, { max: commandOf(command.method!)?.perMinute ?? 0 })
  return new Refused('device_refused', { name, message })
}

/** A platform administrator commands in the device's tenant, everybody else in their own. */
export async function tenantOfDevice({ caller, services }: Call, clientId: string): Promise<string> {
  if (!caller.isPlatform) return caller.tenantId
  const found = await services.unit({ across: 'platform administrator: whose device is this' }, (db) =>
    db.one<{ tenantId: string }>(sql`select tenant_id from device_link where client_id = ${clientId}`),
  )
  return found?.tenantId ?? caller.tenantId
}

/**
 * A command as one call: asked in a transaction of its own, waited for outside of it. Answers what the device said;
 * refuses with why it did not. Until `asked`, it waits for nothing: who asked follows the steps.
 */
export async function commanded<P extends object>(
  call: Call,
  declared: CommandOf<P>,
  clientId: string,
  params: P,
  { until = 'over', ...asked }: Partial<Asked> & { until?: 'asked' | 'taken' | 'over' } = {},
): Promise<Command> {
  const { services, caller } = call
  if (!services.slots.find(deviceLine)) throw new Refused('no_device_line')
  const tenantId = await tenantOfDevice(call, clientId)
  const actor = { userId: caller.userId, deptId: caller.deptIds[0] ?? null }
  const [row, link] = await services.unit(
    { tenantId },
    async (db) => {
      const found = await linkOf({ db, caller }, clientId)
      const by = { source: 'office' as const, userId: caller.userId, ...asked }
      return [await askCommand({ db, services }, declared, found, params, by), found] as const
    },
    actor,
  )
  if (until === 'asked' && !isOver(row)) return row
  // A moment longer than the device has, so that what becomes of a silent one is known by then.
  const maxMs = declared.takenMs + (until === 'over' ? declared.doneMs : 0) + 1_000
  const command = isOver(row) || until === 'asked' ? row : await waitFor(services, tenantId, row.id, { until, maxMs })
  const refusal = refusalOf(command, link)
  if (refusal) throw refusal
  if (!isOver(command) && !(until === 'taken' && command.state === 'taken'))
    throw new Refused('device_silent', { name: link.name })
  return command
}
