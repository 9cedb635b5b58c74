import { page } from '#kit/web/page.tsx'
import { tenantRemoval } from './tenant-removal.resource.ts'

export default page(tenantRemoval, {
  intro: {
    zh: '离开的租户：申请、等待、清除，以及逐表清点后的清除证明。在“租户”列表中申请',
    en: 'Tenants that leave: asked for under Tenants, then waiting, then gone, with a count of every table as proof',
  },
})
