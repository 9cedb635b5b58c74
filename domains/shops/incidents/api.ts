import './refusals.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const importIncidentsStory = () => import('./guard.demo.ts')
