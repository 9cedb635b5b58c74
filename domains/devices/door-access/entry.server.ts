import { sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  DEVICE_REPLY_CODE,
  onDeviceRequest,
  type DeviceReply,
  type DeviceMessageContext,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'
import { findShopEntrant, type ShopEntrant } from '#domains/sales/customers/api.ts'
import { resolveDoorSetting, storedDoorSettings, findTimeWindowAt } from '#domains/shops/shops/api.ts'
import { createVisitDeferred, enqueueNoShowTimeout } from '#domains/shops/visits/api.ts'
import { writeDoorLog } from './door-log.server.ts'
import { verifyEntryCode } from './entry-code.ts'
import { parseDoorNo } from './door-state.ts'
import { decideEntryRefusal, entryRefusalText, type EntryAppeal, type EntryFacts, type EntryRefusal } from './entry.ts'

const OPEN = 1
/**
 * A request id counts as repeated for so long. Devices give up after seconds, so the same id later is a new request.
 */
const AGAIN_MS = 60_000
/** When a shop is unattended, by its mode: all day or at night. Any other mode is never. */
const MODE = { allDay: 1, atNight: 2 } as const

type EntryRequest = { doorNo?: unknown; openid?: unknown; phone?: unknown; code?: unknown; askId: string }
type Shop = {
  status: number
  mode: number
  unmannedStart: string | null
  unmannedEnd: string | null
  entryMode: string | null
  doorHoldSeconds: number | null
  heldSeconds: number | null
  absentOffice: string | null
  doorSettings: unknown
  unmannedEnabled: boolean | null
  membersOnly: boolean | null
  isUnmanned: boolean
  phone: string | null
  answered: DeviceReply | null
  isUsed: boolean
}

/** Returns an identifier the device sent, or null when it is invalid or too long (never cut). */
const textOf = (value: unknown) => (typeof value === 'string' && value && value.length <= NAME_MAX ? value : null)
const NAME_MAX = 64

type Question = { link: DeviceLink; askId: string; nonce: string | null; now: Date }

const shopFacts = (db: Db, { link, askId, nonce, now }: Question) =>
  db.one<Shop>(sql`
    select b.status, b.mode, b.phone, b.unmanned_start, b.unmanned_end, c.entry_mode, c.door_hold_seconds,
      c.held_seconds, c.absent_office, c.door_settings,
      c.unmanned_enabled, c.members_only, exists (select 1 from unmanned_log u
        where u.tenant_id = b.tenant_id and u.shop_id = b.id
        and u.open_key is not null) as is_unmanned,
      (select a.answer from entry_ask a where a.tenant_id = b.tenant_id and a.link_id = ${link.id}
        and a.ask_id = ${askId} and a.create_time > ${new Date(now.getTime() - AGAIN_MS).toISOString()}) as answered,
      exists (select 1 from entry_ask a where a.tenant_id = b.tenant_id and a.code_key = ${nonce}) as is_used
    from basic_shop_info b left join shop_conf c on c.tenant_id = b.tenant_id and c.shop_id = b.id and c.is_deleted = 0
    where b.tenant_id = ${db.tenantId} and b.id = ${link.shopId} and b.is_deleted = 0
      and exists (select 1 from device_link l where l.tenant_id = b.tenant_id and l.id = ${link.id}
        and l.client_id = ${link.clientId})`)

const isUnattended = (shop: Shop, now: Date): boolean => {
  if (shop.mode === MODE.allDay || shop.isUnmanned) return true
  const { unmannedStart, unmannedEnd } = shop
  const isByHours = shop.mode === MODE.atNight || shop.unmannedEnabled === true
  return (
    isByHours && !!unmannedStart && !!unmannedEnd && findTimeWindowAt(now, unmannedStart, unmannedEnd) !== undefined
  )
}

/** Answers a door's request to let somebody in. Everything the decision needs is read in one batch. */
async function answerEntry({ db, services, link, data, at }: DeviceMessageContext): Promise<DeviceReply> {
  // Other devices have no door, and must not learn who is a customer.
  if (link.kind !== 'gateway') return { code: DEVICE_REPLY_CODE.notAllowed }
  const request = data as EntryRequest
  const doorNo = request.doorNo === undefined || request.doorNo === null ? 1 : parseDoorNo(request.doorNo)
  if (doorNo === undefined) return { code: DEVICE_REPLY_CODE.badParams }
  const shopId = link.shopId!
  const shown = codeShown(services, { tenantId: db.tenantId, shopId }, request)
  // Request ids are prefixed with the gateway's number, as a replaced gateway may count from the beginning.
  const question: Question = {
    link,
    askId: `${link.clientId}/${request.askId}`,
    nonce: shown.read?.nonce ?? null,
    now: services.now(),
  }
  const [shop, entrant] = await awaitBatch([shopFacts(db, question), whoAsks(db, question, shown, request)])
  if (!shop) return { code: DEVICE_REPLY_CODE.notFound }
  if (shop.answered) return shop.answered
  const why = decideEntryRefusal(factsOf({ shop, entrant, shown, now: question.now }))
  const entry = { shopId, doorNo: String(doorNo), wxUserId: entrant.wxUserId, clientId: link.clientId }
  const answer = why
    ? turnAway(db, entry, why, appealOf(shop, entrant))
    : letIn(db, entry, { shop, at, code: shown.code !== null })
  keepAnswer(db, question, answer, !why)
  return answer
}

/** The code that was shown, and its contents when it is valid in this shop. */
type ShownCode = { code: string | null; read: ReturnType<typeof verifyEntryCode> }

function codeShown(
  services: Services,
  shop: Parameters<typeof verifyEntryCode>[1],
  { code: given }: EntryRequest,
): ShownCode {
  const code = typeof given === 'string' && given ? given : null
  return { code, read: code === null ? undefined : verifyEntryCode(services, shop, code) }
}

/** Finds the person by a valid code, else by the identifiers the device sent. */
const whoAsks = (db: Db, { link, now }: Question, { read }: ShownCode, request: EntryRequest): Promise<ShopEntrant> =>
  findShopEntrant(db, {
    wxUserId: read?.wxUserId,
    openid: read ? null : textOf(request.openid),
    phone: read ? null : textOf(request.phone),
    shopId: link.shopId!,
    at: formatShanghaiTime(now),
  })

type EntryFactSources = { shop: Shop; entrant: ShopEntrant; shown: ShownCode; now: Date }

const factsOf = ({ shop, entrant, shown, now }: EntryFactSources): EntryFacts => ({
  isOpen: shop.status === OPEN,
  isUnattended: isUnattended(shop, now),
  entryMode: shop.entryMode ?? 'scan',
  membersOnly: shop.membersOnly === true,
  code: stateOfCode(shown, shop),
  wxUserId: entrant.wxUserId,
  isMember: entrant.isMember,
  isBlocked: entrant.block !== null,
})

function stateOfCode({ code, read }: ShownCode, { isUsed }: Shop): EntryFacts['code'] {
  if (code === null) return 'none'
  if (!read) return 'invalid'
  return isUsed ? 'used' : 'good'
}

/** The appeal of somebody who is blocked: the number of the block, and the phone of the shop. */
const appealOf = ({ phone }: Shop, { block }: ShopEntrant): EntryAppeal | undefined =>
  block ? { entryNo: block.id, ...(phone && { phone }) } : undefined

/**
 * Stores the answer, and the code as used when somebody was let in. If two doors use one code or repeat one request at
 * the same moment, a unique index fails one of them. It is retried and finds the stored answer.
 */
function keepAnswer(db: Db, { link, askId, nonce, now }: Question, answer: DeviceReply, isLetIn: boolean): void {
  const past = new Date(now.getTime() - AGAIN_MS).toISOString()
  db.waitUntil(
    db.run(sql`delete from entry_ask where tenant_id = ${db.tenantId} and link_id = ${link.id} and ask_id = ${askId}
      and create_time <= ${past}`),
  )
  db.waitUntil(
    db.run(sql`insert into entry_ask (id, tenant_id, link_id, ask_id, code_key, answer, create_time)
      values (${newId()}, ${db.tenantId}, ${link.id}, ${askId}, ${isLetIn ? nonce : null}, ${JSON.stringify(answer)},
        ${now.toISOString()})`),
  )
}

type Entry = { shopId: string; doorNo: string; wxUserId: string | null; clientId: string | null }

function turnAway(db: Db, entry: Entry, why: EntryRefusal, appeal: EntryAppeal | undefined): DeviceReply {
  db.waitUntil(writeDoorLog(db, { ...entry, action: 'open', source: 'customer', result: 'refused', message: why }))
  const how = why === 'blocked' && appeal ? { appeal } : {}
  return {
    code: DEVICE_REPLY_CODE.done,
    data: { allow: false, reason: why, say: entryRefusalText(why, appeal), ...how },
  }
}

function letIn(
  db: Db,
  { shopId, wxUserId, doorNo }: Entry,
  { shop, at, code }: { shop: Shop; at: Date; code: boolean },
): DeviceReply {
  const entryMode = code ? 'scan' : (shop.entryMode ?? 'scan')
  const visitId = createVisitDeferred(db, { shopId, wxUserId: wxUserId ?? undefined, entryMode, at })
  db.waitUntil(enqueueNoShowTimeout(db, visitId, at))
  const own = storedDoorSettings(shop.doorSettings).find((one) => one.doorNo === Number(doorNo))
  const seconds = resolveDoorSetting(shop, own).relockSeconds
  return { code: DEVICE_REPLY_CODE.done, data: { allow: true, visitId, ...(wxUserId && { wxUserId }), seconds } }
}

/** Registers the handler for entry requests. Called at the start of the process. */
export const registerEntryRequestHandler = (): void => onDeviceRequest('entry', answerEntry)
