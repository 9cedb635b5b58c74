import type { Resource } from '#kit/resource/define-resource.ts'
import type { InputOverrides } from '../form/edit-form.tsx'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { WireRowOrUntyped } from '../row/form-values.ts'
import { ResourcePage, type PagePartsOf } from './resource-page.tsx'

/**
 * Creates the page of a resource with some parts replaced: `export default createResourcePage(goodInfo, { cells: { … }
 * })` in an `x.page.tsx`.
 */
export function createResourcePage<
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>> = Record<never, never>,
  I extends InputOverrides = Record<never, never>,
>(resource: R, parts: PagePartsOf<R, C, I> = {}) {
  function Page() {
    return <ResourcePage resource={resource} page={parts} />
  }
  return Page
}
