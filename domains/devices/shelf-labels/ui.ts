export { TagPicture } from './tag-picture.tsx'
export { isShown } from './tag-templates.ts'
