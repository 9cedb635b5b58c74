import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { PRINTED_DOCUMENTS_MAX } from '#kit/resource/documents.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { apiGet } from '../http/http.ts'
import type { QueryParams } from '../http/query-params.ts'
import { localizeForUser } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'
import { useResourcePermissions } from '../session/use-may.ts'
import type { RowAction } from './row-buttons.tsx'
import { formatListTotal } from './use-list.ts'

/** Returns the address of the page that prints these rows as documents of a kind. */
export const printPagePath = (kind: string, ids: readonly string[]) =>
  `/prints/sheet/${kind}?${new URLSearchParams({ ids: ids.join(',') }).toString()}`

type Printing = (rows: readonly UntypedRow[]) => RowAction[]
type FilteredRows = { records: UntypedRow[]; total: number; totalCapped?: boolean }

const printAction = (run: () => void): RowAction => ({
  key: 'printDocument',
  label: words.printDocument,
  icon: 'printer',
  run,
})

const sayTooMany = (total: string) =>
  toast.error(localizeForUser(words.printTooMany, { total, max: PRINTED_DOCUMENTS_MAX }))

/**
 * Returns a function that gives the print action for rows: the first document kind all of them have; none if there is
 * no such kind.
 */
export function usePrintRowsActions(resource: Resource<any, any>): Printing {
  const go = useNavigate()
  const { view } = useResourcePermissions(resource)
  return useMemo(() => {
    const kinds = Object.entries((resource as Resource).documents)
    return (rows) => {
      const [kind] = kinds.find(([, { enabled }]) => rows.every((row) => meetsCondition(row, enabled))) ?? []
      if (!kind || !view) return []
      const ids = rows.map(({ id }) => String(id))
      return [
        printAction(() =>
          ids.length > PRINTED_DOCUMENTS_MAX ? sayTooMany(String(ids.length)) : void go(printPagePath(kind, ids)),
        ),
      ]
    }
  }, [resource, view, go])
}

/**
 * Returns the print action for all rows the list's filters find; shows an error if they are too many to print at once.
 */
export function usePrintFilteredActions(resource: Resource<any, any>, query: QueryParams): RowAction[] {
  const printing = usePrintRowsActions(resource)
  const { view } = useResourcePermissions(resource)
  const [first] = Object.values((resource as Resource).documents)
  if (!first || !view) return []
  const run = async () => {
    const params = { ...query, current: 1, size: PRINTED_DOCUMENTS_MAX }
    const found = await apiGet<FilteredRows>(`${resource.path}/${resource.list.path}`, params)
    if (found.total > PRINTED_DOCUMENTS_MAX) return sayTooMany(formatListTotal(found))
    const [action] = printing(found.records)
    if (action) return action.run()
    const count = found.records.filter((row) => !meetsCondition(row, first.enabled)).length
    toast.error(localizeForUser(words.printNotYet, { count, document: localizeForUser(first.label) }))
  }
  // The error was shown as a toast.
  return [printAction(() => void run().catch(() => {}))]
}
