import type { InputProps } from '#kit/fields/web-kind.ts'
import {
  tenantCellOverrides,
  renderTenantFilter,
  tenantInputOverrides,
  useTenantAwareResource,
} from '#kit/web/page/for-tenant.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { createSortOrderCell } from '#kit/web/list/sort-cell.tsx'
import TreeRowPicker from '#kit/web/inputs/tree-picker.tsx'
import { dept } from './dept.resource.ts'

const intro = {
  zh: '公司、部门和小组；数据权限按部门划定范围',
  en: 'Companies, departments and groups. Data scopes follow them.',
}

/** Picks the parent among departments of the same tenant. */
const ParentInput = ({ value, onChange, values, id, invalid, describedBy }: InputProps) => (
  <TreeRowPicker
    to="dept"
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

const shown = { ...dept, fields: { ...dept.fields, deptName: { ...dept.fields.deptName, width: 240 } } }
const page = {
  intro,
  head: renderTenantFilter,
  cells: { ...tenantCellOverrides, sort: createSortOrderCell(dept) },
  inputs: { ...tenantInputOverrides, parentId: ParentInput },
}

export default function DeptPage() {
  return <ResourcePage resource={useTenantAwareResource(shown)} page={page} />
}
