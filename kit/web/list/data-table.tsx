import { Suspense, useRef, type FocusEvent } from 'react'
import type { UntypedRow } from '../form/form-values.ts'
import { lazyGenericComponent } from '../lazy-of.ts'
import { useScreenSize } from '../screen.ts'
import { PlainHtmlTable } from './plain-table.tsx'
import { RowCards } from './row-cards.tsx'
import { tableFrameProps, useTableLayout } from './table-layout.tsx'
import type { DataTableProps } from './table-props.ts'
import '../kit.css'

const WideTable = lazyGenericComponent(() => import('./wide-table.tsx'))

/**
 * Rows as a table, and on a phone as cards. Knows nothing about resources. Until the table's library is here, and has
 * drawn its first, the rows stand in a plain one of the same measures.
 */
export function DataTable<R extends UntypedRow = UntypedRow>(props: DataTableProps<R>) {
  const screen = useScreenSize()
  if (props.instead && !props.isPending) return <div className="kit-table">{props.instead}</div>
  if (screen === 0 && !props.isTree) return <RowCards {...props} />
  return <FramedTable {...props} />
}

/** The frame measures what room there is, once for both tables: each of them is drawn at its width from the first. */
function FramedTable<R extends UntypedRow>(props: DataTableProps<R>) {
  const box = useRef<HTMLDivElement>(null)
  const layout = useTableLayout(props, box)
  return (
    <div ref={box} {...tableFrameProps(props, layout)} onFocus={bringBody}>
      <Suspense fallback={<PlainHtmlTable table={props} layout={layout} />}>
        <WideTable table={props} layout={layout} box={box} />
      </Suspense>
    </div>
  )
}

/** A heading that takes the focus is scrolled into sight; the rows below it come along. */
function bringBody({ currentTarget, target }: FocusEvent<HTMLElement>) {
  const head = target.closest('.ant-table-header')
  const body = head && currentTarget.querySelector('.ant-table-body, .ant-table-content')
  if (head && body && body.scrollLeft !== head.scrollLeft) body.scrollLeft = head.scrollLeft
}
