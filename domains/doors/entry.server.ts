import { sql, together, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { CODE, onDeviceQuestion, type Answer, type Heard } from '#domains/gateways/doors.ts'
import { entrantOf } from '#domains/members/doors.ts'
import { windowAt } from '#domains/shops/doors.ts'
import { beginVisit, lapseLater } from '#domains/visits/doors.ts'
import { logDoor } from './door-log.server.ts'
import { readEntryCode } from './entry-code.ts'
import { entryRefusal, refusals, type EntryFacts, type EntryRefusal } from './entry.ts'

const OPEN = 1
/** How a shop is run: nobody there all day, at night, never. */
const MODE = { allDay: 1, atNight: 2 } as const

type Asked = { doorNo?: unknown; openid?: unknown; phone?: unknown; code?: unknown; askId: string }
type Shop = {
  status: number
  mode: number
  unmannedStart: string | null
  unmannedEnd: string | null
  entryMode: string | null
  doorHoldSeconds: number | null
  unmannedEnabled: boolean | null
  membersOnly: boolean | null
  isUnmanned: boolean
  answered: Answer | null
  isUsed: boolean
}

const textOf = (value: unknown) => (typeof value === 'string' && value ? value.replaceAll('\0', '').slice(0, 64) : null)

const shopFacts = (db: Db, of: { shopId: string; linkId: string; askId: string; nonce: string | null }) =>
  db.one<Shop>(sql`
    select b.status, b.mode, b.unmanned_start, b.unmanned_end, c.entry_mode, c.door_hold_seconds, c.unmanned_enabled,
      c.members_only, exists (select 1 from unmanned_log u where u.tenant_id = b.tenant_id and u.shop_id = b.id
        and u.open_key is not null) as is_unmanned,
      (select a.answer from entry_ask a where a.tenant_id = b.tenant_id and a.link_id = ${of.linkId}
        and a.ask_id = ${of.askId}) as answered,
      exists (select 1 from entry_ask a where a.tenant_id = b.tenant_id and a.code_key = ${of.nonce}) as is_used
    from basic_shop_info b left join shop_conf c on c.tenant_id = b.tenant_id and c.shop_id = b.id and c.is_deleted = 0
    where b.tenant_id = ${db.tenantId} and b.id = ${of.shopId} and b.is_deleted = 0`)

const isUnattended = (shop: Shop, now: Date): boolean => {
  if (shop.mode === MODE.allDay || shop.isUnmanned) return true
  const { unmannedStart, unmannedEnd } = shop
  const isByHours = shop.mode === MODE.atNight || shop.unmannedEnabled === true
  return isByHours && !!unmannedStart && !!unmannedEnd && windowAt(now, unmannedStart, unmannedEnd) !== undefined
}

/** A door asks whether somebody may come in. All it stands on is read with one message. */
async function answerEntry({ db, services, link, data, at }: Heard): Promise<Answer> {
  const asked = data as Asked
  const code = textOf(asked.code) && String(asked.code)
  const shown = code ? readEntryCode(services, db.tenantId, code) : undefined
  const nonce = shown?.nonce ?? null
  const shopId = link.shopId!
  const now = services.now()
  const [shop, entrant] = await together([
    shopFacts(db, { shopId, linkId: link.id, askId: asked.askId, nonce }),
    entrantOf(db, {
      wxUserId: shown?.wxUserId,
      openid: shown ? null : textOf(asked.openid),
      phone: shown ? null : textOf(asked.phone),
      shopId,
      at: shanghaiText(now),
    }),
  ])
  if (!shop) return { code: CODE.notFound }
  if (shop.answered) return shop.answered
  const facts: EntryFacts = {
    isOpen: shop.status === OPEN,
    isUnattended: isUnattended(shop, now),
    entryMode: shop.entryMode ?? 'scan',
    membersOnly: shop.membersOnly === true,
    code: !code ? 'none' : !shown ? 'invalid' : shop.isUsed ? 'used' : 'good',
    wxUserId: entrant.wxUserId,
    isMember: entrant.isMember,
    isBlocked: entrant.block !== null,
  }
  const why = entryRefusal(facts)
  const entry = { shopId, doorNo: String(asked.doorNo ?? 1), wxUserId: entrant.wxUserId, clientId: link.clientId }
  const answer = why ? turnAway(db, entry, why) : letIn(db, entry, { shop, at, code: !!code })
  // Of two doors that are shown one code at the same moment, one waits here for the other.
  const isFirst = await db.one(sql`insert into entry_ask (id, tenant_id, link_id, ask_id, code_key, answer)
    values (${newId()}, ${db.tenantId}, ${link.id}, ${asked.askId}, ${why ? null : nonce}, ${JSON.stringify(answer)})
    on conflict do nothing returning 1`)
  if (!isFirst) throw new Error('the same code, or the same question, is being answered: it is asked again')
  return answer
}

type Entry = { shopId: string; doorNo: string; wxUserId: string | null; clientId: string | null }

function turnAway(db: Db, entry: Entry, why: EntryRefusal): Answer {
  db.ride(logDoor(db, { ...entry, action: 'open', source: 'customer', result: 'refused', message: why, costMs: 0 }))
  return { code: CODE.done, data: { allow: false, reason: why, say: refusals[why] } }
}

function letIn(
  db: Db,
  { shopId, wxUserId }: Entry,
  { shop, at, code }: { shop: Shop; at: Date; code: boolean },
): Answer {
  const entryMode = code ? 'scan' : (shop.entryMode ?? 'scan')
  const visitId = beginVisit(db, { shopId, wxUserId: wxUserId ?? undefined, entryMode, at })
  db.ride(lapseLater(db, visitId, at))
  const seconds = shop.doorHoldSeconds ?? 5
  return { code: CODE.done, data: { allow: true, visitId, ...(wxUserId && { wxUserId }), seconds } }
}

/** Doors are answered from the start of this process on. */
export const answerEntries = (): void => onDeviceQuestion('entry', answerEntry)
