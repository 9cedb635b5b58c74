import './refusals.ts'

/** What the shops of the demo story use. */
export const importEnergyStory = () => import('./power.demo.ts')
