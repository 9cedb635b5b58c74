export { TagPicture } from './tag-picture.tsx'
export { isShownTagContent } from './tag-templates.ts'
