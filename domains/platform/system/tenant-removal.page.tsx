import { createResourcePage } from '#kit/web/page/page.tsx'
import { tenantRemoval } from './tenant-removal.resource.ts'

export default createResourcePage(tenantRemoval, {
  intro: {
    zh: '离开的租户：申请、等待、删除，以及逐表清点后的删除证明。在“租户”列表中申请',
    en:
      'Tenants that leave: request, waiting period, deletion and a deletion certificate with counts per ' +
      'table. Request it in the “Tenants” list.',
  },
})
