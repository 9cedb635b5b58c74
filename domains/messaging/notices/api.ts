export { publishNotice } from './notice.server.ts'

export const importNoticesDemo = () => import('./desk.demo.ts')
