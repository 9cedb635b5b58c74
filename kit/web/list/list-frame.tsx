import type { ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { InputOverrides } from '../form/edit-form.tsx'
import type { WireRowOrUntyped } from '../row/form-values.ts'
import { definePageParts, type PagePartsOf } from './page-parts.ts'
import { ListDialogs } from './list-layers.tsx'
import { ListContextProviders } from './list-scope.tsx'

/**
 * Provides a list of a resource's rows to the parts inside it (filters, toolbar, table, pager, views), which a page
 * arranges or omits as it likes. Also renders what they open: detail, form and dialogs.
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
