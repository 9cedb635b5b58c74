import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Field } from '#kit/fields/field-kind.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { LineInput } from '#kit/fields/plain.web.tsx'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Row } from '#kit/web/form/form-values.ts'
import { get } from '#kit/web/http.ts'
import { useLang, useSay, type Lang, type Words } from '#kit/web/language.tsx'
import { withFilters } from '#kit/web/list/list-state.ts'
import { ResourcePage, type PageParts } from '#kit/web/resource-page.tsx'
import { SideTree } from '#kit/web/list/side-tree.tsx'
import type { TreeNode } from '#kit/web/form/tree-nodes.ts'
import TreePicker from '#kit/web/form/tree-picker.tsx'
import { menu } from './menu.resource.ts'

type MenuRow = { id: string; name: string; nameEn?: string; code: string; children?: MenuRow[] }

const words = {
  all: { zh: '全部菜单', en: 'All menus' },
  menus: { zh: '菜单', en: 'Menus' },
  pick: { zh: '请选择菜单', en: 'Choose a menu' },
}

const nameOf = (row: MenuRow, language: Lang) => (language === 'en' && row.nameEn) || row.name
const nodesOf = (rows: readonly MenuRow[], language: Lang): TreeNode[] =>
  rows.map((row) => ({
    id: String(row.id),
    title: nameOf(row, language),
    ...(row.children?.length && { children: nodesOf(row.children, language) }),
  }))
const flat = (rows: readonly MenuRow[]): MenuRow[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])])

/** Every menu without buttons, as a tree. */
export function useMenuTree() {
  const language = useLang()
  const query = useQuery({
    queryKey: ['menu-list', language],
    queryFn: () => get<MenuRow[]>(`${menu.path}/menu-list`, undefined, { quiet: true }),
    staleTime: 30_000,
  })
  return {
    ...query,
    nodes: query.data && nodesOf(query.data, language),
    find: (id: unknown) => flat(query.data ?? []).find((row) => String(row.id) === String(id)),
    language,
  }
}

/**
 * An input that suggests its value while a new row is filled in: it follows what it is made from until somebody types a
 * value of their own.
 */
export function Suggested({ suggestion, ...props }: InputProps & { suggestion: string }) {
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
  return <LineInput {...props} />
}

/** The menu a scope belongs to. */
export function MenuInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  const say = useSay()
  return (
    <TreePicker
      to="menu"
      filter={{ category: 1 }}
      value={String(value ?? '')}
      onChange={onChange}
      known={values.menuName as string | undefined}
      id={id}
      invalid={invalid}
      describedBy={describedBy}
      placeholder={say(words.pick)}
    />
  )
}

/** The code of the menu, suggested. */
export function CodeInput(props: InputProps) {
  const { find } = useMenuTree()
  return <Suggested {...props} suggestion={find(props.values.menuId)?.code ?? ''} />
}

type Props = { resource: Resource<any, any>; intro: Words; page: PageParts }

/** The menu a scope belongs to, in the reader's language. */
function MenuCell({ row, value }: CellProps) {
  const { find, language } = useMenuTree()
  const found = find(value)
  return <span className="kit-line">{found ? nameOf(found, language) : String(row.menuName || value)}</span>
}

const menuCells = { menuId: (props: CellProps) => <MenuCell {...props} /> }

/** Scopes beside the menu they belong to. */
export function ScopesPage({ resource, intro, page }: Props) {
  const say = useSay()
  const { nodes, error, refetch } = useMenuTree()
  return (
    <ResourcePage
      resource={resource}
      page={{
        ...page,
        intro,
        cells: { ...menuCells, ...page.cells },
        preset: (list): Row => ({ menuId: list.state.filters.menuId ?? '' }),
        panel: (list) => (
          <SideTree
            nodes={nodes}
            value={list.state.filters.menuId ?? ''}
            label={say(words.menus)}
            all={say(words.all)}
            error={error}
            retry={() => void refetch()}
            onChange={(id) => list.set((before) => withFilters(before, { menuId: id }))}
          />
        ),
      }}
    />
  )
}

/** The declaration for this page: the menu is chosen beside the list, not above it. */
export function besideMenu(resource: Resource<any, any>, columns: readonly string[]): Resource<any, any> {
  const menuId = resource.fields.menuId as Field
  return {
    ...resource,
    fields: { ...resource.fields, menuId: { ...menuId, search: undefined, width: 110 } },
    list: { ...resource.list, columns },
  }
}
