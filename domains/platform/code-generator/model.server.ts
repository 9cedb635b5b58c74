import { f, type RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { declaredMenuRows } from '#kit/server/mount/menus.ts'
import { sentencesOf } from '#kit/server/request/envelope.ts'
import { handleSubmitCall } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { toCamelCase, legacyClassName, type ForeignTable } from './columns.ts'
import { dataSource } from './data-source.resource.ts'
import { generatorCatalogueOf } from './generator-catalogue.ts'
import { model, modelPrototype, MODEL_FIELD_LABEL } from './model.resource.ts'
import { serviceOfModuleFolder } from './module-folders.ts'
import { proposeModelColumns, legacyPropertyTypeOf, type ModelColumn } from './part.ts'
import { readFromDataSource, requireReadableDataSource, findTenantDataSourceId } from './read-source.ts'
import { findForeignTable, listDataSourceTables } from './tables.client.ts'

type ModelRow = RowOf<typeof model>

/** Refuses a tenant's caller a data source other than the one assigned to the tenant. */
async function requireOwn(call: Call, id: string | null | undefined): Promise<void> {
  if (id && !call.caller.isPlatform && (await findTenantDataSourceId(call.db)) !== id)
    throw new Refused('source_not_yours')
}

export const modelServer = serve(model, {
  beforeSave: async (draft, was, call) => {
    if (draft.datasourceId !== was?.datasourceId) await requireOwn(call, draft.datasourceId)
  },
})

/** Defaults for null columns of a prototype row. */
const WHERE_NULL: ModelColumn = {
  jdbcName: '',
  jdbcType: '',
  propertyName: '',
  propertyType: '',
  comment: '',
  labelZh: '',
  labelEn: '',
  fieldKind: '',
  isList: 0,
  isForm: 1,
  isRow: 0,
  isRequired: 0,
  isQuery: 0,
  queryType: '',
  componentType: '',
  dictCode: '',
  options: [],
  refTable: '',
  refTo: '',
  columnLength: 0,
  columnScale: 0,
  defaultValue: '',
  uniqueGroup: '',
}
const PART_KEYS = Object.keys(WHERE_NULL) as (keyof ModelColumn)[]

/** Converts a stored model column to the generator's form. */
export function rowToModelColumn(row: RowOf<typeof modelPrototype>): ModelColumn {
  const part = Object.fromEntries(PART_KEYS.map((key) => [key, row[key] ?? WHERE_NULL[key]])) as ModelColumn
  return { ...part, options: choices(row.options) }
}

const isText = (value: unknown): value is string => typeof value === 'string'
function choices(value: unknown): ModelColumn['options'] {
  if (!Array.isArray(value)) return []
  return value.slice(0, 200).flatMap((one) => {
    const { key, zh, en } = (one ?? {}) as Record<string, unknown>
    const isWhole = (isText(key) || typeof key === 'number') && String(key) !== ''
    return isWhole ? [{ key: String(key), zh: isText(zh) ? zh : '', en: isText(en) ? en : '' }] : []
  })
}

/** Returns a model's saved columns in their order. */
export const findModelColumnRows = (db: Db, modelId: string): Promise<RowOf<typeof modelPrototype>[]> =>
  db.find(modelPrototype, sql`tenant_id = ${db.tenantId} and model_id = ${modelId}`, sql`order by sort, id limit 1000`)

/**
 * Returns a model and its saved columns, of the caller's tenant or, for the platform, of any. Refuses one that does not
 * exist there.
 */
async function modelFor({ services, caller }: Call, id: string) {
  const read = async (db: Db): Promise<ModelRow> => {
    const row = await db.get(model, id)
    if (!row) throw new Refused('not_found', { label: model.label })
    return row
  }
  const ownerTenantId = caller.isPlatform
    ? (await services.unit({ crossTenantReason: 'platform administrator: whose model is this' }, read)).tenantId
    : caller.tenantId
  return services.unit({ tenantId: ownerTenantId }, async (db) => ({
    row: await read(db),
    saved: await findModelColumnRows(db, id),
  }))
}

/**
 * Reads a table's current columns from the data source. Refuses an unknown table and a data source the caller may not
 * read.
 */
async function readTable(call: Call, sourceId: string, name: string): Promise<ForeignTable> {
  const source = await requireReadableDataSource(call, sourceId)
  const found = await readFromDataSource(call.services, source, (ask) => findForeignTable(ask, source, name))
  if (!found) throw new Refused('table_unknown')
  return found
}

/** Returns the table's columns as older clients expect them, with the proposed field for each. */
function rawRows({ columns }: ForeignTable, call: Call) {
  const types = new Map(columns.map((column) => [column.name, legacyPropertyTypeOf(column)]))
  return proposeModelColumns(columns, generatorCatalogueOf(call.services.registry)).map((part, sort) => ({
    ...part,
    name: part.jdbcName,
    type: part.jdbcType,
    propertyType: types.get(part.jdbcName)!,
    sort,
  }))
}

type SourceTableQuery = { modelId: string | null; datasourceId: string | null; tableName?: string | null }

/** Returns the table that is requested by name or through its model. Refuses a model that was entered by hand. */
async function requestedTable(call: Call<SourceTableQuery>): Promise<{ sourceId: string; table: string }> {
  const { modelId, datasourceId, tableName } = call.input
  const row = modelId ? (await modelFor(call, modelId)).row : undefined
  const sourceId = datasourceId ?? row?.datasourceId
  const table = tableName ?? row?.modelTable
  if (!sourceId || !table) throw new Refused('model_by_hand', { name: row?.modelName ?? '' })
  return { sourceId, table }
}

/** Returns a model's saved columns, or those its table proposes while none are saved. */
async function prototypesOrColumns(call: Call<SourceTableQuery>) {
  const { modelId } = call.input
  if (modelId) {
    const { row, saved } = await modelFor(call, modelId)
    if (saved.length)
      return saved.map((one) => ({ ...rowToModelColumn(one), id: one.id, modelId, sort: one.sort ?? 0 }))
    if (!call.input.datasourceId && !row.datasourceId) return []
  }
  const { sourceId, table } = await requestedTable(call)
  return rawRows(await readTable(call, sourceId, table), call)
}

const COLUMNS_MAX = 300

/** Saves columns of one model, each like a single save with its checks; all or none. */
async function submitList(call: Call): Promise<void> {
  const { body } = call
  if (!Array.isArray(body) || body.some((one) => typeof one !== 'object' || one === null))
    throw new Refused('prototypes_list')
  const rows = body as Record<string, unknown>[]
  if (rows.length > COLUMNS_MAX) throw new Refused('prototypes_many', { max: COLUMNS_MAX })
  if (new Set(rows.map(({ modelId }) => String(modelId))).size > 1) throw new Refused('prototypes_list')
  for (const [at, row] of rows.entries())
    await handleSubmitCall(modelPrototypeServer, { ...call, body: { sort: at, ...row } }).catch((error: unknown) => {
      throw error instanceof Refused && (error.data.problems || error.data.field) ? ofColumn(error, at, row) : error
    })
}

/** Converts a refused field into a refusal that names the column. */
function ofColumn(refused: Refused, column: number, { jdbcName, propertyName }: Record<string, unknown>): Refused {
  const name = [jdbcName, propertyName].find((one) => isText(one) && one) ?? '?'
  return new Refused(
    'prototype_refused',
    { place: column + 1, name, why: sentencesOf(refused) },
    { ...refused.data, column },
  )
}

export const modelPrototypeServer = serve(modelPrototype)

/** Returns the existing resources, dictionaries, menus and modules, to choose from in a design and for its preview. */
async function surroundings({ services, lang }: Call) {
  const { registry } = services
  const titled = (one: { zh: string; en: string }) => one[lang]
  return {
    families: [...registry.served.values()]
      .map(({ resource }) => ({ name: resource.name, label: titled(resource.label) }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    modules: registry.modules.map(({ name, label }) => ({
      name: serviceOfModuleFolder(name),
      label: titled(label),
      folder: name,
    })),
    menus: declaredMenuRows(registry)
      .filter(({ category, parentId }) => category === 1 && parentId === '0')
      .map(({ code, label }) => ({ code, label: titled(label) })),
    dictionaries: registry.modules
      .flatMap((module) => module.dictionaries ?? [])
      .map(({ code, label }) => ({ code, label: titled(label) })),
  }
}

const modelId = f.ref(model.name, { label: MODEL_FIELD_LABEL })
const datasourceId = f.ref(dataSource.name, { label: dataSource.label })
const base = model.path

export const modelRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}/select`,
    title: { zh: '模型选项', en: 'Model options' },
    can: ['model', 'code'],
    handle: async ({ db }) =>
      (await db.find(model, sql`tenant_id = ${db.tenantId}`, sql`order by model_name limit 1000`)).map((row) => ({
        id: row.id,
        modelName: row.modelTable ? `${row.modelTable}: ${row.modelName}` : row.modelName,
        modelCode: row.modelCode,
      })),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/table-list`,
    title: { zh: '数据源的表', en: 'Data source tables' },
    can: 'model',
    tx: false,
    perMinute: 120,
    input: { datasourceId: f.ref(dataSource.name, { label: dataSource.label, required: true }) },
    handle: async (call) => {
      const source = await requireReadableDataSource(call, call.input.datasourceId)
      const tables = await readFromDataSource(call.services, source, (ask) => listDataSourceTables(ask, source))
      return tables.map(({ name, comment }) => ({
        name,
        comment: comment ? `${name}:${comment}` : name,
        entityName: legacyClassName(name),
      }))
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/table-info`,
    title: { zh: '表结构', en: 'Table structure' },
    can: 'model',
    tx: false,
    perMinute: 120,
    input: { tableName: f.text({ label: model.fields.modelTable.label, max: 100 }), modelId, datasourceId },
    handle: async (call) => {
      const { sourceId, table } = await requestedTable(call)
      const info = await readTable(call, sourceId, table)
      return {
        name: info.name,
        comment: info.comment,
        entityName: legacyClassName(info.name),
        modelCode: toCamelCase(info.name),
        fields: rawRows(info, call),
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/model-prototype`,
    title: { zh: '模型的字段或表的列', en: 'Model fields or table columns' },
    can: 'model',
    tx: false,
    perMinute: 120,
    input: { modelId, datasourceId },
    handle: prototypesOrColumns,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/surroundings`,
    title: { zh: '可引用的业务、菜单和字典', en: 'Entities, menus and dictionaries a model can reference' },
    can: ['model', 'code'],
    handle: surroundings,
  }),
  defineRoute({
    method: 'POST',
    path: `${modelPrototype.path}/submit-list`,
    title: { zh: '保存模型字段', en: 'Save model fields' },
    can: ['model_add', 'model_edit'],
    handle: submitList,
  }),
  defineRoute({
    method: 'GET',
    path: `${modelPrototype.path}/select`,
    title: { zh: '模型字段选项', en: 'Model field options' },
    can: ['model', 'code'],
    tx: false,
    input: { modelId: f.ref(model.name, { label: MODEL_FIELD_LABEL, required: true }) },
    handle: async (call) =>
      (await modelFor(call, call.input.modelId)).saved.map((row) => ({
        id: row.id,
        jdbcName: row.jdbcName,
        propertyName: row.propertyName,
        jdbcComment: row.comment ?? '',
        comment: row.comment ?? '',
      })),
  }),
]
