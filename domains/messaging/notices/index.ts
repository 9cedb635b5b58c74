export { notice, noticeCategoryDictionary } from './notice.resource.ts'
export { noticePublishedTopic, noticeRemovedTopic } from './topics.ts'
