import './refusals.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const importPrintersStory = () => import('./printing.demo.ts')
