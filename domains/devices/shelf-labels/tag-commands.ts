import { fillLocalizedText } from '#kit/base/localized-text.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  commandToWire,
  DEVICE_REPLY_CODE,
  executeDeviceCommand,
  defineCommand,
  type DeviceCommand,
} from '#domains/devices/device-messaging/api.ts'
import { priceTag } from './price-tag.resource.ts'
import { enqueueTagPush } from './push-later.ts'
import { recordTagFailure, recordTagShown, type TagReport } from './tag-outcomes.ts'
import { eslProviderOf, decryptTagAccount, type TagAccountRow } from './tag-accounts.ts'
import { EslRejectedError, EslUnreachableError } from './esl-provider.ts'
import { tagAccount } from './tag-account.resource.ts'
import type { TagContent } from './tag-content.ts'
import type { TagLine } from './tag-templates.ts'

type Picture = { tagId: string; hash: string; template: string; fields: TagContent; layout?: string | null }

/** Time a gateway's radio needs to update one tag; tags are updated one after the other. */
const RADIO_MS = 1_000
export const TAG_UPDATE_BATCH_MAX = 50

export const tagUpdateCommand = defineCommand<{ tags: Picture[]; layouts?: Record<string, readonly TagLine[]> }>({
  method: 'tag.update',
  label: { zh: '更新价签', en: 'Update ESL tags' },
  summary: ({ tags }) =>
    fillLocalizedText({ zh: '更新 {count} 个价签', en: 'Update {count} ESL {count|tag|tags}' }, { count: tags.length }),
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 2 * TAG_UPDATE_BATCH_MAX * RADIO_MS,
  lifeMs: 30_000,
  offline: 'refuse',
  ended: batchEnded,
})

const tagFlash = defineCommand<{ tagId: string; colour: string; seconds: number }>({
  method: 'tag.flash',
  label: { zh: '价签闪灯', en: 'Flash ESL tag' },
  summary: ({ tagId }) => ({ zh: `价签 ${tagId} 闪灯`, en: `Flash tag ${tagId}` }),
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 15_000,
  offline: 'refuse',
  perMinute: 30,
})

/** Records the result of each tag of a batch. When the whole batch failed, so did each tag. */
async function batchEnded(db: Db, command: DeviceCommand, services: Services): Promise<void> {
  const now = services.now()
  const reports = await db.query<TagReport>(
    sql`select id, tag_id, wanted_hash as hash from price_tag where tenant_id = ${db.tenantId}
      and command_id = ${command.id} and is_deleted = 0 order by id for update`,
  )
  const answered = (command.result as { tags?: { tagId?: string; hash?: string; code?: number }[] } | null)?.tags ?? []
  const results = new Map(
    (Array.isArray(answered) ? answered : []).map(({ tagId, hash, code }) => [`${tagId} ${hash}`, code]),
  )
  for (const report of reports) {
    const code =
      command.state === 'done'
        ? (results.get(`${report.tagId} ${report.hash}`) ?? DEVICE_REPLY_CODE.other)
        : DEVICE_REPLY_CODE.other
    if (code === DEVICE_REPLY_CODE.done) await recordTagShown(db, report, now)
    else
      await recordTagFailure(
        db,
        report,
        now,
        command.state === 'done' ? `code ${code}` : (command.message ?? command.state!),
      )
  }
  await enqueueTagPush(db, now)
}

/** Makes a tag flash, to find it on the shelf. */
export async function flashTag(call: Call, id: string): Promise<Record<string, unknown>> {
  const { services, caller } = call
  const found = await services.unit({ tenantId: caller.tenantId }, async (db) => {
    const tag = await db.one<{ tagId: string; clientId: string | null; accountId: string | null }>(
      sql`select r.tag_id, l.client_id, r.account_id from price_tag r
        left join device_link l on l.tenant_id = r.tenant_id and l.id = coalesce(r.gateway_id, r.shop_id)
        where r.tenant_id = ${caller.tenantId} and r.id = ${id} and r.is_deleted = 0${dataScopeSql(priceTag, caller)}`,
    )
    return tag && { ...tag, account: tag.accountId ? await db.get(tagAccount, tag.accountId) : undefined }
  })
  if (!found) throw new Refused('not_found', { label: priceTag.label })
  const { tagId, clientId, account } = found
  if (account?.enabled) return flashAt(call, account, tagId)
  if (!clientId) throw new Refused('tag_without_gateway', { tagId })
  return commandToWire(
    await executeDeviceCommand(call, tagFlash, clientId, { tagId, colour: 'green', seconds: FLASH_SECONDS }),
  )
}

async function flashAt({ services }: Call, account: TagAccountRow, tagId: string): Promise<Record<string, unknown>> {
  const { name } = account
  try {
    const result = await eslProviderOf(account).flash(decryptTagAccount(services, account), tagId)
    if (!result.isTaken) throw new Refused('tag_carrier_refused', { name, msg: result.reason })
    return { tagId, state: 'done' }
  } catch (error) {
    if (error instanceof EslUnreachableError) throw new Refused('tag_carrier_silent', { name })
    if (error instanceof EslRejectedError) throw new Refused('tag_carrier_refused', { name, msg: error.message })
    throw error
  }
}

const FLASH_SECONDS = 10
