import './refusals.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const guardStory = () => import('./guard.demo.ts')
