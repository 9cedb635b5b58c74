import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { TextLineInput } from '#kit/fields/plain.web.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type Lang } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { TreeFilterPanel } from '#kit/web/list/side-tree.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import type { TreeNode } from '#kit/web/inputs/tree-nodes.ts'
import TreeRowPicker from '#kit/web/inputs/tree-picker.tsx'
import { menu } from './menu.resource.ts'

type MenuRow = { id: string; name: string; nameEn?: string; code: string; children?: MenuRow[] }

const words = {
  all: { zh: '全部菜单', en: 'All menus' },
  menus: { zh: '菜单', en: 'Menus' },
  pick: { zh: '请选择菜单', en: 'Select a menu' },
}

const nameOf = (row: MenuRow, language: Lang) => (language === 'en' && row.nameEn) || row.name
const nodesOf = (rows: readonly MenuRow[], language: Lang): TreeNode[] =>
  rows.map((row) => ({
    id: String(row.id),
    title: nameOf(row, language),
    ...(row.children?.length && { children: nodesOf(row.children, language) }),
  }))
const flat = (rows: readonly MenuRow[]): MenuRow[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])])

/** Loads all menus without buttons as a tree. */
export function useMenuTree() {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['menu-list', language],
    queryFn: () => apiGet<MenuRow[]>(`${menu.path}/menu-list`, undefined, { quiet: true }),
    staleTime: 30_000,
  })
  return {
    ...query,
    nodes: query.data && nodesOf(query.data, language),
    find: (id: unknown) => flat(query.data ?? []).find((row) => String(row.id) === String(id)),
    language,
  }
}

type Own = { disabled?: boolean; placeholder?: string }

/** Text input that fills itself with `suggestion` on a new row, and follows it until the user types another value. */
export function SuggestedTextInput({ suggestion, ...props }: InputProps & { suggestion: string } & Own) {
  const last = useRef('')
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const { value, onChange, values } = latest.current
    const text = String(value ?? '')
    if (values.id || (text !== '' && text !== last.current) || suggestion === text) return
    last.current = suggestion
    onChange(suggestion)
  }, [suggestion])
  return <TextLineInput {...props} />
}

/** Picks the menu a scope belongs to. */
export function ScopeMenuInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  const t = useLocalize()
  return (
    <TreeRowPicker
      to="menu"
      filter={{ category: 1 }}
      value={String(value ?? '')}
      onChange={onChange}
      known={values.menuName as string | undefined}
      id={id}
      invalid={invalid}
      describedBy={describedBy}
      placeholder={t(words.pick)}
    />
  )
}

/** Resource code input that suggests the code of the chosen menu. */
export function ScopeResourceCodeInput(props: InputProps & Own) {
  const { find } = useMenuTree()
  return <SuggestedTextInput {...props} suggestion={find(props.values.menuId)?.code ?? ''} />
}

/** Shows the menu a scope belongs to, in the user's language. */
function MenuCell({ row, value }: CellProps<{ menuName: string }>) {
  const { find, language } = useMenuTree()
  const found = find(value)
  return <span className="kit-line">{found ? nameOf(found, language) : String(row.menuName || value)}</span>
}

const menuCells = { menuId: (props: CellProps<{ menuName: string }>) => <MenuCell {...props} /> }

/**
 * Returns the page parts shared by data and API scopes: the menu tree beside the list, which filters it, and the menu
 * cell.
 */
export function useScopePageParts() {
  const t = useLocalize()
  const { nodes, error, refetch } = useMenuTree()
  return {
    cells: menuCells,
    preset: (list: Pick<ResourceList, 'state'>) => ({ menuId: list.state.filters.menuId ?? '' }),
    panel: (list: Pick<ResourceList, 'state' | 'set'>) => (
      <TreeFilterPanel
        nodes={nodes}
        value={list.state.filters.menuId ?? ''}
        label={t(words.menus)}
        all={t(words.all)}
        error={error}
        retry={() => void refetch()}
        onChange={(id) => list.set((before) => withListFilters(before, { menuId: id }))}
      />
    ),
  }
}

type OfMenus = {
  fields: { menuId: Field; scopeName: Field; resourceCode: Field }
  list: { columns: readonly string[] }
}

/**
 * Returns the resource as the scope pages show it: the menu filter is the tree beside the list, not a search field.
 * Resource code and name, which fill themselves from menu and type, are required only once those are chosen.
 */
export const adaptResourceForScopePage = <R extends OfMenus>(resource: R, columns: R['list']['columns']): R => ({
  ...resource,
  fields: {
    ...resource.fields,
    menuId: { ...resource.fields.menuId, search: undefined, width: 110 },
    resourceCode: { ...resource.fields.resourceCode, required: false, requiredWhen: { menuId: { ne: '' } } },
    scopeName: {
      ...resource.fields.scopeName,
      required: false,
      requiredWhen: { menuId: { ne: '' }, scopeType: { ne: '' } },
    },
  },
  list: { ...resource.list, columns },
})
