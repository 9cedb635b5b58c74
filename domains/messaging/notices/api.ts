export { publishNotice } from './notice.server.ts'

/** The room's part of the demo story, loaded only by who tells it. */
export const deskStory = () => import('./desk.demo.ts')
