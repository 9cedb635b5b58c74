import type { Resource } from '#kit/resource/define-resource.ts'
import type { UntypedRow } from '../row/form-values.ts'
import type { PageParts } from './page-parts.ts'
import type { useResourcePermissions } from '../session/use-may.ts'

export type ListDefinition = {
  resource: Resource<any, any>
  page: PageParts
  may: ReturnType<typeof useResourcePermissions>
}

export type ListSelection = {
  chosen: UntypedRow[]
  choose: (rows: UntypedRow[]) => void
  /** All rows that the filters find are selected, not only those on screen. */
  isAll: boolean
  setAll: (isAll: boolean) => void
  /** On a phone: a touch on a row selects it instead of opening it. */
  isChoosing: boolean
  setChoosing: (isChoosing: boolean) => void
}
