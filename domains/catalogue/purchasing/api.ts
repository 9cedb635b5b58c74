export { supplierChecks } from './supplier-checks.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const suppliersStory = () => import('./suppliers.demo.ts')
