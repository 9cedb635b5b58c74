import { ColumnLines } from './column-lines.tsx'
import { Suspense, useRef, type FocusEvent } from 'react'
import type { UntypedRow } from '../row/form-values.ts'
import { lazyGenericComponent } from '../base/lazy-of.ts'
import { useScreenSize } from '../base/screen.ts'
import { PlainHtmlTable } from './plain-table.tsx'
import { RowLines } from './row-lines.tsx'
import { tableFrameProps, useTableLayout } from './table-layout.tsx'
import type { DataTableProps } from './table-props.ts'
import '../base/kit.css'

const WideTable = lazyGenericComponent(() => import('./wide-table.tsx'))

/**
 * Shows rows as a table, on a phone as lines. Until antd's table is loaded, the rows are
 * shown in a plain HTML table of the same measures.
 */
export function DataTable<R extends UntypedRow = UntypedRow>(props: DataTableProps<R>) {
  const screen = useScreenSize()
  if (props.instead && !props.isPending) return <div className="kit-table">{props.instead}</div>
  if (screen === 0 && !props.isTree)
    return props.lines ? <RowLines table={props} lines={props.lines} /> : <ColumnLines table={props} />
  return <FramedTable {...props} />
}

/** Measures the width once for both the plain and antd's table, so that each is drawn at its final width. */
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

/** A focused heading is scrolled into view by the browser; scrolls the rows below it by the same distance. */
function bringBody({ currentTarget, target }: FocusEvent<HTMLElement>) {
  const head = target.closest('.ant-table-header')
  const body = head && currentTarget.querySelector('.ant-table-body, .ant-table-content')
  if (head && body && body.scrollLeft !== head.scrollLeft) body.scrollLeft = head.scrollLeft
}
