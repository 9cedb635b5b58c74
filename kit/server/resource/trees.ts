import sql, { empty, type Sql } from 'sql-template-tag'
import { isEmpty } from '../../fields/field-kind.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { readBatch, type Db } from '../database/db.ts'
import { filtersOf, orderOf } from '../lists/filters.ts'
import { nest } from '../request/kit-routes.ts'
import { readBinding, visibleRows } from './list-of.ts'
import { presentRows, readColumns } from './present.ts'
import { Refused } from '../refused.ts'
import type { Call, ServedResource } from '../module.ts'
import { notDeleted, hasTenant, tableOf } from '../database/rows.ts'
import { rowId, submitOf, tenantsOf } from './submit-of.ts'

/** What stands for the parent of a root (wire contract §1.5). */
export const topName = { zh: '顶级', en: 'Top level' }

const ROWS_MAX = 5000

export type TreeRow = Record<string, unknown> & {
  id: string
  parentId: string
  children?: TreeRow[]
  hasChildren?: boolean
}

/** What a picker reads of a tree (wire contract §1.5). */
export type TreeNode = {
  id: string
  parentId: string
  title: string
  key: string
  value: string
  /** What tells it from others of its title, where something does. */
  code?: string
  hasChildren?: boolean
  children?: TreeNode[]
}

export const treeNode = (id: string, parentId: string, title: string, hasChildren?: boolean): TreeNode => ({
  id,
  parentId,
  title,
  key: id,
  value: id,
  ...(hasChildren === undefined ? {} : { hasChildren }),
})

/**
 * Rows of a family that is a tree (field `parentId`), as wire rows; with `lazy` each says whether something is below
 * it.
 */
export async function treeRows(
  served: ServedResource,
  call: Call,
  options: { query?: Record<string, string>; more?: Sql; lazy?: boolean } = {},
): Promise<TreeRow[]> {
  const { resource, hooks } = served
  const { query = call.query, more = empty, lazy = false } = options
  await call.services.labels.ready(call.caller.tenantId)
  const below = lazy
    ? sql`, exists (select 1 from ${tableOf(resource)} c where c.parent_id = r.id${
        hasTenant(resource)
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
  const statement = sql`select ${readColumns(call.services.registry, resource, 'list')}${below}
    ${visibleRows(served, call)}${filtersOf(resource, query, call.caller)}${more}
    order by ${orderOf(resource, query, call.caller)} limit ${ROWS_MAX}`
  const [rows] = await readBatch(call.services.pool, readBinding(call), [statement])
  const wire = await presentRows(call, resource, hooks, rows!)
  return wire.map((row, index) => (lazy ? { ...row, hasChildren: rows![index]!.hasChildren === true } : row) as TreeRow)
}

/**
 * The same as a forest: a row whose parent is not among the rows becomes a root, so that a filtered tree still shows.
 */
export const forestOf = async (...ask: Parameters<typeof treeRows>): Promise<TreeRow[]> => nest(await treeRows(...ask))

/** Refuses a parent that is the row itself or below it, in one order for all who move rows of this tree. */
export async function checkParent(
  db: Db,
  resource: Resource<any, any>,
  id: string | undefined,
  parentId: string,
): Promise<void> {
  if (parentId === '0' || id === undefined) return
  if (parentId === id) throw new Refused('parent_is_self')
  await db.advisoryLock(`tree/${resource.table}`)
  const tenant = hasTenant(resource) ? sql`, r.tenant_id` : empty
  const same = hasTenant(resource) ? sql` and r.tenant_id = up.tenant_id` : empty
  const found = await db.one(sql`
    with recursive up as (
      select r.id, r.parent_id${tenant} from ${tableOf(resource)} r where r.id = ${parentId}${notDeleted(resource)}
      union select r.id, r.parent_id${tenant} from ${tableOf(resource)} r join up on r.id = up.parent_id${same}
    ) select 1 from up where id = ${id}`)
  if (found) throw new Refused('parent_is_descendant')
}

/** Refuses to remove rows that have others below them. */
export async function checkChildless(db: Db, resource: Resource<any, any>, ids: readonly string[]): Promise<void> {
  const found = await db.one(
    sql`select 1 from ${tableOf(resource)} r where r.parent_id = any(${
      ids as string[]
    }::bigint[])${notDeleted(resource)}
      limit 1`,
  )
  if (found) throw new Refused('has_children')
}

/** `submit` of a tree of tenants' rows: what a platform administrator adds below a row belongs to that row's tenant. */
export async function submitBelow(served: ServedResource, call: Call): Promise<Record<string, unknown>> {
  const body = call.body as Record<string, unknown> | null
  if (
    !call.caller.isPlatform ||
    !hasTenant(served.resource) ||
    typeof body !== 'object' ||
    body === null ||
    Array.isArray(body)
  )
    return submitOf(served, call)
  const { parentId } = body
  if (!isEmpty(body.id) || isEmpty(parentId) || ['0', '-1', 0, -1].includes(parentId as string))
    return submitOf(served, call)
  const parent = rowId(served.resource, parentId)
  const tenantId = (await tenantsOf(call, served.resource, [parent])).get(parent)
  return submitOf(served, { ...call, body: { ...body, ...(tenantId ? { tenantId } : {}) } })
}
