import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { raiseEvent, updateOpenEvent, resolveEvents } from '#domains/shops/shop-events/api.ts'
import {
  InvalidDeviceMessageError,
  onDeviceEvent,
  onDeviceState,
  parseIntegerInRange,
  type DeviceMessageContext,
} from '#domains/devices/device-messaging/api.ts'
import { createVisit, recordDeviceVisitMoment, type VisitMoment } from '#domains/shops/visits/api.ts'
import { findCommandOfOpening, publishDoorChanged } from './door-commands.ts'
import { writeDoorLog } from './door-log.server.ts'
import { parseDoorNo, parseReportedDoors } from './door-state.ts'

/** Returns the number of the door, 1 when none is given. Throws for an invalid one. */
function numberOf({ data }: DeviceMessageContext): string {
  if (data.doorNo === undefined || data.doorNo === null) return '1'
  const doorNo = parseDoorNo(data.doorNo)
  if (doorNo === undefined) throw new InvalidDeviceMessageError('doorNo is no door')
  return String(doorNo)
}
const clock = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(11, 16)

type Kind = 'doorLeftOpen' | 'doorForced' | 'lockFault'
const aboutOf = ({ link }: DeviceMessageContext, type: Kind, doorNo: string) =>
  ({ shopId: link.shopId!, type, subject: `door/${doorNo}` }) as const

const says: Record<Kind, (doorNo: string, time: string) => { zh: string; en: string }> = {
  doorLeftOpen: (doorNo, time) => ({
    zh: `${doorNo} 号门 ${time} 起一直开着`,
    en: `Door ${doorNo} has been left open since ${time}`,
  }),
  doorForced: (doorNo, time) => ({
    zh: `${doorNo} 号门 ${time} 在锁闭时被打开`,
    en: `Door ${doorNo} was opened at ${time} while it was locked`,
  }),
  lockFault: (doorNo, time) => ({
    zh: `${doorNo} 号门的锁 ${time} 发生故障`,
    en: `The lock of door ${doorNo} failed at ${time}`,
  }),
}

const raises = (type: Kind) => async (context: DeviceMessageContext) => {
  const doorNo = numberOf(context)
  await raiseEvent(context.db, {
    ...aboutOf(context, type, doorNo),
    content: says[type](doorNo, clock(context.at)),
    at: context.at,
  })
  publishDoorChanged(context.db, context.link.shopId!)
}

const customerBy = async (db: Db, openid: unknown): Promise<string | null> =>
  typeof openid === 'string' && openid
    ? ((
        await db.one<{ id: string }>(sql`select id from wx_user where tenant_id = ${db.tenantId}
        and openid = ${openid}`)
      )?.id ?? null)
    : null

/**
 * Records an opening for its visit. Logs it unless a command caused it, which is logged already: a customer or the
 * button inside has opened the door.
 */
async function opened(context: DeviceMessageContext): Promise<void> {
  const { db, link, data, at } = context
  const [shopId, doorNo] = [link.shopId!, numberOf(context)]
  publishDoorChanged(db, shopId)
  const command = await findCommandOfOpening(db, link.id, data.by)
  const moment = { kind: 'opened', at, note: doorNo } as const
  const visit = await recordDeviceVisitMoment(db, { shopId, visitId: data.visitId ?? command?.visitId }, moment)
  if (command) return
  await writeDoorLog(db, {
    shopId,
    doorNo,
    action: 'open',
    source: visit || data.by ? 'customer' : 'button',
    wxUserId: visit ? visit.wxUserId : await customerBy(db, data.by),
    result: 'done',
    visitId: visit?.id ?? null,
    clientId: link.clientId,
  })
}

/**
 * Resolves the event that a door was left open. The event of a forced door stays open for people, with the closing time
 * added.
 */
async function closed(context: DeviceMessageContext): Promise<void> {
  const { db, link, at } = context
  const doorNo = numberOf(context)
  await resolveEvents(db, aboutOf(context, 'doorLeftOpen', doorNo))
  await updateOpenEvent(db, aboutOf(context, 'doorForced', doorNo), {
    zh: `${doorNo} 号门曾在锁闭时被打开，${clock(at)} 已关上`,
    en: `Door ${doorNo} was opened while it was locked; closed again at ${clock(at)}`,
  })
  publishDoorChanged(db, link.shopId!)
}

/** Resolves events the reported state shows to be over, in case the message about their end was lost. */
async function stated(context: DeviceMessageContext): Promise<void> {
  for (const { doorNo, contact, lock } of parseReportedDoors(context.data)) {
    if (contact === 'closed') await resolveEvents(context.db, aboutOf(context, 'doorLeftOpen', String(doorNo)))
    if (lock === 'locked' || lock === 'unlocked')
      await resolveEvents(context.db, aboutOf(context, 'lockFault', String(doorNo)))
  }
}

/** Largest number of pieces a customer takes at once. */
const PIECES_MAX = 1000

/** Records an event of a visit (entered, left, picked, returned). Goods are found by barcode in the shop. */
async function moment(context: DeviceMessageContext, kind: VisitMoment['kind']): Promise<void> {
  const { db, link, data, at } = context
  const shopId = link.shopId!
  if (kind === 'entered' && !data.visitId) {
    // A person followed another one in without being let in: begins a visit of its own.
    const visitId = await createVisit(db, { shopId, entryMode: 'open', at })
    await recordDeviceVisitMoment(db, { shopId, visitId }, { kind, at })
    return
  }
  const isGoods = kind === 'picked' || kind === 'returned'
  const good = isGoods
    ? await db.one<{ id: string }>(sql`select id from good_info where tenant_id = ${db.tenantId}
        and shop_id = ${shopId} and ${hasBarcodeSql(sql`upc`, String(data.upc))} and is_deleted = 0
        order by upc = ${String(data.upc)} desc limit 1`)
    : undefined
  const quantity = data.quantity === undefined ? 1 : parseIntegerInRange(data.quantity, { min: 1, max: PIECES_MAX })
  if (isGoods && quantity === undefined) throw new InvalidDeviceMessageError('quantity is no number of pieces')
  const about = isGoods ? { goodId: good?.id, quantity, ...(good ? {} : { note: String(data.upc).slice(0, 64) }) } : {}
  await recordDeviceVisitMoment(db, { shopId, visitId: data.visitId }, { kind, at, ...about })
}

/** Ignores reports that do not come from a shop's gateway, the only device with doors. */
const ofGateway =
  (handle: (context: DeviceMessageContext) => Promise<void>) => async (context: DeviceMessageContext) => {
    if (context.link.kind === 'gateway') await handle(context)
  }

/** Registers the handlers for door and visit events. Called at the start of the process. */
export function registerDoorHandlers(): void {
  const onGatewayEvent = (type: string, handle: (context: DeviceMessageContext) => Promise<void>) =>
    onDeviceEvent(type, ofGateway(handle))
  onGatewayEvent('door.opened', opened)
  onGatewayEvent('door.closed', closed)
  onGatewayEvent('door.held', raises('doorLeftOpen'))
  onGatewayEvent('door.forced', raises('doorForced'))
  onGatewayEvent('lock.fault', raises('lockFault'))
  onDeviceState(ofGateway(stated))
  for (const kind of ['entered', 'left', 'picked', 'returned'] as const)
    onGatewayEvent(`visit.${kind}`, (context) => moment(context, kind))
}
