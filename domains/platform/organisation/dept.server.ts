import { f, objectSchema, textSchema } from '#kit/resource/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import {
  nestByParent,
  requireChildless,
  requireValidParent,
  loadForest,
  submitTreeRow,
  createTreeNode,
  loadTreeRows,
  type TreeRow,
  TREE_ROOT_LABEL,
} from '#kit/server/resource/trees.ts'
import { resourceRoutes } from '#kit/server/mount/mount.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { dept } from './dept.resource.ts'
import { loadAssignmentOptions } from './choices.ts'

export const deptServer = serve(dept, {
  without: ['list', 'submit'],
  beforeSave: async (draft, was, { db, caller }) => {
    const parentId = draft.parentId ?? was?.parentId ?? '0'
    draft.parentId = parentId
    // A caller who sees the rows of their departments and all below would see more by moving another one there.
    const isMoved = was && String(was.parentId ?? '0') !== parentId
    if (isMoved && !caller.isAdmin && caller.dataScopes.length && !caller.deptTreeIds.includes(was.id))
      throw new Refused('dept_moves_rows')
    await requireValidParent(db, dept, was?.id, parentId)
    const parent = parentId === '0' ? undefined : await db.get(dept, parentId)
    draft.ancestors = parent ? `${parent.ancestors},${parentId}` : '0'
  },
  afterSave: async (row, was, { db, services }) => {
    const isMoved = was && was.ancestors !== row.ancestors
    publishPermissionsChanged(services, db, isMoved ? { tenantIds: [db.tenantId] } : {})
    if (!isMoved) return
    const old = `${was.ancestors},${row.id}`
    await db.run(
      sql`update dept set ancestors = ${`${row.ancestors},${row.id}`} || substr(ancestors, ${old.length + 1})
        where tenant_id = ${db.tenantId} and (ancestors = ${old} or ancestors like ${`${old},%`})`,
    )
  },
  beforeRemove: async (rows, { db }) => {
    const ids = rows.map((row) => row.id)
    await requireChildless(db, dept, ids)
  },
  afterRemove: (_rows, { db, services }) => publishPermissionsChanged(services, db, { tenantIds: [db.tenantId] }),
  present: (wire, _rows, { lang }) => {
    for (const row of wire) if (row.parentId === '0') row.parentName = TREE_ROOT_LABEL[lang]
  },
  answer: {
    schema: objectSchema({ tenantId: textSchema, deptCategoryName: textSchema }),
    of: (row, { services, lang }) => ({
      tenantId: row.tenantId,
      deptCategoryName: services.labels.dict(row.tenantId, dept.fields.deptCategory, row.deptCategory, lang),
    }),
  },
})

const asNodes = (rows: TreeRow[]) =>
  nestByParent(rows.map((row) => createTreeNode(row.id, row.parentId, row.deptName as string, row.hasChildren)))

/**
 * Returns the query for one level of the tree. Callers who are not administrators start at their own departments' level
 * (wire contract §6).
 */
function oneLevel(call: Call) {
  const { parentId = '', ...query } = call.query
  const own = parentId === '0' && !call.caller.isAdmin && call.caller.deptIds.length > 0
  return own
    ? {
        query,
        lazy: true,
        more: sql` and r.parent_id in (select d.parent_id from dept d
          where d.tenant_id = r.tenant_id and d.id = any(${call.caller.deptIds}::bigint[]))`,
      }
    : { query: parentId === '' ? query : call.query, lazy: true, more: empty }
}

const parentId = f.tree('dept', { label: dept.fields.parentId.label })
const tenantId = f.text({ label: { zh: '租户编号', en: 'Tenant' }, max: 12 })

const title = (zh: string, en: string) => ({ zh: `部门${zh}`, en: `Department: ${en}` })

export const deptRoutes = [
  defineRoute({
    method: 'GET',
    path: `${dept.path}/list`,
    title: title('列表', 'list'),
    can: 'dept',
    tx: false,
    handle: (call) => loadForest(deptServer, call),
  }),
  defineRoute({
    method: 'GET',
    path: `${dept.path}/lazy-list`,
    title: title('列表', 'one level'),
    can: 'dept',
    tx: false,
    handle: (call) => loadForest(deptServer, call, oneLevel(call)),
  }),
  defineRoute({
    method: 'GET',
    path: `${dept.path}/tree`,
    title: title('树', 'tree'),
    can: { signedIn: "names of the own tenant's departments, for pickers" },
    tx: false,
    input: { tenantId },
    handle: async (call) =>
      asNodes(
        await loadTreeRows(deptServer, call, {
          query: { tenantId_equal: (call.caller.isPlatform && call.input.tenantId) || call.caller.tenantId },
        }),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: `${dept.path}/lazy-tree`,
    title: title('树', 'one level of the tree'),
    can: { signedIn: "names of the own tenant's departments, for pickers" },
    tx: false,
    input: { parentId, tenantId },
    handle: async (call) =>
      asNodes(
        await loadTreeRows(
          deptServer,
          call,
          oneLevel({
            ...call,
            query: {
              ...(call.caller.isPlatform && call.input.tenantId ? { tenantId_equal: call.input.tenantId } : {}),
              parentId: call.query.parentId ?? '0',
            },
          }),
        ),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: `${dept.path}/select`,
    title: title('选择', 'choices'),
    can: { open: 'who has several departments chooses one before having a token; ids and names of that choice only' },
    tx: false,
    perMinute: 120,
    input: {
      userId: f.ref('user', { label: { zh: '用户', en: 'User' } }),
      deptId: f.longText({ label: dept.label, max: 2000 }),
    },
    handle: (call) => loadAssignmentOptions(call, dept, 'dept', { userId: call.input.userId, ids: call.input.deptId }),
  }),
  {
    ...resourceRoutes(serve(dept, { answer: deptServer.hooks.answer })).find(({ path }) => path.endsWith('/submit'))!,
    handle: (call: Call) => submitTreeRow(deptServer, call),
  },
]
