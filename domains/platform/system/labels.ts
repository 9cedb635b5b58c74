import type { Field } from '#kit/fields/base/field-kind.ts'
import { customFieldToField, type CustomFieldChoice, type CustomFieldsByResource } from '#kit/resource/custom-fields.ts'
import { customColumnNameOf } from '#kit/resource/custom-columns.ts'
import type { Lang } from '#kit/base/localized-text.ts'
import type { LabelLookup, BaseServices } from '#kit/server/module/services.ts'
import { onProcessBroadcast } from '#kit/server/shared/broadcast.ts'

export const DICTIONARY_CHANGED_TOPIC = 'dictionary.changed'
export const REGION_CHANGED_TOPIC = 'region.changed'

/** A dictionary entry as the dictionary screens show it. */
export type DictEntryRow = {
  id: string
  parentId: string
  code: string
  dictKey: string
  dictValue: string
  dictValueEn: string
  colour: string
  sort: number
  isSealed: number
  remark: string
}

type Codes = Map<string, DictEntryRow[]>
/** Dictionary entries by code and key. */
type ByKey = Map<string, Map<string, DictEntryRow>>
type Words = { system: Codes; keys: ByKey; biz: Map<string, Codes>; bizKeys: Map<string, ByKey> }
type Regions = Map<string, string>

/** The label lookup with what only the system module needs. */
export type SystemLabelLookup = LabelLookup & {
  /** Returns the entries of a code in order, without root and sealed ones. */
  rows: (tenantId: string, code: string, isBiz: boolean) => readonly DictEntryRow[]
  renew: (what: 'dictionaries' | 'regions') => void
}

/** Keeps a loaded value until it is declared stale; calls of `ready` after that wait for the reload. */
function keptFresh<T>(load: () => Promise<T>, empty: T) {
  let value = empty
  let wanted = 1
  let loaded = 0
  let loading: Promise<void> | undefined
  const ready = (): Promise<void> | undefined => {
    if (loaded === wanted) return undefined
    return (loading ??= (async () => {
      while (loaded !== wanted) {
        const round = wanted
        value = await load()
        loaded = round
      }
    })().finally(() => (loading = undefined)))
  }
  return { ready, value: () => value, stale: () => void wanted++ }
}

const COLUMNS = `id::text as id, coalesce(parent_id, 0)::text as "parentId", code,
  coalesce(dict_key, '-1') as "dictKey", coalesce(dict_value, '') as "dictValue",
  coalesce(dict_value_en, '') as "dictValueEn", coalesce(colour, '') as colour, coalesce(sort, 0) as sort,
  coalesce(is_sealed, 0) as "isSealed", coalesce(remark, '') as remark`

async function loadWords({ systemPool }: BaseServices): Promise<Words> {
  const [system, biz] = await Promise.all([
    systemPool.query<DictEntryRow>(`select ${COLUMNS} from dict where is_deleted = 0 order by sort, id`),
    systemPool.query<DictEntryRow & { tenantId: string }>(
      `select tenant_id as "tenantId", ${COLUMNS} from dict_biz where is_deleted = 0 order by sort, id`,
    ),
  ])
  const words: Words = { system: new Map(), keys: new Map(), biz: new Map(), bizKeys: new Map() }
  const note = (codes: ByKey, row: DictEntryRow) =>
    void (codes.get(row.code) ?? codes.set(row.code, new Map()).get(row.code)!).set(row.dictKey, row)
  const add = (codes: Codes, row: DictEntryRow) =>
    void (codes.get(row.code) ?? codes.set(row.code, []).get(row.code)!).push(row)
  for (const row of system.rows) {
    note(words.keys, row)
    if (row.parentId !== '0') add(words.system, row)
  }
  for (const { tenantId, ...row } of biz.rows) {
    note(words.bizKeys.get(tenantId) ?? words.bizKeys.set(tenantId, new Map()).get(tenantId)!, row)
    if (row.parentId !== '0') add(words.biz.get(tenantId) ?? words.biz.set(tenantId, new Map()).get(tenantId)!, row)
  }
  return words
}

const NAMES = ['province', 'city', 'district', 'town', 'village'].map((level) => `${level}_name`).join(', ')

async function loadRegions({ systemPool }: BaseServices): Promise<Regions> {
  const { rows } = await systemPool.query<string[]>({
    // Abolished regions first, so that of two with one name the existing one is found.
    text: `select code, name, ${NAMES} from region order by coalesce(is_abolished, false) desc, code`,
    rowMode: 'array',
  } as never)
  return new Map(
    (rows as unknown as (string | null)[][]).map(([code, name, ...path]) => {
      const parts = path.filter(Boolean) as string[]
      // Municipalities are both province and city: named only once.
      const distinct = parts.filter((part, index) => part !== parts[index - 1])
      return [code!, distinct.join('/') || name!]
    }),
  )
}

/** Converts a choice of a custom field to a dictionary entry. */
const ownRow = (code: string, entry: CustomFieldChoice): DictEntryRow => ({
  id: '',
  parentId: code,
  code,
  dictKey: entry.key,
  dictValue: entry.zh,
  dictValueEn: entry.en,
  colour: entry.colour ?? '',
  sort: 0,
  isSealed: entry.isOff ? 1 : 0,
  remark: '',
})

const entriesOfOwn = (fields: CustomFieldsByResource, code: string): DictEntryRow[] =>
  Object.values(fields)
    .flat()
    .filter(({ key }) => key === code)
    .flatMap((own) => customFieldToField(own).entries ?? [])
    .map((one) => ownRow(code, one))

/**
 * Keeps labels of dictionaries and regions in memory. A change in any process makes all reload them before their next
 * answer.
 */
export function createLabelLookup(services: BaseServices): SystemLabelLookup {
  const words = keptFresh<Words>(() => loadWords(services), {
    system: new Map(),
    keys: new Map(),
    biz: new Map(),
    bizKeys: new Map(),
  })
  const regions = keptFresh<Regions>(() => loadRegions(services), new Map())
  let paths: { of: Regions; codes: Map<string, string> } | undefined
  const codes = () =>
    (paths?.of === regions.value()
      ? paths
      : (paths = { of: regions.value(), codes: new Map([...regions.value()].map(([code, path]) => [path, code])) })
    ).codes
  onProcessBroadcast(services, DICTIONARY_CHANGED_TOPIC, words.stale)
  onProcessBroadcast(services, REGION_CHANGED_TOPIC, regions.stale)

  const rowOf = (tenantId: string, field: Field, key: string): DictEntryRow | undefined =>
    field.entries?.filter((one) => one.key === key).map((one) => ownRow(field.dict!, one))[0] ??
    (field.biz ? words.value().bizKeys.get(tenantId) : words.value().keys)?.get(field.dict!)?.get(key)
  const labelOf = (row: DictEntryRow, lang: Lang) => (lang === 'en' && row.dictValueEn) || row.dictValue
  const rows = (tenantId: string, code: string, isBiz: boolean) =>
    ((isBiz ? words.value().biz.get(tenantId) : words.value().system)?.get(code) ?? []).filter(
      (row) => row.isSealed === 0,
    )

  return {
    ready: async () => {
      const waits = [words.ready(), regions.ready()].filter((wait) => wait !== undefined)
      if (waits.length) await Promise.all(waits)
    },
    dict: (tenantId, field, key, lang) => {
      if (key === null || key === undefined || key === '') return ''
      const row = rowOf(tenantId, field, String(key))
      return row ? labelOf(row, lang) : String(key)
    },
    hasKey: (tenantId, field, key) => {
      const row = rowOf(tenantId, field, key)
      return row !== undefined && row.isSealed === 0 && row.parentId !== '0'
    },
    entries: (tenantId, code, lang) => {
      const own = customColumnNameOf(code) && services.own && entriesOfOwn(services.own.of(tenantId), code)
      const found = own
        ? own.filter(({ isSealed }) => isSealed === 0)
        : words.value().system.has(code)
          ? rows(tenantId, code, false)
          : rows(tenantId, code, true)
      return found.map((row) => ({
        key: row.dictKey,
        label: labelOf(row, lang),
        ...(row.colour ? { colour: row.colour } : {}),
      }))
    },
    region: (code) => regions.value().get(code) ?? '',
    regionAt: (path) => codes().get(path),
    rows,
    renew: (what) => (what === 'regions' ? regions.stale() : words.stale()),
  }
}
