import { f, type DraftOf, type RowOf } from '#kit/resource/index.ts'
import { listOf } from '#kit/server/resource/list-of.ts'
import { nest } from '#kit/server/request/kit-routes.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, route, serve, type Call, type Hooks, type Route, type Served } from '#kit/server/room.ts'
import {
  checkChildless,
  checkParent,
  forestOf,
  submitBelow,
  treeNode,
  treeRows,
  type TreeNode,
  type TreeRow,
  topName,
} from '#kit/server/resource/trees.ts'
import sql, { raw, type Sql } from 'sql-template-tag'
import { dict, dictBiz } from './dict.resource.ts'
import { dictionariesChanged } from './caches.ts'
import type { DictRow, SystemLabels } from './labels.ts'

type Dict = typeof dict

const ROOT = '0'
const ROOT_KEY = '-1'

/** One family of dictionaries: the shared one, or each tenant's own. Both have the same calls and rules. */
function dictFamily(resource: Dict | typeof dictBiz, isBiz: boolean): { served: Served; routes: Route[] } {
  const table = raw(`"${resource.table}"`)
  const ofTenant = (tenantId: string): Sql => (isBiz ? sql` and tenant_id = ${tenantId}` : sql``)

  async function settle(draft: DraftOf<Dict>, was: RowOf<Dict> | undefined, call: Call): Promise<void> {
    const parentId = draft.parentId ?? was?.parentId ?? ROOT
    draft.parentId = parentId
    const id = was?.id
    if (parentId === ROOT) draft.dictKey = ROOT_KEY
    else {
      await checkParent(call.db, resource, id, parentId)
      draft.code = (await call.db.get(resource, parentId))!.code
      const key = draft.dictKey === undefined ? was?.dictKey : draft.dictKey
      if (!key || key === ROOT_KEY) throw invalidField(resource, 'dictKey', 'required')
      draft.dictKey = key
    }
    const code = draft.code ?? was!.code
    await call.db.lockName(`dictionary/${code}`)
    const taken = await call.db.one(
      sql`select 1 from ${table} where code = ${code} and dict_key = ${draft.dictKey} and is_deleted = 0
        and id <> ${id ?? '0'}${ofTenant(call.db.tenantId)}`,
    )
    if (taken) throw parentId === ROOT ? new Refused('dict_code_taken', { code }) : new Refused('dict_key_taken')
  }

  /** Entries below carry the code of their root: it follows when the root's changes or the entry moves. */
  async function follow(row: RowOf<Dict>, was: RowOf<Dict> | undefined, call: Call): Promise<void> {
    if (was && was.code !== row.code) {
      await call.db.run(sql`
        with recursive down as (
          select id from ${table} where parent_id = ${row.id}${ofTenant(call.db.tenantId)}
          union select d.id from ${table} d join down on d.parent_id = down.id
        ) update ${table} set code = ${row.code}, update_time = now() where id in (select id from down)`)
    }
    await dictionariesChanged(call.db, call.services, isBiz ? call.db.tenantId : undefined)
  }

  const hooks: Hooks<Dict> = {
    beforeSave: settle,
    afterSave: follow,
    beforeRemove: async (rows, call) => {
      await checkChildless(
        call.db,
        resource,
        rows.map((row) => row.id),
      )
      await dictionariesChanged(call.db, call.services, isBiz ? call.db.tenantId : undefined)
    },
    present: (wire, _rows, call) => {
      for (const row of wire) if (row.parentId === ROOT) row.parentName = topName[call.lang]
    },
    list: (call) => forestOf(served, call),
    // What the platform adds below a tenant's dictionary belongs to that tenant.
    without: ['submit'],
  }
  const served = serve(resource as Dict, hooks)

  const nodes = (rows: readonly TreeRow[], call: Call): TreeNode[] =>
    nest(rows.map((row) => treeNode(row.id, row.parentId, titleOf(row, call))))

  /** Whose words a reader asks for: a platform administrator may name a tenant. */
  const tenantOf = (call: Call) =>
    call.caller.isPlatform && call.query.tenantId ? call.query.tenantId : call.caller.tenantId

  async function words(call: Call<{ code: string | null }>): Promise<Record<string, unknown>[]> {
    const labels = call.services.labels as SystemLabels
    await labels.ready(call.caller.tenantId)
    return labels.rows(tenantOf(call), call.input.code!, isBiz).map((row) => wireOf(row, call))
  }

  const code = f.text({ label: resource.fields.code.label, required: true, max: 64 })
  const { path, label } = resource
  const title = (zh: string, en: string) => ({ zh: `${label.zh}${zh}`, en: `${label.en}: ${en}` })
  const choices = { signedIn: 'words of choices stand in every form' } as const

  const routes = [
    route({
      method: 'POST',
      path: `${path}/submit`,
      title: title('保存', 'save'),
      can: [`${resource.code}_add`, `${resource.code}_edit`],
      handle: (call) => submitBelow(served, call),
    }),
    route({
      method: 'GET',
      path: `${path}/parent-list`,
      title: title('列表', 'roots'),
      can: resource.code,
      tx: false,
      handle: (call) => listOf({ ...served, hooks: { ...served.hooks, where: () => sql` and r.parent_id = 0` } }, call),
    }),
    route({
      method: 'GET',
      path: `${path}/child-list`,
      tx: false,
      title: title('子项列表', 'entries'),
      can: resource.code,
      handle: async (call) => {
        const { parentId, ...filters } = call.query
        if (!parentId || !/^\d{1,19}$/.test(parentId) || parentId === ROOT) return []
        const [parent] = await treeRows(served, call, { query: {}, more: sql` and r.id = ${parentId}` })
        if (!parent) return []
        return forestOf(served, call, {
          query: filters,
          more: sql` and r.code = ${parent.code} and r.id <> ${parentId}${
            isBiz
              ? sql`
            and r.tenant_id = ${parent.tenantId}`
              : sql``
          }`,
        })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/tree`,
      tx: false,
      title: title('树', 'tree'),
      can: resource.code,
      handle: async (call) =>
        nodes(
          await treeRows(served, call, {
            query: isBiz && call.query.tenantId ? { tenantId_equal: call.query.tenantId } : {},
          }),
          call,
        ),
    }),
    route({
      method: 'GET',
      path: `${path}/parent-tree`,
      tx: false,
      title: title('根节点树', 'tree of roots'),
      can: resource.code,
      handle: async (call) => nodes(await treeRows(served, call, { query: {}, more: sql` and r.parent_id = 0` }), call),
    }),
    route({
      method: 'GET',
      path: `${path}/dictionary`,
      title: title('选项', 'choices'),
      can: choices,
      tx: false,
      input: { code },
      handle: words,
    }),
    route({
      method: 'GET',
      path: `${path}/dictionary-tree`,
      title: title('选项树', 'tree of choices'),
      can: choices,
      tx: false,
      input: { code },
      handle: async (call) => nest((await words(call)) as { id: string; parentId: string }[]),
    }),
    route({
      method: 'GET',
      path: `${path}/select`,
      tx: false,
      title: title('字典下拉', 'dictionaries as choices'),
      can: resource.code,
      handle: (call) => treeRows(served, call, { query: {}, more: sql` and r.parent_id = 0` }),
    }),
  ]
  return { served, routes }
}

const titleOf = (row: Record<string, unknown>, call: Call): string =>
  String((call.lang === 'en' && row.dictValueEn) || row.dictValue)

/** An entry in the reader's language; the Chinese word stays beside it for who needs it. */
function wireOf(row: DictRow, call: Call): Record<string, unknown> {
  return { ...row, dictValue: titleOf(row, call), dictValueZh: row.dictValue, label: titleOf(row, call), isDeleted: 0 }
}

const systemFamily = dictFamily(dict, false)
const bizFamily = dictFamily(dictBiz, true)

export const dictServers = [systemFamily.served, bizFamily.served]
export const dictRoutes = [...systemFamily.routes, ...bizFamily.routes]
