export { supplierConsistencySql } from './supplier-checks.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importSuppliersDemo = () => import('./suppliers.demo.ts')
