import './refusals.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const printingStory = () => import('./printing.demo.ts')
