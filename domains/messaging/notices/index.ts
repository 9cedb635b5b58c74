export { notice, noticeCategory } from './notice.resource.ts'
