export { publishNotice } from './notice.server.ts'

/** Demo data of the module, loaded only when it is seeded. */
export const deskStory = () => import('./desk.demo.ts')
