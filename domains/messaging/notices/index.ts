export { notice, noticeCategoryDictionary } from './notice.resource.ts'
