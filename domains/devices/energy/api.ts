import './refusals.ts'

/** What the shops of the demo story use. */
export const powerStory = () => import('./power.demo.ts')
