import type { WireRow } from '#kit/resource/index.ts'
import { useState } from 'react'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import EditDialog from '#kit/web/form/edit-dialog.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLanguage } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { createSortOrderCell } from '#kit/web/list/sort-cell.tsx'
import TreeRowPicker from '#kit/web/inputs/tree-picker.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { menu } from './menu.resource.ts'

type Row = WireRow<typeof menu>

const words = {
  intro: {
    zh: '侧边菜单和每个页面的按钮；角色授权时按此勾选',
    en: 'The side menu and the buttons of each page. Roles are granted permissions by selecting them here.',
  },
  place: { zh: '位置', en: 'Position' },
  page: { zh: '页面', en: 'Page' },
  button: { zh: '按钮', en: 'Button' },
  more: { zh: '其他', en: 'Other' },
  addButton: { zh: '新增按钮', en: 'Add button' },
}

const MENU = 1
type Values = { category?: unknown }
const isMenu = (values: Values) => Number(values.category) === MENU
const notMenu = (values: Values) => !isMenu(values)

const layout: FormLayoutOf<typeof menu> = [
  { title: words.place, fields: ['category', 'parentId', 'name', 'nameEn', 'code', 'sort'] },
  { title: words.page, fields: ['path', 'source', 'isOpen', 'component', 'alias'], when: isMenu },
  { title: words.button, fields: ['alias', 'action', 'source', 'path'], when: notMenu },
  { title: words.more, fields: ['remark'] },
]

/** Picks the parent: menus only, not buttons. */
const ParentInput = ({ value, onChange, values, id, invalid, describedBy }: InputProps) => (
  <TreeRowPicker
    to="menu"
    filter={{ category: MENU }}
    value={String(value ?? '')}
    onChange={onChange}
    without={values.id ? String(values.id) : undefined}
    known={values.parentName as string | undefined}
    id={id}
    invalid={invalid}
    describedBy={describedBy}
  />
)

function NameCell({ row }: CellProps<Row>) {
  const language = useLanguage()
  const name = (language === 'en' && row.nameEn) || row.name
  return (
    <span className="kit-named">
      {isMenu(row) ? (
        <Icon name={String(row.source ?? '')} />
      ) : (
        <span className="kit-quiet" aria-hidden>
          ·
        </span>
      )}{' '}
      {String(name)}
    </span>
  )
}

const list = { ...menu.list, columns: ['name', 'code', 'path', 'category', 'sort'] }
const fields = {
  ...menu.fields,
  name: { ...menu.fields.name, width: 240 },
  path: { ...menu.fields.path, width: 200 },
  code: { ...menu.fields.code, width: 190 },
}
const shown = { ...menu, fields, list }
const cells = { name: (props: CellProps<Row>) => <NameCell {...props} />, sort: createSortOrderCell(menu) }
const inputs = { parentId: ParentInput }

/** Leaves out "below" on buttons, which have no children. */
const transformActions = (rowActions: RowAction[], row: Row) =>
  isMenu(row) ? rowActions : rowActions.filter(({ key }) => key !== 'below')

export default function MenusPage() {
  const may = useResourcePermissions(menu)
  const [button, setButton] = useState<Partial<Row>>()
  return (
    <>
      <ResourcePage
        resource={shown}
        page={{
          intro: words.intro,
          cells,
          inputs,
          formLayout: layout,
          transformActions,
          rowActions: (row) =>
            may.add && isMenu(row) && row.path && !String(row.path).startsWith('http')
              ? [
                  {
                    key: 'button',
                    label: words.addButton,
                    icon: 'plus-circle',
                    run: () =>
                      setButton({ parentId: String(row.id), category: 2, action: 2, code: `${String(row.code)}_` }),
                  },
                ]
              : [],
        }}
      />
      {button && (
        <EditDialog
          resource={shown}
          preset={button}
          onClose={() => setButton(undefined)}
          inputs={inputs}
          layout={layout}
        />
      )}
    </>
  )
}
