export { supplierChecks } from './supplier-checks.ts'

/** The demo story of this room, told once the shops have their history. */
export const suppliersStory = () => import('./suppliers.demo.ts')
