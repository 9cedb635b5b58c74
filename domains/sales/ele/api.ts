/** The demo story of this room, told once the shops have their history. */
export const eleStory = () => import('./ele.demo.ts')
