import type { ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { CellOverrides } from '../detail/field-cell.tsx'
import type { InputOverrides } from '../form/edit-form.tsx'
import type { WireRowOrUntyped } from '../form/form-values.ts'
import { definePageParts, type PagePartsOf } from '../page-parts.ts'
import { ListDialogs } from './list-layers.tsx'
import { ListContextProviders } from './list-scope.tsx'

/**
 * A list of a resource's rows, for the parts within: filters, toolbar, table, pager, views. Each takes what it needs
 * from here, so that a page puts them where it wants them and leaves out what it does not. What they open (detail,
 * form, dialogs) comes with it.
 */
export function ListProvider<
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>> = Record<never, never>,
  I extends InputOverrides = Record<never, never>,
>({ resource, page, children }: { resource: R; page?: PagePartsOf<R, C, I>; children: ReactNode }) {
  return (
    <ListContextProviders resource={resource} page={page && definePageParts(resource, page)}>
      {children}
      <ListDialogs />
    </ListContextProviders>
  )
}
