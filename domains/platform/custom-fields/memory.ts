import {
  isCustomFieldKind,
  customFieldKey,
  customFieldKinds,
  customSlotsOfLetter,
  type CustomFieldChoice,
  type CustomField,
  type CustomFieldsByResource,
} from '#kit/resource/index.ts'
import { broadcastToProcesses, onProcessBroadcast } from '#kit/server/shared/broadcast.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { CustomFieldCache, BaseServices, Services } from '#kit/server/module/services.ts'
import { customFieldsTopic, dictionaryTopic } from '#kit/resource/kit-topics.ts'

const topic = 'ownFields.changed'
/** Event that tells browsers to reload the custom fields. */

type Stored = {
  family: string
  labelZh: string
  labelEn: string
  helpZh: string | null
  helpEn: string | null
  kind: string
  refersTo: string | null
  options: CustomFieldChoice[] | null
  decimals: number | null
  unit: string | null
  defaultValue: string | null
  required: boolean | null
  inList: boolean | null
  inSearch: boolean | null
  inForm: boolean | null
  inExport: boolean | null
  inImport: boolean | null
  number: number
  slot: string
}

/** Converts a stored field to the kit's form; undefined when its slot does not belong to its kind. */
export function rowToCustomField(row: Stored): CustomField | undefined {
  if (!isCustomFieldKind(row.kind) || !customSlotsOfLetter(customFieldKinds[row.kind].letter).includes(row.slot))
    return undefined
  const { labelZh, labelEn, helpZh, helpEn } = row
  const help = { zh: helpZh || helpEn, en: helpEn || helpZh }
  return {
    key: customFieldKey(row.number, row.slot),
    kind: row.kind,
    label: { zh: labelZh, en: labelEn },
    ...(help.zh && help.en ? { help: { zh: help.zh, en: help.en } } : {}),
    required: row.required === true,
    inList: row.inList === true,
    inSearch: row.inSearch === true,
    inForm: row.inForm === true,
    inExport: row.inExport === true,
    inImport: row.inImport === true,
    ...(row.options ? { entries: row.options } : {}),
    ...(row.decimals ? { decimals: row.decimals } : {}),
    ...(row.unit ? { unit: row.unit } : {}),
    ...(row.refersTo ? { to: row.refersTo } : {}),
    ...(row.defaultValue ? { default: row.defaultValue } : {}),
  }
}

async function load({ systemPool }: BaseServices, tenantId: string): Promise<CustomFieldsByResource> {
  const { rows } = await systemPool.query<Stored>(
    `select family, label_zh as "labelZh", label_en as "labelEn", help_zh as "helpZh", help_en as "helpEn", kind,
      refers_to as "refersTo", options, decimals, unit, default_value as "defaultValue", required, in_list as "inList",
      in_search as "inSearch", in_form as "inForm", in_export as "inExport", in_import as "inImport", number, slot
      from own_field where tenant_id = $1 and is_deleted = 0 order by family, sort, id`,
    [tenantId],
  )
  const byResource = Map.groupBy(rows, ({ family }) => family)
  return Object.fromEntries(
    [...byResource].map(([resource, own]) => [resource, own.flatMap((row) => rowToCustomField(row) ?? [])]),
  )
}

const NONE: CustomFieldsByResource = {}

type CachedFields = { fields: CustomFieldsByResource; round: number }

/**
 * Caches the custom fields by tenant until any of them change. Also remembers tenants without any, so that they cost
 * nothing. A call in progress keeps the fields it began with.
 */
export function createCustomFieldCache(services: BaseServices): CustomFieldCache {
  const known = new Map<string, CachedFields>()
  const loading = new Map<string, Promise<void>>()
  let round = 1
  const invalidate = () => {
    round++
    loading.clear()
  }
  onProcessBroadcast(services, topic, invalidate)
  const read = (tenantId: string): Promise<void> => {
    const mine = round
    const promise = load(services, tenantId).then((fields) => {
      if ((known.get(tenantId)?.round ?? 0) < mine)
        known.set(tenantId, { fields: Object.keys(fields).length ? fields : NONE, round: mine })
    })
    loading.set(tenantId, promise)
    const done = () => void (loading.get(tenantId) === promise && loading.delete(tenantId))
    promise.then(done, done)
    return promise
  }
  return {
    ready: (tenantId) =>
      known.get(tenantId)?.round === round || tenantId === '' ? undefined : (loading.get(tenantId) ?? read(tenantId)),
    of: (tenantId) => known.get(tenantId)?.fields ?? NONE,
    forget: invalidate,
  }
}

/** After the commit, makes all processes and the tenant's browsers reload its fields. */
export function publishCustomFieldsChanged(db: Db, services: Services): void {
  db.publish(customFieldsTopic, {})
  // Browsers load choices like dictionaries.
  db.publish(dictionaryTopic, {})
  db.afterCommit(() => {
    services.own?.forget()
    return broadcastToProcesses(services, topic)
  })
}
