import type { Resource } from '#kit/resource/define-resource.ts'
import type { Cells } from './detail/field-cell.tsx'
import type { Inputs } from './form/edit-form.tsx'
import type { RowFor } from './form/form-values.ts'
import { ListChips, ListFilters, ListHead, ListPanel, ListStale, ListTable, ListTitle } from './list/list-parts.tsx'
import { ListScope } from './list/list-frame.tsx'
import { SelectionBar } from './list/list-toolbar.tsx'
import { partsOf, type PartsOf } from './page-parts.ts'
import './kit.css'

export type { PageParts, PartsOf } from './page-parts.ts'

/** The page of a resource, derived from its declaration: title, filters, buttons, rows, form and detail. */
export function ResourcePage<
  R extends Resource<any, any>,
  C extends Cells<RowFor<R>> = Record<never, never>,
  I extends Inputs = Record<never, never>,
>(props: { resource: R; page?: PartsOf<R, C, I> }) {
  const { resource } = props
  const page = props.page && partsOf(resource, props.page)
  return (
    <ListScope resource={resource} page={props.page}>
      <div className={page?.embedded ? 'kit-page kit-page-embedded' : 'kit-page'}>
        {!page?.embedded && <ListTitle />}
        <div className={page?.panel ? 'kit-with-panel' : undefined}>
          {page?.panel && <ListPanel />}
          <section className="kit-list">
            <ListFilters />
            <ListChips />
            <ListHead />
            <ListStale />
            <ListTable />
            <SelectionBar />
          </section>
        </div>
      </div>
    </ListScope>
  )
}
