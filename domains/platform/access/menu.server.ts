import { f, localize } from '#kit/resource/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import { resourceRoutes } from '#kit/server/mount/mount.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import {
  requireChildless,
  requireValidParent,
  loadForest,
  submitTreeRow,
  TREE_ROOT_LABEL,
} from '#kit/server/resource/trees.ts'
import { menu } from './menu.resource.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'

export const menuServer = serve(menu, {
  without: ['list', 'submit'],
  beforeSave: async (draft, was, call) => {
    const { db } = call
    requirePlatformCaller(call)
    const after = { ...was, ...draft }
    if (was?.declared && (after.code !== was.code || after.category !== was.category))
      throw new Refused('menu_built_in')
    draft.parentId = after.parentId ?? '0'
    draft.path = after.path ?? ''
    draft.touched = true
    await requireValidParent(db, menu, was?.id, draft.parentId)
    const parent = draft.parentId === '0' ? undefined : await db.get(menu, draft.parentId)
    if (parent && parent.category !== 1) throw new Refused('parent_not_menu')
    if (was && after.category !== 1) await requireChildless(db, menu, [was.id])
    const isMenu = after.category === 1
    const twin = await db.one(sql`
      select 1 from menu where is_deleted = 0 and id <> ${was?.id ?? '0'} and (code = ${after.code} or (${isMenu}
      and category = 1 and name = ${after.name} and parent_id = ${draft.parentId})) limit 1`)
    if (twin) throw new Refused('menu_taken')
  },
  afterSave: (_row, _was, { db, services }) => publishPermissionsChanged(services, db, { everybody: true }),
  beforeRemove: async (rows, call) => {
    requirePlatformCaller(call)
    await requireChildless(
      call.db,
      menu,
      rows.map((row) => row.id),
    )
    publishPermissionsChanged(call.services, call.db, { everybody: true })
  },
  present: (wire, _rows, { lang, services, caller }) => {
    const yesNo = menu.fields.isOpen
    for (const row of wire) {
      if (row.parentId === '0') row.parentName = localize(TREE_ROOT_LABEL, lang)
      if (Number(row.action) <= 0) Object.assign(row, { action: 0, actionName: '' })
      if (row.isOpen === -1)
        Object.assign(row, { isOpen: 1, isOpenName: services.labels.dict(caller.tenantId, yesNo, 1, lang) })
    }
  },
})

/** Saves a menu; older clients send 0 as the action of a button without one, which is stored as empty. */
function submit(call: Call): Promise<Record<string, unknown>> {
  const body = call.body as Record<string, unknown> | null
  return submitTreeRow(
    menuServer,
    typeof body === 'object' && body !== null && (body.action === 0 || body.action === '0')
      ? { ...call, body: { ...body, action: '' } }
      : call,
  )
}

const title = (zh: string, en: string) => ({ zh: `菜单${zh}`, en: `Menu: ${en}` })
const parentId = f.tree('menu', { label: menu.fields.parentId.label })
/** Permissions of the pages that have a menu picker; each opens the routes for it. */
const choosers = ['menu', 'data_scope', 'api_scope', 'topmenu_setting'] as const
/** SQL condition that limits menu pickers to menus the caller holds; none for the platform. */
const held = ({ caller }: Call) => (caller.isPlatform ? empty : sql` and r.code = any(${[...caller.permissions]})`)
/** Options to load one level of the tree. An empty parent searches the whole table. */
const lazy = (call: Call, category?: 1) => ({
  lazy: true,
  query: { ...call.query, ...(category ? { category_equal: String(category) } : {}) },
})

export const menuRoutes = [
  defineRoute({
    method: 'GET',
    path: `${menu.path}/list`,
    title: title('列表', 'list'),
    can: 'menu',
    tx: false,
    handle: (call) => loadForest(menuServer, call),
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/menu-list`,
    title: title('列表', 'menus without buttons'),
    can: choosers,
    tx: false,
    handle: (call) => loadForest(menuServer, call, { query: { ...call.query, category_equal: '1' }, more: held(call) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/lazy-list`,
    title: title('列表', 'one level'),
    can: 'menu',
    tx: false,
    input: { parentId },
    handle: (call) => loadForest(menuServer, call, lazy(call)),
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/lazy-menu-list`,
    title: title('列表', 'one level of menus'),
    can: choosers,
    tx: false,
    input: { parentId },
    handle: (call) => loadForest(menuServer, call, { ...lazy(call, 1), more: held(call) }),
  }),
  { ...resourceRoutes(serve(menu)).find(({ path }) => path.endsWith('/submit'))!, handle: submit },
]
