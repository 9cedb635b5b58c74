import { createResourcePage } from '#kit/web/page/page.tsx'
import { CategoryCell } from './category-cell.tsx'
import { flowInstance } from './flow-instance.resource.ts'

export default createResourcePage(flowInstance, { cells: { category: CategoryCell } })
