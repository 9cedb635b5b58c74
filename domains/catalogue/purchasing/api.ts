export { supplierConsistencySql } from './supplier-checks.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const importSuppliersStory = () => import('./suppliers.demo.ts')
