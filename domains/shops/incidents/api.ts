import './refusals.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importIncidentsStory = () => import('./guard.demo.ts')
