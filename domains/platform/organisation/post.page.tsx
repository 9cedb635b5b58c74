import {
  tenantCellOverrides,
  renderTenantFilter,
  tenantInputOverrides,
  useTenantAwareResource,
} from '#kit/web/page/for-tenant.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { createSortOrderCell } from '#kit/web/list/sort-cell.tsx'
import { post } from './post.resource.ts'

const intro = { zh: '岗位说明一个人做什么工作', en: 'A position describes the job of a person' }
const shown = {
  ...post,
  fields: { ...post.fields, category: { ...post.fields.category, width: 160 } },
  list: { ...post.list, columns: ['postName', 'tenantId', 'postCode', 'category', 'sort', 'remark'] },
}
const page = {
  intro,
  head: renderTenantFilter,
  cells: { ...tenantCellOverrides, sort: createSortOrderCell(post) },
  inputs: tenantInputOverrides,
}

export default function PostPage() {
  return <ResourcePage resource={useTenantAwareResource(shown)} page={page} />
}
