import { Suspense } from 'react'
import type { Row } from '../form/form-values.ts'
import { lazyOf } from '../lazy-of.ts'
import { useScreen } from '../screen.ts'
import { PlainTable } from './plain-table.tsx'
import { RowCards } from './row-cards.tsx'
import type { DataTableProps } from './table-props.ts'
import '../kit.css'

const WideTable = lazyOf(() => import('./wide-table.tsx'))

/**
 * Rows as a table, and on a phone as cards. Knows nothing about resources. Until the table's library is here, and has
 * drawn its first, the rows stand in a plain one of the same measures.
 */
export function DataTable<R extends Row = Row>(props: DataTableProps<R>) {
  const screen = useScreen()
  if (props.instead && !props.isPending) return <div className="kit-table">{props.instead}</div>
  if (screen === 0 && !props.isTree) return <RowCards {...props} />
  return (
    <Suspense fallback={<PlainTable {...props} />}>
      <WideTable {...props} />
    </Suspense>
  )
}
