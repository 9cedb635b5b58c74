import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { createWechatMessage, sendWechatMessage } from '#domains/messaging/wechat-messages/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { interpolate } from '#kit/base/localized-text.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused, refusalMessage } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { event, eventDictionaries } from './event.resource.ts'
import type { noticeLog } from './notice-log.resource.ts'
import { noticeDictionaries } from './notice-subscribe.resource.ts'
import { wechatTemplate } from './wechat-template.resource.ts'

type Log = RowOf<typeof noticeLog>
type Template = RowOf<typeof wechatTemplate>

const NOT_SENT = {
  noTemplate: defineSystemText({ zh: '没有设置微信通知模板，无法发送', en: 'No WeChat message template is set up' }),
  noOpenid: defineSystemText({ zh: '接收人没有绑定微信', en: 'The recipient has no linked WeChat' }),
}

/** Returns the enabled template for a kind of notification; undefined if there is none. */
export const findNoticeTemplate = async (db: Db, notice: string): Promise<Template | undefined> =>
  (await db.find(wechatTemplate, sql`r.notice = ${notice} and r.enabled`, sql`order by r.id limit 1`))[0]

/** Formats a time in the only form that every WeChat time field accepts. */
const momentText = (at: Date): string => {
  const [year, month, day] = formatShanghaiTime(at).slice(0, 10).split('-')
  return `${year}年${month}月${day}日 ${formatShanghaiTime(at).slice(11, 16)}`
}

/** Returns the values of a template's fields. */
export function noticeTemplateValues(
  row: Pick<Template, 'contentField' | 'shopField' | 'kindField' | 'timeField'>,
  notice: { content: string; shop: string; kind: string; at: Date },
): Record<string, string> {
  const places: (readonly [string | null, string])[] = [
    [row.contentField, notice.content],
    [row.shopField, notice.shop],
    [row.kindField, notice.kind],
    [row.timeField, momentText(notice.at)],
  ]
  return Object.fromEntries(places.flatMap(([field, text]) => (field ? [[field, text] as const] : [])))
}

const wordOf = (code: string, key: string): string =>
  [...eventDictionaries, ...noticeDictionaries]
    .find((one) => one.code === code)
    ?.entries.find((entry) => entry.key === key)?.zh ?? key

/** Creates the WeChat message of a notification in the caller's transaction; returns its id, or why there is none. */
export async function createWechatMessageForNotice(
  db: Db,
  services: Services,
  log: Log,
): Promise<{ wechatMessageId: string } | { error: string }> {
  const template = await findNoticeTemplate(db, log.template!)
  if (!template) return { error: NOT_SENT.noTemplate }
  if (!log.receiver) return { error: NOT_SENT.noOpenid }
  const shop = log.shopId ? await db.get(basicShopInfo, log.shopId) : undefined
  const about = log.eventId ? await db.get(event, log.eventId) : undefined
  const shopName = shop?.shopName ?? ''
  // The shop has its own field, and space is limited.
  const content = template.shopField ? log.content!.replace(`${shopName}：`, '') : log.content!
  const values = noticeTemplateValues(template, {
    content,
    shop: shopName,
    kind: about ? wordOf('event_type', about.type!) : wordOf('notice_template', log.template!),
    at: about?.occurTime ? parseShanghaiTime(about.occurTime) : services.now(),
  })
  const { wechatAppId, templateNo, target } = template
  try {
    const id = await createWechatMessage(db, services, {
      wechatAppId,
      openid: log.receiver,
      templateNo,
      target,
      values,
    })
    return { wechatMessageId: id }
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused
    return { error: interpolate(refusalMessage(refused).zh, refused.params).slice(0, 500) }
  }
}

/** Result of a notification for each state of its message. */
const ENDS: Record<string, 'sent' | 'undeliverable' | 'failed' | 'unconfirmed'> = {
  sent: 'sent',
  refused: 'undeliverable',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
}

/** Sends the message of a notification and returns the notification's result; throws while it is open. */
export async function deliverWechatNotice(
  services: Services,
  tenantId: string,
  messageNo: string,
): Promise<Partial<Log>> {
  const end = await sendWechatMessage(services, tenantId, messageNo)
  const result = end && ENDS[end.state]
  if (!result) throw new Error(end?.reason ?? 'the message is on its way')
  return result === 'sent'
    ? { result, sendTime: formatShanghaiTime(services.now()), error: null }
    : { result, error: end.reason }
}
