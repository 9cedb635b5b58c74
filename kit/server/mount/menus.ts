import type { IconName } from '../../base/icon-names.ts'
import { permissionCodeOf, type Action } from '../../resource/define-resource.ts'
import type { MenuGroup, MenuPage } from '../../resource/dictionary.ts'
import { pluralOf, type LocalizedText } from '../../base/localized-text.ts'
import type { ServedResource, ModuleRegistry } from '../module/module.ts'
import { hasPersonalFields } from '../resource/open-personal.ts'
import { sheetCapabilities } from '../sheets/routes.ts'
import { deterministicId } from '../database/snowflake.ts'

/**
 * A row of the menu table as the declarations want it. Category 1 menu, 2 button; action 1 toolbar, 2 row, 3 both (wire
 * contract §4.1).
 */
type MenuRow = {
  id: string
  code: string
  parentId: string
  label: LocalizedText
  alias: string
  path: string
  source: string
  sort: number
  category: 1 | 2
  action: 0 | 1 | 2 | 3
}

export const menuId = (code: string) => deterministicId(`menu:${code}`)

const VERBS: Record<string, { label: LocalizedText; action: 1 | 2 | 3; icon: IconName }> = {
  add: { label: { zh: '新增', en: 'Add' }, action: 1, icon: 'plus' },
  edit: { label: { zh: '修改', en: 'Edit' }, action: 2, icon: 'form' },
  delete: { label: { zh: '删除', en: 'Delete' }, action: 3, icon: 'delete' },
  view: { label: { zh: '查看', en: 'View' }, action: 2, icon: 'eye' },
  export: { label: { zh: '导出', en: 'Export' }, action: 1, icon: 'download' },
  import: { label: { zh: '导入', en: 'Import' }, action: 1, icon: 'import' },
  open: { label: { zh: '打开个人信息', en: 'Reveal personal data' }, action: 2, icon: 'unlock' },
}

function buttonsOf(served: ServedResource): MenuRow[] {
  const { resource } = served
  const offered = { ...resource.buttons, ...sheetCapabilities(served), open: hasPersonalFields(resource) }
  const parentId = menuId(resource.code)
  const rows: Omit<MenuRow, 'sort'>[] = []
  const add = (
    verb: string,
    label: LocalizedText,
    action: 1 | 2 | 3,
    source: string,
    path = `${resource.path}/${verb}`,
  ) =>
    rows.push({
      id: menuId(permissionCodeOf(resource, verb)),
      code: permissionCodeOf(resource, verb),
      parentId,
      label,
      alias: verb,
      path,
      source,
      category: 2,
      action,
    })
  for (const [verb, one] of Object.entries(VERBS)) {
    if (offered[verb as keyof typeof offered])
      add(verb, one.label, one.action, one.icon, verb === 'delete' ? `${resource.path}/remove` : undefined)
  }
  for (const [name, action] of Object.entries(resource.actions as Record<string, Action>)) {
    if (!action.can)
      add(
        name,
        action.label,
        action.on === 'row' ? 2 : action.on === 'bulk' ? 3 : 1,
        action.icon ?? 'right',
        `${resource.path}/${action.path ?? name}`,
      )
  }
  for (const [name, label] of Object.entries(resource.permissions)) add(name, label, 3, 'setting')
  return rows.map((row, index) => ({ ...row, sort: index + 1 }))
}

function pageRows(entry: MenuGroup | MenuPage): MenuRow[] {
  const page: MenuRow = {
    id: menuId(entry.code),
    code: entry.code,
    parentId: entry.under ? menuId(entry.under) : '0',
    label: entry.label,
    alias: 'menu',
    path: entry.path,
    source: entry.icon,
    sort: entry.sort,
    category: 1,
    action: 0,
  }
  const permissions = Object.entries('permissions' in entry ? (entry.permissions ?? {}) : {})
  return [
    page,
    ...permissions.map(([name, label], index): MenuRow => ({
      id: menuId(`${entry.code}_${name}`),
      code: `${entry.code}_${name}`,
      parentId: page.id,
      label,
      alias: name,
      path: entry.path,
      source: 'setting',
      sort: index + 1,
      category: 2,
      action: 3,
    })),
  ]
}

/**
 * Permissions that a permission grants as well (`ExtraPermission.means`): code of the granting one to the granted one.
 */
export const impliedPermissions = (registry: ModuleRegistry): Map<string, string> =>
  new Map(
    [...registry.served.values()].flatMap(({ resource }) =>
      Object.entries(resource.permissions).flatMap(([name, { means }]) =>
        means ? [[permissionCodeOf(resource, name), permissionCodeOf(resource, means)] as const] : [],
      ),
    ),
  )

/** Codes of menu pages that only other clients of the protocol have. */
export const menusOfOtherClients = (registry: ModuleRegistry): Set<string> =>
  new Set(
    registry.modules.flatMap(({ menus = [] }) =>
      menus.flatMap((one) => ('elsewhere' in one && one.elsewhere ? [one.code] : [])),
    ),
  )

/**
 * Returns the menu and button rows of all modules and resources, parents first. Ids depend on codes alone, so that
 * permissions granted to roles survive a new seeding. Throws on duplicate codes and unknown parents.
 */
export function declaredMenuRows(registry: ModuleRegistry): MenuRow[] {
  const rows: MenuRow[] = registry.modules.flatMap((module) => (module.menus ?? []).flatMap(pageRows))
  for (const served of registry.served.values()) {
    const { resource } = served
    if (!resource.menu) continue
    const { under, path, icon = 'table', sort = 50 } = resource.menu
    rows.push({
      id: menuId(resource.code),
      code: resource.code,
      parentId: menuId(under),
      label: pluralOf(resource.label),
      alias: 'menu',
      path,
      source: icon,
      sort,
      category: 1,
      action: 0,
    })
    rows.push(...buttonsOf(served))
  }
  const codes = new Set<string>()
  for (const row of rows) {
    if (codes.has(row.code)) throw new Error(`menu code "${row.code}" is declared twice`)
    codes.add(row.code)
  }
  const ids = new Set(rows.map((row) => row.id))
  for (const row of rows)
    if (row.parentId !== '0' && !ids.has(row.parentId))
      throw new Error(`menu "${row.code}" is under a menu nobody declares`)
  return rows
}
