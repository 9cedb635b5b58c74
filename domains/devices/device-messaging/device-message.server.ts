import { createHash } from 'node:crypto'
import { resolveEvents, raiseEvent } from '#domains/shops/shop-events/api.ts'
import { MQTT_MESSAGE_BYTES_MAX, MessageTooLargeError } from '#kit/server/broker/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { errorSummary } from '#kit/server/database/each-alone.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { parseUntrustedJson, sanitizeForStorage } from '#kit/server/base/outside-json.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, serve, type Call } from '#kit/server/module/module.ts'
import { maskForLog, maskSecretsInText } from '#kit/server/base/mask.ts'
import type { Services } from '#kit/server/module/services.ts'
import { translateSystemTextField, defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf, LocalizedText } from '#kit/resource/index.ts'
import { requireTransition, transition } from '#kit/server/resource/transition.ts'
import {
  deviceMessage,
  DEVICE_MESSAGE_FAULT,
  DEVICE_MESSAGE_STATE,
  type DeviceMessageFault,
} from './device-message.resource.ts'
import { retryDeviceMessage, canHandleMessageLater } from './handle-device-message.ts'
import { InvalidDeviceMessageError } from './device-handlers.ts'
import { parseTopic } from './topics.ts'

type Row = RowOf<typeof deviceMessage>

const retryDeviceMessageQueue = defineQueue<{ id: string }>('gateways.messageAgain', { maxAttempts: 2 })
const PAYLOAD_MAX = 4_000
const CONTENT_MAX = 5_000

/** Sentences for people by the message of an `InvalidDeviceMessageError`. */
const MISHEARD: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'ts is no time': { zh: 'ts 不是有效的时间', en: 'ts is not a valid time' },
    'id is no command of ours': { zh: 'id 不是本系统的指令编号', en: 'id is not a command ID of this system' },
    'connId is missing': { zh: '缺少 connId', en: 'connId is missing' },
    'connId or bootId is missing': { zh: '缺少 connId 或 bootId', en: 'connId or bootId is missing' },
    'nobody of this number any more': { zh: '这个编号的设备已不存在', en: 'The device with this ID no longer exists' },
    'nobody of this number': { zh: '没有这个编号的设备', en: 'No device has this ID' },
    'eid is missing': { zh: '缺少 eid', en: 'eid is missing' },
    'type is missing': { zh: '缺少 type', en: 'type is missing' },
    'id or type is missing': { zh: '缺少 id 或 type', en: 'id or type is missing' },
    'no message of a device': { zh: '不是设备消息', en: 'Not a device message' },
    'doorNo is no door': { zh: 'doorNo 不是门店的门', en: 'doorNo is not a door of the store' },
    'quantity is no number of pieces': { zh: 'quantity 不是件数', en: 'quantity is not a number of pieces' },
  } satisfies Record<string, LocalizedText>).map(([code, words]) => [code, defineSystemText(words)]),
)

const TOO_LARGE = defineSystemText({
  zh: `超过 ${MQTT_MESSAGE_BYTES_MAX / 1024} KB`,
  en: `Larger than ${MQTT_MESSAGE_BYTES_MAX / 1024} KB`,
})

/** Returns the reason stored with a failed message: a sentence where there is one, else a shortened error text. */
export function deviceMessageFailureReason(error: unknown): string {
  if (error instanceof MessageTooLargeError) return TOO_LARGE
  const words = error instanceof InvalidDeviceMessageError ? MISHEARD[error.message] : undefined
  return words ?? (error ? errorSummary(error) : '')
}

type Aside = { topic: string; payload: string; fault: DeviceMessageFault; reason: string }

/**
 * Stores a message that could not be handled, one open row per content, and raises an event for the shop, one per
 * device and fault. Messages of no known device belong to the platform.
 */
export async function storeFailedDeviceMessage(
  services: Services,
  tenantId: string,
  { topic, payload, fault, reason }: Aside,
): Promise<void> {
  const spoken = parseTopic(topic)
  const whole = sanitizeForStorage(payload)
  const mayTry = whole.length <= PAYLOAD_MAX && !!spoken && canHandleMessageLater(spoken.about)
  const openKey = createHash('sha256').update(`${tenantId} ${topic} ${payload}`).digest('hex')
  const keep = async (db: Db) => {
    const link = await db.one<{ id: string; shopId: string | null; name: string | null }>(sql`
      select id, shop_id, name from device_link
      where tenant_id = ${tenantId} and client_id = ${spoken?.clientId ?? ''}`)
    const row = await db.one<{ id: string; shopId: string | null; linkId: string | null }>(sql`
      insert into device_message_aside as a (id, tenant_id, client_id, link_id, shop_id, about, type, fault, reason,
        state, count, tries, last_time, topic, payload, content, may_try, open_key)
      values (${newId()}, ${tenantId}, ${truncateText(spoken?.clientId ?? '', 64)}, ${link?.id ?? null},
        ${link?.shopId ?? null}, ${truncateText(spoken?.about ?? '', 40)}, ${typeIn(whole)}, ${fault}, ${reason},
        ${DEVICE_MESSAGE_STATE.open}, 1, 0, ${services.now().toISOString()}::timestamptz,
          ${truncateText(sanitizeForStorage(topic), 500)},
        ${truncateText(whole, PAYLOAD_MAX)}, ${shown(whole)}, ${mayTry}, ${openKey})
      on conflict (tenant_id, open_key) do update set count = a.count + 1, last_time = excluded.last_time,
        fault = excluded.fault, reason = excluded.reason, update_time = now(), version = a.version + 1
      returning a.id, a.shop_id, a.link_id`)
    publishRowsChanged({ db }, deviceMessage, [{ id: row!.id, shopId: row!.shopId }])
    if (row?.shopId) await raiseMessageFaultEvent(db, { ...row, name: link?.name ?? null } as FaultyDevice, fault)
  }
  await services.unit({ tenantId }, keep)
}

/**
 * Returns the content for people, with secrets and personal numbers masked. What is not JSON is masked as plain text.
 */
function shown(payload: string): string {
  const text = truncateText(payload, PAYLOAD_MAX)
  try {
    return truncateText(JSON.stringify(maskForLog(parseUntrustedJson(text)), null, 1), CONTENT_MAX)
  } catch {
    return truncateText(maskSecretsInText(text), CONTENT_MAX)
  }
}

/** Returns the event type named in a payload, or null. */
function typeIn(payload: string): string | null {
  if (payload.length > PAYLOAD_MAX) return null
  try {
    const { type } = parseUntrustedJson(payload) ?? {}
    return typeof type === 'string' && type ? truncateText(type, 40) : null
  } catch {
    return null
  }
}

type FaultyDevice = { shopId: string; linkId: string; name: string | null }

const aboutOf = ({ shopId, linkId }: FaultyDevice, fault: DeviceMessageFault) =>
  ({ shopId, type: 'deviceMessage', subject: `${linkId}/${fault}` }) as const

const SAYS: Readonly<Record<DeviceMessageFault, LocalizedText>> = {
  malformed: { zh: '不是有效的 JSON', en: 'not valid JSON' },
  unknown: { zh: '内容不符合协议', en: 'does not match the protocol' },
  failed: { zh: '处理时出错', en: 'processing failed' },
  crowded: { zh: '积压过多', en: 'too many messages' },
}

async function raiseMessageFaultEvent(db: Db, device: FaultyDevice, fault: DeviceMessageFault): Promise<void> {
  const name = truncateText(device.name ?? '', 100)
  const { zh, en } = SAYS[fault]
  await raiseEvent(db, {
    ...aboutOf(device, fault),
    content: {
      zh: `设备“${name}”的消息没能处理：${zh}，见“异常设备消息”`,
      en: `Messages of "${name}" could not be handled: ${en}. See "Failed device messages"`,
    },
  })
}

/** Resolves the event about a device and fault when no such message is open any more. */
async function resolveMessageFaultEvent(db: Db, { linkId, shopId, fault }: Row): Promise<void> {
  if (!linkId || !shopId) return
  const left = await db.one(sql`select 1 from device_message_aside where tenant_id = ${db.tenantId}
    and link_id = ${linkId} and fault = ${fault} and state in (${DEVICE_MESSAGE_STATE.open},
      ${DEVICE_MESSAGE_STATE.trying}) limit 1`)
  if (!left) await resolveEvents(db, aboutOf({ linkId, shopId, name: null }, fault as DeviceMessageFault))
}

/** Handles a stored message again at a user's request. Idempotent: events are recognised by their id. */
export const retryDeviceMessageJob = defineModuleJob({
  queue: retryDeviceMessageQueue,
  run: async ({ id }, { tenantId, services }) => {
    const row = await services.unit({ tenantId }, (db) => db.get(deviceMessage, id))
    if (row?.state !== DEVICE_MESSAGE_STATE.trying) return
    const failure = await handleAgain(services, row)
    await services.unit({ tenantId }, async (db) => {
      const handledTime = formatShanghaiTime(services.now())
      const set = sql`tries = coalesce(r.tries, 0) + 1`
      const next = failure
        ? await transition(db, deviceMessage, id, 'fail', failure, { set })
        : await transition(db, deviceMessage, id, 'finish', { openKey: null, handledTime }, { set })
      if (next) await resolveMessageFaultEvent(db, { ...next, fault: row.fault })
    })
  },
})

/** Handles the message again. Returns undefined on success, else the fault and its reason. */
async function handleAgain(
  services: Services,
  { topic, payload }: Row,
): Promise<{ fault: DeviceMessageFault; reason: string } | undefined> {
  let message: unknown
  try {
    message = parseUntrustedJson(payload!)
  } catch (error) {
    return { fault: DEVICE_MESSAGE_FAULT.malformed, reason: deviceMessageFailureReason(error) }
  }
  try {
    await retryDeviceMessage(services, topic!, message)
    return undefined
  } catch (error) {
    return {
      fault: error instanceof InvalidDeviceMessageError ? DEVICE_MESSAGE_FAULT.unknown : DEVICE_MESSAGE_FAULT.failed,
      reason: deviceMessageFailureReason(error),
    }
  }
}

async function again(row: Row, call: Call): Promise<{ id: string }> {
  const { db, caller } = call
  await requireTransition(call, deviceMessage, row.id, 'again', { handler: caller.userId })
  await db.enqueue(retryDeviceMessageQueue, { id: row.id }, { key: row.id })
  return { id: row.id }
}

async function putAway(row: Row, call: Call): Promise<{ id: string }> {
  const { db, caller, services } = call
  const handledTime = formatShanghaiTime(services.now())
  await requireTransition(call, deviceMessage, row.id, 'putAway', {
    openKey: null,
    handler: caller.userId,
    handledTime,
  })
  await resolveMessageFaultEvent(db, row)
  return { id: row.id }
}

export const deviceMessageServer = serve(deviceMessage, {
  without: ['submit', 'remove'],
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'reason', lang),
  actions: {
    again: (row, _input, call) => again(row, call),
    putAway: (row, _input, call) => putAway(row, call),
  },
})
