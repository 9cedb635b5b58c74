import { f, type PatchOf, type RowOf } from '#kit/resource/index.ts'
import { handleListCall } from '#kit/server/resource/list-of.ts'
import {
  nestByParent,
  requireChildless,
  requireValidParent,
  loadForest,
  submitTreeRow,
  createTreeNode,
  loadTreeRows,
  type TreePickerNode,
  type TreeRow,
  TREE_ROOT_LABEL,
} from '#kit/server/resource/trees.ts'
import { Refused } from '#kit/server/base/refused.ts'
import {
  invalidFieldRefusal,
  defineRoute,
  serve,
  type Call,
  type ResourceHooks,
  type Route,
  type ServedResource,
} from '#kit/server/module/module.ts'
import sql, { raw, type Sql } from 'sql-template-tag'
import { dict, dictBiz } from './dict.resource.ts'
import { publishDictionariesChanged } from './caches.ts'
import type { DictEntryRow, SystemLabelLookup } from './labels.ts'

type Dict = typeof dict

const ROOT = '0'
const ROOT_KEY = '-1'

/** The two dictionary resources, system-wide and per tenant (`isBiz`), share their routes and rules. */
type DictionaryKind = {
  resource: Dict | typeof dictBiz
  isBiz: boolean
  table: Sql
  ofTenant: (tenantId: string) => Sql
}

function serveDictionary(resource: Dict | typeof dictBiz, isBiz: boolean): { served: ServedResource; routes: Route[] } {
  const kind: DictionaryKind = {
    resource,
    isBiz,
    table: raw(`"${resource.table}"`),
    ofTenant: (tenantId) => (isBiz ? sql` and tenant_id = ${tenantId}` : sql``),
  }
  const served: ServedResource = serve(resource as Dict, {
    ...hooksOf(kind),
    list: (call) => loadForest(served, call),
  })
  return { served, routes: [...editingRoutes(kind, served), ...choiceRoutes(kind, served)] }
}

const hooksOf = (kind: DictionaryKind): ResourceHooks<Dict> => ({
  beforeSave: (draft, was, call) => deriveEntryCode(kind, draft, was, call),
  afterSave: (row, was, call) => propagateCode(kind, row, was, call),
  beforeRemove: async (rows, call) => {
    await requireChildless(
      call.db,
      kind.resource,
      rows.map((row) => row.id),
    )
    await publishChange(kind, call)
  },
  present: (wire, _rows, call) => {
    for (const row of wire) if (row.parentId === ROOT) row.parentName = TREE_ROOT_LABEL[call.lang]
  },
  // The routes below save entries: those the platform adds to a tenant's dictionary belong to that tenant.
  without: ['submit'],
})

/** Sets the code of a draft: entries take their root's code and need a key unique in it; a root has no key. */
async function deriveEntryCode(
  { resource, table, ofTenant }: DictionaryKind,
  draft: PatchOf<Dict>,
  was: RowOf<Dict> | undefined,
  call: Call,
): Promise<void> {
  const parentId = draft.parentId ?? was?.parentId ?? ROOT
  draft.parentId = parentId
  const id = was?.id
  if (parentId === ROOT) draft.dictKey = ROOT_KEY
  else {
    await requireValidParent(call.db, resource, id, parentId)
    draft.code = (await call.db.get(resource, parentId))!.code
    const key = draft.dictKey === undefined ? was?.dictKey : draft.dictKey
    if (!key || key === ROOT_KEY) throw invalidFieldRefusal(resource, 'dictKey', 'required')
    draft.dictKey = key
  }
  const code = draft.code ?? was!.code
  await call.db.advisoryLock(`dictionary/${code}`)
  const taken = await call.db.one(
    sql`select 1 from ${table} where code = ${code} and dict_key = ${draft.dictKey} and is_deleted = 0
        and id <> ${id ?? '0'}${ofTenant(call.db.tenantId)}`,
  )
  if (taken) throw parentId === ROOT ? new Refused('dict_code_taken', { code }) : new Refused('dict_key_taken')
}

/** Copies a changed code to all entries below: when the root's code changes or an entry moves. */
async function propagateCode(
  kind: DictionaryKind,
  row: RowOf<Dict>,
  was: RowOf<Dict> | undefined,
  call: Call,
): Promise<void> {
  const { table, ofTenant } = kind
  if (was && was.code !== row.code) {
    await call.db.run(sql`
        with recursive down as (
          select id from ${table} where parent_id = ${row.id}${ofTenant(call.db.tenantId)}
          union select d.id from ${table} d join down on d.parent_id = down.id${ofTenant(call.db.tenantId)}
        ) update ${table} set code = ${row.code}, update_time = now()
        where id in (select id from down)${ofTenant(call.db.tenantId)}`)
  }
  await publishChange(kind, call)
}

const publishChange = ({ isBiz }: DictionaryKind, call: Call) =>
  publishDictionariesChanged(call.db, call.services, isBiz ? call.db.tenantId : undefined)

const titleIn =
  ({ resource: { label } }: DictionaryKind) =>
  (zh: string, en: string) => ({ zh: `${label.zh}${zh}`, en: `${label.en}: ${en}` })

/** Routes for editing dictionaries. */
function editingRoutes(kind: DictionaryKind, served: ServedResource): Route[] {
  const { path, code } = kind.resource
  const title = titleIn(kind)
  return [
    defineRoute({
      method: 'POST',
      path: `${path}/submit`,
      title: title('保存', 'save'),
      can: [`${code}_add`, `${code}_edit`],
      handle: (call) => submitTreeRow(served, call),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/parent-list`,
      title: title('列表', 'roots'),
      can: code,
      tx: false,
      handle: (call) =>
        handleListCall({ ...served, hooks: { ...served.hooks, where: () => sql` and r.parent_id = 0` } }, call),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/child-list`,
      tx: false,
      title: title('子项列表', 'entries'),
      can: code,
      handle: (call) => entriesBelow(kind, served, call),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/tree`,
      tx: false,
      title: title('树', 'tree'),
      can: code,
      handle: async (call) =>
        nodes(
          await loadTreeRows(served, call, {
            query: kind.isBiz && call.query.tenantId ? { tenantId_equal: call.query.tenantId } : {},
          }),
          call,
        ),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/parent-tree`,
      tx: false,
      title: title('根节点树', 'tree of roots'),
      can: code,
      handle: async (call) =>
        nodes(await loadTreeRows(served, call, { query: {}, more: sql` and r.parent_id = 0` }), call),
    }),
  ]
}

async function entriesBelow({ isBiz }: DictionaryKind, served: ServedResource, call: Call) {
  const { parentId, ...filters } = call.query
  if (!parentId || !/^\d{1,19}$/.test(parentId) || parentId === ROOT) return []
  const [parent] = await loadTreeRows(served, call, { query: {}, more: sql` and r.id = ${parentId}` })
  if (!parent) return []
  return loadForest(served, call, {
    query: filters,
    more: sql` and r.code = ${parent.code} and r.id <> ${parentId}${
      isBiz
        ? sql`
            and r.tenant_id = ${parent.tenantId}`
        : sql``
    }`,
  })
}

const nodes = (rows: readonly TreeRow[], call: Call): TreePickerNode[] =>
  nestByParent(rows.map((row) => createTreeNode(row.id, row.parentId, titleOf(row, call))))

/** Routes that give forms and filters the entries to choose from. */
function choiceRoutes(kind: DictionaryKind, served: ServedResource): Route[] {
  const { path, code, fields } = kind.resource
  const title = titleIn(kind)
  const input = { code: f.text({ label: fields.code.label, required: true, max: 64 }) }
  const can = { signedIn: 'words of choices stand in every form' } as const
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/dictionary`,
      title: title('选项', 'choices'),
      can,
      tx: false,
      input,
      handle: (call) => words(kind, call),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/dictionary-tree`,
      title: title('选项树', 'tree of choices'),
      can,
      tx: false,
      input,
      handle: async (call) => nestByParent((await words(kind, call)) as { id: string; parentId: string }[]),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/select`,
      tx: false,
      title: title('字典下拉', 'dictionaries as choices'),
      can: code,
      handle: (call) => loadTreeRows(served, call, { query: {}, more: sql` and r.parent_id = 0` }),
    }),
  ]
}

async function words(
  { isBiz }: DictionaryKind,
  call: Call<{ code: string | null }>,
): Promise<Record<string, unknown>[]> {
  const labels = call.services.labels as SystemLabelLookup
  await labels.ready(call.caller.tenantId)
  return labels.rows(tenantOf(call), call.input.code!, isBiz).map((row) => wireOf(row, call))
}

/** Returns the tenant whose entries are requested: platform administrators may name one. */
const tenantOf = (call: Call) =>
  call.caller.isPlatform && call.query.tenantId ? call.query.tenantId : call.caller.tenantId

const titleOf = (row: Record<string, unknown>, call: Call): string =>
  String((call.lang === 'en' && row.dictValueEn) || row.dictValue)

/** Returns an entry in the caller's language, with the Chinese text in `dictValueZh`. */
function wireOf(row: DictEntryRow, call: Call): Record<string, unknown> {
  return { ...row, dictValue: titleOf(row, call), dictValueZh: row.dictValue, label: titleOf(row, call), isDeleted: 0 }
}

const systemDictionary = serveDictionary(dict, false)
const bizDictionary = serveDictionary(dictBiz, true)

export const dictServers = [systemDictionary.served, bizDictionary.served]
export const dictRoutes = [...systemDictionary.routes, ...bizDictionary.routes]
