import './refusals.ts'

/** The demo story of this room, told once the shops have their history. */
export const guardStory = () => import('./guard.demo.ts')
