export { TagPicture } from './tag-picture.tsx'
export { hasShownTagContent } from './tag-templates.ts'
