export { dept } from './dept.resource.ts'
export { post } from './post.resource.ts'
export { orgCategoryDictionary, postCategoryDictionary } from './dictionaries.ts'
