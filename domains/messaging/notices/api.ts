export { publishNotice } from './notice.server.ts'

/** Demo data of the module, loaded only when it is seeded. */
export const importNoticesStory = () => import('./desk.demo.ts')
