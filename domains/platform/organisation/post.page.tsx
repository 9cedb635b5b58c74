import { tenantCells, tenantHead, tenantInputs, useForTenant } from '#kit/web/for-tenant.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { sortCell } from '#kit/web/list/sort-cell.tsx'
import { post } from './post.resource.ts'

const intro = { zh: '岗位说明一个人做什么工作', en: 'A position describes the job of a person' }
const shown = {
  ...post,
  fields: { ...post.fields, category: { ...post.fields.category, width: 160 } },
  list: { ...post.list, columns: ['postName', 'tenantId', 'postCode', 'category', 'sort', 'remark'] },
}
const page = { intro, head: tenantHead, cells: { ...tenantCells, sort: sortCell(post) }, inputs: tenantInputs }

export default function PostPage() {
  return <ResourcePage resource={useForTenant(shown)} page={page} />
}
