import type { Resource } from '#kit/resource/define-resource.ts'
import { ResourcePage, type PageParts } from './resource-page.tsx'

/** The page of a resource with some parts of its own: `export default page(goodInfo, { cells: { … } })` in an `x.page.tsx`. */
export function page(resource: Resource<any, any>, parts: PageParts = {}) {
  function Page() {
    return <ResourcePage resource={resource} page={parts} />
  }
  return Page
}
