import type { Resource } from '#kit/resource/define-resource.ts'
import type { Inputs } from './form/edit-form.tsx'
import type { Cells } from './detail/field-cell.tsx'
import type { RowFor } from './form/form-values.ts'
import { ResourcePage, type PartsOf } from './resource-page.tsx'

/**
 * The page of a resource with some parts of its own: `export default page(goodInfo, { cells: { … } })` in an
 * `x.page.tsx`.
 */
export function page<
  R extends Resource<any, any>,
  C extends Cells<RowFor<R>> = Record<never, never>,
  I extends Inputs = Record<never, never>,
>(resource: R, parts: PartsOf<R, C, I> = {}) {
  function Page() {
    return <ResourcePage resource={resource} page={parts} />
  }
  return Page
}
