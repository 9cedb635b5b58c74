import { createResourcePage } from '#kit/web/page/page.tsx'
import { CategoryCell } from './category-cell.tsx'
import { flowProcess } from './flow-process.resource.ts'

export default createResourcePage(flowProcess, { cells: { category: CategoryCell } })
