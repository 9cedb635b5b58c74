import type { ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Cells } from '../detail/field-cell.tsx'
import type { Inputs } from '../form/edit-form.tsx'
import type { RowFor } from '../form/form-values.ts'
import { partsOf, type PartsOf } from '../page-parts.ts'
import { ListLayers } from './list-layers.tsx'
import { ListProviders } from './list-scope.tsx'

/**
 * A list of a resource's rows, for the parts within: filters, toolbar, table, pager, views. Each takes what it needs
 * from here, so that a page puts them where it wants them and leaves out what it does not. What they open (detail,
 * form, dialogs) comes with it.
 */
export function ListScope<
  R extends Resource<any, any>,
  C extends Cells<RowFor<R>> = Record<never, never>,
  I extends Inputs = Record<never, never>,
>({ resource, page, children }: { resource: R; page?: PartsOf<R, C, I>; children: ReactNode }) {
  return (
    <ListProviders resource={resource} page={page && partsOf(resource, page)}>
      {children}
      <ListLayers />
    </ListProviders>
  )
}
