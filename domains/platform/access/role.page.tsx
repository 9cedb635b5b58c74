import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense, useState } from 'react'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import {
  tenantCellOverrides,
  renderTenantFilter,
  tenantInputOverrides,
  useTenantAwareResource,
} from '#kit/web/page/for-tenant.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { createSortOrderCell } from '#kit/web/list/sort-cell.tsx'
import TreeRowPicker from '#kit/web/inputs/tree-picker.tsx'
import { role } from './role.resource.ts'

type Row = WireRow<typeof role>

const GrantDialog = lazy(() => import('./grant.panel.tsx'))

const words = {
  intro: {
    zh: '用角色决定谁能看到哪些菜单、使用哪些按钮、看到哪些数据',
    en: 'Roles decide which menus people see, which buttons they use and which data they see',
  },
  grant: { zh: '权限设置', en: 'Permissions' },
}

/** Picks the parent among roles of the edited role's tenant. */
const ParentInput = ({ value, onChange, values, id, invalid, describedBy }: InputProps) => (
  <TreeRowPicker
    to="role"
    filter={values.tenantId ? { tenantId: values.tenantId } : undefined}
    value={String(value ?? '')}
    onChange={onChange}
    without={values.id ? String(values.id) : undefined}
    known={values.parentName as string | undefined}
    id={id}
    invalid={invalid}
    describedBy={describedBy}
  />
)

const cells = { ...tenantCellOverrides, sort: createSortOrderCell(role) }
const inputs = { ...tenantInputOverrides, parentId: ParentInput }

/** Moves "grant", the most used action, to the front. */
const transformActions = (rowActions: RowAction[]) =>
  rowActions.toSorted((a, b) => Number(b.key === 'grant') - Number(a.key === 'grant'))

export default function RolePage() {
  const mayGrant = useHasPermission('role_grant')
  const resource = useTenantAwareResource(role)
  const [granting, setGranting] = useState<Row[]>()
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          head: renderTenantFilter,
          inputs,
          transformActions,
          rowActions: (row) =>
            mayGrant ? [{ key: 'grant', label: words.grant, icon: 'safety', run: () => setGranting([row]) }] : [],
          many: mayGrant
            ? (rows) => [{ key: 'grant', label: words.grant, icon: 'safety', run: () => setGranting(rows) }]
            : undefined,
        }}
      />
      {granting && (
        <Suspense>
          <GrantDialog roles={granting} onClose={() => setGranting(undefined)} />
        </Suspense>
      )}
    </>
  )
}
