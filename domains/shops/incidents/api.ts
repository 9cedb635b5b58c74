import './refusals.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importIncidentsDemo = () => import('./guard.demo.ts')
