export { dept } from './dept.resource.ts'
export { post } from './post.resource.ts'
export { orgCategory, postCategory } from './dictionaries.ts'
