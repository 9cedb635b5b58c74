import './refusals.ts'

export { queueTags } from './goods-tags.server.ts'
