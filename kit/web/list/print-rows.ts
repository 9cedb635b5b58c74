import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { meets, type Resource } from '#kit/resource/define-resource.ts'
import type { Row } from '../form/form-values.ts'
import { words } from '../page-words.ts'
import { useMay } from '../session/use-may.ts'
import type { RowAction } from './row-buttons.tsx'

/** The page that prints rows as documents of a kind. */
export const printAddress = (kind: string, ids: readonly string[]) =>
  `/prints/sheet/${kind}?${new URLSearchParams({ ids: ids.join(',') }).toString()}`

/** What is offered of rows that may be printed together: the first document there is of all of them. */
export function usePrinting(resource: Resource<any, any>): (rows: readonly Row[]) => RowAction[] {
  const go = useNavigate()
  const { view } = useMay(resource)
  return useMemo(() => {
    const kinds = Object.entries((resource as Resource).documents)
    return (rows) => {
      const [kind] = kinds.find(([, { enabled }]) => rows.every((row) => meets(row, enabled))) ?? []
      if (!kind || !view) return []
      const run = () =>
        void go(
          printAddress(
            kind,
            rows.map(({ id }) => String(id)),
          ),
        )
      return [{ key: 'printDocument', label: words.printDocument, icon: 'printer', run }]
    }
  }, [resource, view, go])
}
