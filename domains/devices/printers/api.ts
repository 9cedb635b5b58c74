import './refusals.ts'

/** Loads the module's demo data, only when it is seeded. */
export const importPrintersStory = () => import('./printing.demo.ts')
