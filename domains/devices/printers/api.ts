import './refusals.ts'

/** The demo story of this room, loaded when it is told. */
export const printingStory = () => import('./printing.demo.ts')
