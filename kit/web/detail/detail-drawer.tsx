import { Segmented, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { rowTitleOf } from '../row/action-words.ts'
import { DetailView, CustomFieldFacts } from './detail-view.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { RowSidePanel } from './row-side-panel.tsx'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { WireRowOrUntyped } from '../row/form-values.ts'
import { useResourceWithCustomFields } from '../session/own-fields.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { useScreenSize } from '../base/screen.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useTab } from '../base/tab.ts'
import { useRowDetail } from '../row/use-detail.ts'

const RowHistory = lazy(() => import('./row-history.tsx'))

export type DetailDrawerProps<R extends Resource<any, any> = Resource<any, any>> = {
  resource: R
  id: string
  onClose: () => void
  cells?: CellOverrides
  /** Buttons for the row: in the head of the drawer, on a phone at its foot with `wide` true. */
  actions?: (row: WireRowOrUntyped<R>, wide: boolean) => React.ReactNode
  /** Replaces the list of fields. */
  view?: (row: WireRowOrUntyped<R>) => React.ReactNode
  /** Content to the right of the fields, such as related rows. */
  beside?: (row: WireRowOrUntyped<R>) => React.ReactNode
}

type Part = 'facts' | 'history'

function PartTabs({ part, onChange, label }: { part: Part; onChange: (part: Part) => void; label: string }) {
  const t = useLocalize()
  return (
    <Segmented
      className="kit-detail-tabs"
      value={part}
      onChange={onChange}
      aria-label={label}
      options={[
        { value: 'facts', label: t(words.details) },
        { value: 'history', label: t(words.history) },
      ]}
    />
  )
}

type BodyProps<R extends Resource<any, any>> = Pick<DetailDrawerProps<R>, 'resource' | 'id' | 'cells' | 'view'> & {
  row: WireRowOrUntyped<R>
  part: Part
}

/** Body of the drawer: the fields of the row and what follows them, or its history. */
function Body<R extends Resource<any, any>>({ resource, id, row, part, cells, view }: BodyProps<R>) {
  if (part === 'history')
    return (
      <Suspense fallback={<Skeleton active />}>
        <RowHistory resource={resource} id={id} />
      </Suspense>
    )
  return (
    <>
      {view ? (
        <>
          {view(row)}
          <CustomFieldFacts resource={resource} row={row} />
        </>
      ) : (
        <DetailView resource={resource} row={row} cells={cells} />
      )}
      <RowSidePanel resource={resource.name} id={id} />
    </>
  )
}

/** Shows one row in a drawer: its fields on the left, what belongs to it on the right. */
export default function DetailDrawer<R extends Resource<any, any>>(props: DetailDrawerProps<R>) {
  const resource = useResourceWithCustomFields(props.resource)
  const { id, onClose, cells, actions, view, beside } = props
  const t = useLocalize()
  const { active } = useTab()
  const { data: row, error, refetch } = useRowDetail(resource, id)
  const isPhone = useScreenSize() === 0
  const [part, setPart] = useState<Part>('facts')
  const label = t(words.detailOf, { label: t(resource.label) })

  return (
    <Drawer
      open={active}
      title={
        row ? (
          <span className="kit-drawer-title">
            <span className="kit-quiet">{label}</span> {rowTitleOf(resource, row)}
          </span>
        ) : (
          label
        )
      }
      size={beside ? 1120 : 760}
      onClose={onClose}
      className="kit-drawer"
      extra={!isPhone && row && actions?.(row, false)}
      footer={isPhone && row && actions?.(row, true)}
    >
      {row ? (
        <div className={beside ? 'kit-beside' : undefined}>
          <div>
            {resource.history && <PartTabs part={part} onChange={setPart} label={label} />}
            <Body resource={resource} id={id} row={row} part={part} cells={cells} view={view} />
          </div>
          {beside && <aside>{beside(row)}</aside>}
        </div>
      ) : error ? (
        <ErrorNote title={t(words.failedDetail)} error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 10 }} />
      )}
    </Drawer>
  )
}
