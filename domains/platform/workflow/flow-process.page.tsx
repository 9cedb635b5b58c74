import { page } from '#kit/web/page.tsx'
import { CategoryCell } from './category-cell.tsx'
import { flowProcess } from './flow-process.resource.ts'

export default page(flowProcess, { cells: { category: CategoryCell } })
