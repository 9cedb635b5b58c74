import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { meets } from '#kit/fields/condition.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { DOCUMENTS_MAX } from '#kit/resource/documents.ts'
import type { Row } from '../form/form-values.ts'
import { get, type Params } from '../http.ts'
import { localize } from '../language.tsx'
import { words } from '../page-words.ts'
import { toast } from '../parts/toast.ts'
import { useMay } from '../session/use-may.ts'
import type { RowAction } from './row-buttons.tsx'
import { totalOf } from './use-list.ts'

/** The page that prints rows as documents of a kind. */
export const printAddress = (kind: string, ids: readonly string[]) =>
  `/prints/sheet/${kind}?${new URLSearchParams({ ids: ids.join(',') }).toString()}`

type Printing = (rows: readonly Row[]) => RowAction[]
type FilteredRows = { records: Row[]; total: number; totalCapped?: boolean }

const printAction = (run: () => void): RowAction => ({
  key: 'printDocument',
  label: words.printDocument,
  icon: 'printer',
  run,
})

const sayTooMany = (total: string) => toast.error(localize(words.printTooMany, { total, max: DOCUMENTS_MAX }))

/** What is offered of rows that may be printed together: the first document there is of all of them. */
export function usePrinting(resource: Resource<any, any>): Printing {
  const go = useNavigate()
  const { view } = useMay(resource)
  return useMemo(() => {
    const kinds = Object.entries((resource as Resource).documents)
    return (rows) => {
      const [kind] = kinds.find(([, { enabled }]) => rows.every((row) => meets(row, enabled))) ?? []
      if (!kind || !view) return []
      const ids = rows.map(({ id }) => String(id))
      return [
        printAction(() =>
          ids.length > DOCUMENTS_MAX ? sayTooMany(String(ids.length)) : void go(printAddress(kind, ids)),
        ),
      ]
    }
  }, [resource, view, go])
}

/** What is offered of all that the filters of a list find: their documents, up to as many as are printed at a time. */
export function usePrintingFound(resource: Resource<any, any>, asked: Params): RowAction[] {
  const printing = usePrinting(resource)
  const { view } = useMay(resource)
  const [first] = Object.values((resource as Resource).documents)
  if (!first || !view) return []
  const run = async () => {
    const params = { ...asked, current: 1, size: DOCUMENTS_MAX }
    const found = await get<FilteredRows>(`${resource.path}/${resource.list.path}`, params)
    if (found.total > DOCUMENTS_MAX) return sayTooMany(totalOf(found))
    const [action] = printing(found.records)
    if (action) return action.run()
    const count = found.records.filter((row) => !meets(row, first.enabled)).length
    toast.error(localize(words.printNotYet, { count, document: localize(first.label) }))
  }
  // What was refused is shown as a toast.
  return [printAction(() => void run().catch(() => {}))]
}
