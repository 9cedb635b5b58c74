export { publishNotice } from './notice.server.ts'

export const importNoticesStory = () => import('./desk.demo.ts')
