import './refusals.ts'

/** Loads the module's demo data, only when it is seeded. */
export const importPrintersDemo = () => import('./printing.demo.ts')
