import sql, { empty, type Sql } from 'sql-template-tag'
import { isEmptyInput } from '../../fields/base/field-kind.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { readBatch, type Db } from '../database/db.ts'
import { queryFilterSql, queryOrderBySql } from '../query/filters.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from './list-of.ts'
import { presentRows, selectColumnsSql } from './present.ts'
import { Refused } from '../base/refused.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { notDeletedSql, hasTenantColumn, tableNameSql } from '../database/row-sql.ts'
import { requireRowId, handleSubmitCall, tenantIdsByRow } from './submit-of.ts'

/** Label of the missing parent of a root (wire contract §1.5). */
export const TREE_ROOT_LABEL = { zh: '顶级', en: 'Top level' }

const ROWS_MAX = 5000

export type TreeRow = Record<string, unknown> & {
  id: string
  parentId: string
  children?: TreeRow[]
  hasChildren?: boolean
}

/** Node of a tree picker (wire contract §1.5). */
export type TreePickerNode = {
  id: string
  parentId: string
  title: string
  key: string
  value: string
  /** Code to distinguish nodes of the same title, if there is one. */
  code?: string
  hasChildren?: boolean
  children?: TreePickerNode[]
}

export const createTreeNode = (id: string, parentId: string, title: string, hasChildren?: boolean): TreePickerNode => ({
  id,
  parentId,
  title,
  key: id,
  value: id,
  ...(hasChildren === undefined ? {} : { hasChildren }),
})

/**
 * Returns the rows of a tree resource (field `parentId`) in wire form; with `lazy` each says whether it has children.
 */
export async function loadTreeRows(
  served: ServedResource,
  call: Call,
  options: { query?: Record<string, string>; more?: Sql; lazy?: boolean } = {},
): Promise<TreeRow[]> {
  const { resource, hooks } = served
  const { query = call.query, more = empty, lazy = false } = options
  await call.services.labels.ready(call.caller.tenantId)
  const below = lazy
    ? sql`, exists (select 1 from ${tableNameSql(resource)} c where c.parent_id = r.id${
        hasTenantColumn(resource)
          ? sql`
       and c.tenant_id = r.tenant_id`
          : empty
      }${
        resource.remove === 'soft'
          ? sql`
      and c.is_deleted = 0`
          : empty
      }) as "hasChildren"`
    : empty
  const statement = sql`select ${selectColumnsSql(call.services.registry, resource, 'list')}${below}
    ${visibleRowsSql(served, call)}${queryFilterSql(resource, query, call.caller)}${more}
    order by ${queryOrderBySql(resource, query, call.caller)} limit ${ROWS_MAX}`
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [statement])
  const wire = await presentRows(call, resource, hooks, rows!)
  return wire.map((row, index) => (lazy ? { ...row, hasChildren: rows![index]!.hasChildren === true } : row) as TreeRow)
}

/**
 * Turns a flat list into trees, keeping the order. A node whose parent is missing becomes a root; `children` is set
 * only where there are any.
 */
export function nestByParent<T extends { id: string; parentId?: string; children?: T[] }>(nodes: T[]): T[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const roots: T[] = []
  for (const node of nodes) {
    const parent = node.parentId && node.parentId !== node.id ? byId.get(node.parentId) : undefined
    if (parent) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}

/** Returns them nested. A row whose parent is not included becomes a root, so that a filtered tree still shows it. */
export const loadForest = async (...ask: Parameters<typeof loadTreeRows>): Promise<TreeRow[]> =>
  nestByParent(await loadTreeRows(...ask))

/**
 * Refuses a parent that is the row itself or one of its descendants. Takes a lock, so that moves within the tree are
 * checked one after the other.
 */
export async function requireValidParent(
  db: Db,
  resource: Resource<any, any>,
  id: string | undefined,
  parentId: string,
): Promise<void> {
  if (parentId === '0' || id === undefined) return
  if (parentId === id) throw new Refused('parent_is_self')
  await db.advisoryLock(`tree/${resource.table}`)
  const tenant = hasTenantColumn(resource) ? sql`, r.tenant_id` : empty
  const same = hasTenantColumn(resource) ? sql` and r.tenant_id = up.tenant_id` : empty
  const found = await db.one(sql`
    with recursive up as (
      select r.id, r.parent_id${tenant} from ${tableNameSql(resource)} r where r.id =
        ${parentId}${notDeletedSql(resource)}
      union select r.id, r.parent_id${tenant} from ${tableNameSql(resource)} r join up on r.id = up.parent_id${same}
    ) select 1 from up where id = ${id}`)
  if (found) throw new Refused('parent_is_descendant')
}

/** Refuses to remove rows that have children. */
export async function requireChildless(db: Db, resource: Resource<any, any>, ids: readonly string[]): Promise<void> {
  const found = await db.one(
    sql`select 1 from ${tableNameSql(resource)} r where r.parent_id = any(${
      ids as string[]
    }::bigint[])${notDeletedSql(resource)}
      limit 1`,
  )
  if (found) throw new Refused('has_children')
}

/** `submit` for a tree: a row that a platform administrator adds below another one gets that one's tenant. */
export async function submitTreeRow(served: ServedResource, call: Call): Promise<Record<string, unknown>> {
  const body = call.body as Record<string, unknown> | null
  if (
    !call.caller.isPlatform ||
    !hasTenantColumn(served.resource) ||
    typeof body !== 'object' ||
    body === null ||
    Array.isArray(body)
  )
    return handleSubmitCall(served, call)
  const { parentId } = body
  if (!isEmptyInput(body.id) || isEmptyInput(parentId) || ['0', '-1', 0, -1].includes(parentId as string))
    return handleSubmitCall(served, call)
  const parent = requireRowId(served.resource, parentId)
  const tenantId = (await tenantIdsByRow(call, served.resource, [parent])).get(parent)
  return handleSubmitCall(served, { ...call, body: { ...body, ...(tenantId ? { tenantId } : {}) } })
}
