import { type RowOf, f } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { maskSecretsInText } from '#kit/server/base/mask.ts'
import type { Services } from '#kit/server/module/services.ts'
import { translateSystemTextField, defineSystemText } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { notifyPerson } from '#domains/shops/shop-events/api.ts'
import {
  requestCommand,
  clientIdInputFields,
  executeDeviceCommand,
  requireDeviceLink,
  onDeviceEvent,
  onDeviceLinkState,
  findTenantOfDevice,
} from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import {
  canOperateTenantDevices,
  operatorNameForTenant,
  requireTenantDeviceAccess,
  logOperationForTenant,
} from './across-tenants.ts'
import { takeCompleteLines, type RemoteOutputStream } from './output-tail.ts'
import './refusals.ts'
import {
  SHELL_EXEC_SECONDS_MAX,
  isPartlyMaskedInLog,
  isAllowedShellCommand,
  onShellExecEnd,
  shellCloseCommand,
  shellExecCommand,
  shellOpenCommand,
} from './remote-commands.ts'
import { remoteLine, remoteSession } from './remote-session.resource.ts'
import { remoteOutputTopic } from './topics.ts'

type Session = RowOf<typeof remoteSession>
type Line = RowOf<typeof remoteLine>

const IDLE_MS = 10 * 60_000
const TOTAL_MS = 60 * 60_000
const COMMAND_MAX = 4_000
const OUTPUT_MAX = 262_144
const LINES_MAX = 2_000
const LIVE = ['opening', 'open']
const RIGHT = 'deviceLink_session'
const TAKEOVER = 'deviceLink_takeover'

const REASONS = {
  asked: defineSystemText({ zh: '主动结束', en: 'Ended by operator' }),
  idle: defineSystemText({ zh: '长时间没有操作', en: 'Inactive too long' }),
  long: defineSystemText({ zh: '超过最长时间', en: 'Maximum duration reached' }),
  away: defineSystemText({ zh: '设备离线', en: 'Device offline' }),
  refused: defineSystemText({ zh: '设备没有打开', en: 'The device did not open it' }),
}

const inTenant = <T>({ services, caller }: Call, tenantId: string, work: (db: Db) => Promise<T>): Promise<T> =>
  services.unit({ tenantId }, work, actorOfCaller(caller))

/** Returns the tenant of a session. Platform administrators see sessions of all tenants, others only their own. */
async function tenantOfSession({ caller, services }: Call, id: string | null): Promise<string> {
  if (!caller.isPlatform) return caller.tenantId
  const found = await services.unit(
    { crossTenantReason: 'platform administrator: whose remote session is this' },
    (db) => db.one<{ tenantId: string }>(sql`select tenant_id from remote_session where id = ${id}`),
  )
  return found?.tenantId ?? caller.tenantId
}

/** Runs `work` in the session's tenant; refuses callers who may only watch. */
async function atWork<T>(call: Call<{ sessionId: string | null }>, work: (db: Db) => Promise<T>): Promise<T> {
  const tenantId = await tenantOfSession(call, call.input.sessionId)
  await requireTenantDeviceAccess(call, tenantId)
  return inTenant(call, tenantId, work)
}

const mayTypeAnything = ({ caller }: Call) => hasPermission(caller, 'deviceLink_shell')

/** Returns why the session has to end now (too long or idle), or undefined. */
function overdue(session: Session, now: Date): string | undefined {
  const age = (text: string | null) => now.getTime() - parseShanghaiTime(text!).getTime()
  if (age(session.createTime) >= TOTAL_MS) return REASONS.long
  return age(session.lastTime ?? session.createTime) >= IDLE_MS ? REASONS.idle : undefined
}

/** Notifies the people who watch or type of new output. */
function publishSession(db: Db, session: Session): void {
  publishRowsChanged({ db }, remoteSession, [session])
  db.publish(remoteOutputTopic, { id: session.id }, { permission: RIGHT, limits: { shop: session.shopId! } })
}

async function end(
  { db, services }: Pick<Call, 'db' | 'services'>,
  session: Session,
  reason: string,
  state: 'closed' | 'lost' = 'closed',
): Promise<void> {
  const endTime = formatShanghaiTime(services.now())
  const ended = await transition(db, remoteSession, session.id, 'end', { endReason: reason, endTime }, { to: state })
  if (!ended) return
  publishSession(db, ended)
  const link = state === 'closed' ? await db.get(deviceLink, session.linkId!) : undefined
  if (link?.state === 'online')
    await requestCommand(
      { db, services },
      shellCloseCommand,
      link,
      { sid: session.id },
      { source: 'system', userId: session.userId },
    )
}

const addLine = (db: Db, session: Session, line: Pick<Line, 'seq' | 'kind'> & Partial<Line>) =>
  db.insert(remoteLine, {
    sessionId: session.id,
    clientId: session.clientId,
    shopId: session.shopId,
    userId: session.userId,
    ...line,
  })

/** Returns who typed a command. Its output is theirs even when somebody else has taken the session over since. */
async function typistOf(
  db: Db,
  { sessionId, seq }: Pick<RemoteOutputStream, 'sessionId' | 'seq'>,
): Promise<string | null> {
  const line = await db.one<{ userId: string }>(sql`select user_id from remote_line where tenant_id = ${db.tenantId}
    and session_id = ${sessionId} and seq = ${seq} and kind = 'in'`)
  return line?.userId ?? null
}

/** Returns the open session of a device. Ends it first when it is overdue, and returns undefined. */
async function liveOf(call: Call, db: Db, linkId: string): Promise<Session | undefined> {
  const [session] = await db.find(remoteSession, sql`r.link_id = ${linkId} and r.state in ('opening', 'open')`)
  const reason = session && overdue(session, call.services.now())
  if (!reason) return session
  await end({ db, services: call.services }, session, reason)
  return undefined
}

const refuseTaken = ({ id, operator }: Session, name: string | null): never => {
  throw new Refused('remote_session_taken', { name, user: operator ?? '' }, { sessionId: id })
}

/** Logs who controls the session from now on. */
const addHand = (call: Call, db: Db, session: Session, text: string) => {
  logOperationForTenant(call, db, text, { clientId: session.clientId, sessionId: session.id })
  return addLine(db, session, { seq: session.lastSeq!, kind: 'hand', text })
}

const wire = (session: Session) => ({
  sessionId: session.id,
  clientId: session.clientId,
  state: session.state,
  openedAt: session.createTime,
  expiresAt: formatShanghaiTime(new Date(parseShanghaiTime(session.createTime).getTime() + TOTAL_MS)),
  shell: session.shell ?? '',
  cwd: session.cwd ?? '',
})

/** Returns the caller's open session on a device, or opens a new one. Refuses while somebody else has one. */
async function openOrResumeSession(
  call: Call<{ clientId: string }>,
  db: Db,
): Promise<{ session: Session; isNew: boolean }> {
  const { caller, services, input } = call
  const link = await requireDeviceLink({ db, caller }, input.clientId)
  await db.advisoryLock(`session/${link.id}`)
  const live = await liveOf(call, db, link.id)
  if (live && live.userId !== caller.userId) return refuseTaken(live, link.name)
  if (live) return { session: live, isNew: false }
  const operator = operatorNameForTenant(call, db.tenantId)
  const session = await db.insert(remoteSession, {
    linkId: link.id,
    clientId: link.clientId,
    shopId: link.shopId,
    userId: caller.userId,
    operator,
    state: 'opening',
    lastSeq: 0,
    lastTime: formatShanghaiTime(services.now()),
  })
  await db.run(sql`update remote_session set create_time = ${services.now().toISOString()}
    where tenant_id = ${db.tenantId} and id = ${session.id}`)
  await addHand(call, db, session, operator)
  return { session, isNew: true }
}

async function open(call: Call<{ clientId: string }>) {
  const { services, input } = call
  const tenantId = await findTenantOfDevice(call, input.clientId)
  await requireTenantDeviceAccess(call, tenantId)
  const { session, isNew } = await inTenant(call, tenantId, (db) => openOrResumeSession(call, db))
  if (!isNew && session.state === 'open') return wire(session)
  try {
    const { result } = await executeDeviceCommand(call, shellOpenCommand, input.clientId, { sid: session.id })
    const { shell, cwd } = (result ?? {}) as { shell?: unknown; cwd?: unknown }
    return await inTenant(call, tenantId, async (db) => {
      const opened = await transition(db, remoteSession, session.id, 'open', {
        shell: String(shell ?? '').slice(0, 40),
        cwd: String(cwd ?? '').slice(0, 200),
      })
      // Ended by somebody or its time while the device was asked.
      if (!opened) throw new Refused('remote_session_over')
      publishSession(db, opened)
      return wire(opened)
    })
  } catch (error) {
    await inTenant(call, tenantId, async (db) =>
      end({ db, services }, (await db.get(remoteSession, session.id, 'forUpdate'))!, REASONS.refused),
    )
    throw error
  }
}

/** Makes somebody else's open session the caller's and notifies the previous operator. */
const takeOverSession = (call: Call<{ sessionId: string | null }>) =>
  atWork(call, async (db) => {
    const { caller, services } = call
    if (!hasPermission(caller, RIGHT)) throw new Refused('forbidden')
    const session = await sessionOf(call, db, call.input.sessionId!)
    if (session.state !== 'open' || overdue(session, services.now())) throw new Refused('remote_session_over')
    if (session.userId === caller.userId) return wire(session)
    const operator = operatorNameForTenant(call, db.tenantId)
    const now = await db.update(remoteSession, session.id, {
      userId: caller.userId,
      operator,
      tookFromId: session.userId,
      lastTime: formatShanghaiTime(services.now()),
    })
    await addHand(call, db, now, `${session.operator} → ${operator}`)
    await notifyPreviousOperator(db, services, session, operator)
    publishSession(db, now)
    return wire(now)
  })

/** Notifies the previous operator that the session was taken over; skips operators of another tenant. */
async function notifyPreviousOperator(db: Db, services: Services, session: Session, operator: string): Promise<void> {
  const first = await db.one(sql`select 1 from sys_user where tenant_id = ${db.tenantId} and id = ${session.userId}`)
  if (!first) return
  await notifyPerson(db, services, {
    userId: session.userId!,
    template: 'work',
    content: {
      zh: `${session.clientId} 的远程会话由 ${operator} 接管，你只能旁观`,
      en: `${operator} has taken over the remote session of ${session.clientId}; you may watch it`,
    },
    shopId: session.shopId,
  })
}

/** Locks and returns a session in the caller's scope. */
async function sessionOf({ caller }: Call, db: Db, id: string): Promise<Session> {
  const [session] = await db.find(
    remoteSession,
    sql`r.id = ${id}${dataScopeSql(remoteSession, caller)}`,
    sql`for update of r`,
  )
  if (!session) throw new Refused('not_found', { label: remoteSession.label })
  return session
}

const close = (call: Call<{ sessionId: string | null }>) =>
  atWork(call, async (db) => {
    const session = await sessionOf(call, db, call.input.sessionId!)
    if (session.userId !== call.caller.userId && !mayTypeAnything(call)) throw new Refused('remote_session_of_another')
    await end({ db, services: call.services }, session, REASONS.asked)
    return { sessionId: session.id, state: LIVE.includes(session.state!) ? 'closed' : session.state }
  })

type Typed = { sessionId: string | null; cmd: string | null; timeoutSec: number | null }

const type = (call: Call<Typed>) =>
  atWork(call, async (db) => {
    const { caller, services, input } = call
    const cmd = input.cmd!.trim()
    const session = await sessionOf(call, db, input.sessionId!)
    if (session.state !== 'open' || overdue(session, services.now())) throw new Refused('remote_session_over')
    if (session.userId !== caller.userId) throw new Refused('remote_session_of_another')
    if (!isAllowedShellCommand(cmd) && !mayTypeAnything(call))
      throw new Refused('remote_command_not_allowed', { command: maskSecretsInText(cmd.split(/\s+/)[0]!) })
    if (isPartlyMaskedInLog(cmd)) throw new Refused('remote_command_hidden')
    const link = await requireDeviceLink({ db, caller }, session.clientId!)
    const seq = session.lastSeq! + 1
    const lastTime = formatShanghaiTime(services.now())
    const now = await db.update(remoteSession, session.id, { lastSeq: seq, lastTime })
    await addLine(db, session, { seq, kind: 'in', text: maskSecretsInText(cmd) })
    const params = { sid: session.id, seq, cmd, timeoutMs: (input.timeoutSec ?? SHELL_EXEC_SECONDS_MAX / 2) * 1_000 }
    const command = await requestCommand({ db, services }, shellExecCommand, link, params, {
      source: 'office',
      userId: caller.userId,
      key: `shell/${session.id}/${seq}`,
    })
    if (command.state === 'refused') await addLine(db, session, { seq, kind: 'end', text: REASONS.away })
    publishSession(db, now)
    return { seq, cmdId: command.id }
  })

// Writes the result of a command to the session's log, with the exit code where there is one.
onShellExecEnd(async (db, command) => {
  const { sid, seq } = command.params as { sid: string; seq: number }
  const session = await db.get(remoteSession, sid, 'forUpdate')
  if (!session) return
  for (const stream of ['out', 'err'] as const) {
    const completeLines = await takeCompleteLines(db, { sessionId: sid, seq, stream }, Buffer.alloc(0), {
      isLast: true,
    })
    await addOutput(db, session, { sessionId: sid, seq, stream }, completeLines)
  }
  const code = (command.result as { exitCode?: unknown } | null)?.exitCode
  // An exit code outside 32 bits is invalid and counts as failed.
  const isDone = command.state === 'done' && Number.isInteger(code) && Math.abs(code as number) < 2 ** 31
  await addLine(db, session, {
    seq,
    kind: 'end',
    userId: command.userId,
    exitCode: isDone ? (code as number) : null,
    text: isDone ? null : (command.message ?? command.state),
  })
  publishSession(db, session)
})

const CONTROLS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|[^\P{Cc}\t\n\r]/gu
const LINE_MAX = 20_000

async function addOutput(db: Db, session: Session, output: RemoteOutputStream, completeLines: string): Promise<void> {
  const text = maskSecretsInText(completeLines.replaceAll(CONTROLS, ''))
  if (!text) return
  const userId = await typistOf(db, output)
  await addLine(db, session, { seq: output.seq, kind: output.stream, userId, text: text.slice(0, LINE_MAX) })
}

onDeviceEvent('shell.out', async ({ db, link, data }) => {
  if (!/^\d{1,18}$/.test(String(data.sid)) || !Number.isSafeInteger(data.seq)) return
  const session = await db.get(remoteSession, String(data.sid), 'forUpdate')
  if (session?.linkId !== link.id || data.seq < 1 || data.seq > session.lastSeq! || typeof data.data !== 'string')
    return
  const output: RemoteOutputStream = {
    sessionId: session.id,
    seq: data.seq,
    stream: data.stream === 'err' ? 'err' : 'out',
  }
  const so = await db.one<{ size: number; isOver: boolean }>(sql`select
      coalesce(sum(length(text)) filter (where kind in ('out', 'err')), 0)::int as size,
      coalesce(bool_or(kind = 'end'), false) as is_over from remote_line
    where tenant_id = ${db.tenantId} and session_id = ${session.id} and seq = ${data.seq}`)
  if (so!.size >= OUTPUT_MAX) return
  // Output that arrives after the end of the command is written at once: no more will complete its line.
  const completeLines = await takeCompleteLines(db, output, Buffer.from(data.data, 'base64'), { isLast: so!.isOver })
  if (!completeLines) return
  await addOutput(db, session, output, completeLines)
  publishSession(db, session)
})

// A device that goes offline loses its sessions.
onDeviceLinkState(async ({ db, services, link, data }) => {
  if (data.now !== 'offline') return
  for (const session of await db.find(remoteSession, sql`r.link_id = ${link.id} and r.state in ('opening', 'open')`))
    await end({ db, services }, session, REASONS.away, 'lost')
})

type Item = {
  seq: number
  cmd: string
  state: 'running' | 'done' | 'failed'
  exitCode: number | null
  stdout: string
  stderr: string
  truncated: boolean
  message: string
  startedAt: string
  endedAt: string
}

/** Groups the lines of a session by command. */
function itemsOf(lines: readonly Line[]): Item[] {
  const items = new Map<number, Item>()
  for (const { seq, kind, text, exitCode, createTime } of lines) {
    const item: Item = items.get(seq!) ?? {
      seq: seq!,
      cmd: '',
      state: 'running',
      exitCode: null,
      stdout: '',
      stderr: '',
      truncated: false,
      message: '',
      startedAt: createTime,
      endedAt: '',
    }
    items.set(seq!, item)
    if (kind === 'in') item.cmd = text ?? ''
    if (kind === 'out') item.stdout += text ?? ''
    if (kind === 'err') item.stderr += text ?? ''
    if (kind === 'end')
      Object.assign(item, {
        state: exitCode === null ? 'failed' : 'done',
        exitCode,
        message: text ?? '',
        endedAt: createTime,
      })
    item.truncated = item.stdout.length + item.stderr.length >= OUTPUT_MAX
  }
  return [...items.values()]
}

async function result(call: Call<{ sessionId: string | null; after: number | null }>) {
  const { caller, input } = call
  const tenantId = await tenantOfSession(call, input.sessionId)
  const mayTake = hasPermission(caller, TAKEOVER) && (await canOperateTenantDevices(call, tenantId))
  return inTenant(call, tenantId, async (db) => {
    const [session] = await db.find(remoteSession, sql`r.id = ${input.sessionId}${dataScopeSql(remoteSession, caller)}`)
    if (!session) throw new Refused('not_found', { label: remoteSession.label })
    const lines = await db.find(
      remoteLine,
      sql`r.session_id = ${session.id} and r.seq > ${input.after ?? 0}`,
      sql`order by r.seq, r.id limit ${LINES_MAX}`,
    )
    const isMine = session.userId === caller.userId
    return {
      ...wire(session),
      isMine,
      operator: session.operator ?? '',
      /** Whether somebody has taken the session over from the caller. */
      isLost: !isMine && session.tookFromId === caller.userId,
      mayTake: mayTake && !isMine && session.state === 'open',
      items: itemsOf(lines.filter(({ kind }) => kind !== 'hand')),
    }
  })
}

const sessionInput = { sessionId: f.ref('remoteSession', { label: remoteSession.label, required: true }) }
const base = '/api/shop/basicShopInfo'

export const remoteSessionServer = serve(remoteSession, {
  without: ['submit', 'remove'],
  present: (wires, _rows, { lang }) => translateSystemTextField(wires, 'endReason', lang),
})
export const remoteLineServer = serve(remoteLine)

export const remoteSessionRoutes = [
  defineRoute({
    method: 'ANY',
    path: `${base}/openSession`,
    title: { zh: '打开远程会话', en: 'Open remote session' },
    can: RIGHT,
    tx: false,
    input: clientIdInputFields(),
    handle: open,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/takeSession`,
    title: { zh: '接管远程会话', en: 'Take over remote session' },
    can: TAKEOVER,
    tx: false,
    input: sessionInput,
    handle: takeOverSession,
  }),
  defineRoute({
    method: 'ANY',
    path: `${base}/closeSession`,
    title: { zh: '结束远程会话', en: 'End remote session' },
    can: RIGHT,
    tx: false,
    input: sessionInput,
    handle: close,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/cmd`,
    title: { zh: '远程命令', en: 'Send remote command' },
    can: RIGHT,
    tx: false,
    input: {
      ...sessionInput,
      cmd: f.text({ label: { zh: '命令', en: 'Command' }, max: COMMAND_MAX, required: true }),
      timeoutSec: f.number({ label: { zh: '最长秒数', en: 'Maximum seconds' }, min: 1, max: SHELL_EXEC_SECONDS_MAX }),
    },
    handle: type,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/cmdResult`,
    title: { zh: '远程命令结果', en: 'Remote command output' },
    can: RIGHT,
    tx: false,
    input: {
      ...sessionInput,
      after: f.number({ label: { zh: '第几条之后', en: 'After command no.' }, min: 0, max: 1_000_000 }),
    },
    handle: result,
  }),
]

/** Ends sessions that are idle or open for too long. */
export const endOverdueRemoteSessionsJob = defineModuleJob({
  queue: defineQueue('remote.session-end'),
  cron: '* * * * *',
  run: async (_payload, { services }) => endOverdueRemoteSessions(services),
})

export async function endOverdueRemoteSessions(services: Services): Promise<void> {
  const live = await services.unit({ crossTenantReason: 'remote sessions of all tenants that are open' }, (db) =>
    db.query<{ id: string; tenantId: string }>(
      sql`select id, tenant_id from remote_session where state in ('opening', 'open')`,
    ),
  )
  for (const { id, tenantId } of live)
    await services
      .unit({ tenantId }, async (db) => {
        const session = await db.get(remoteSession, id, 'forUpdate')
        const reason = session && overdue(session, services.now())
        if (reason) await end({ db, services }, session, reason)
      })
      .catch((err: unknown) => services.log.warn({ err, session: id }, 'A remote session could not be ended'))
}
