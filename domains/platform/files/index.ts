export { attach } from './attach.resource.ts'
export { oss } from './oss.resource.ts'
