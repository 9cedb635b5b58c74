import { createContext, lazy, Suspense, useContext, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { valueLabelKeyOf, type Resource } from '#kit/resource/define-resource.ts'
import type { TableColumn } from './columns.tsx'
import { FieldCell, type CellOverrides } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import '../row/list-work.css'

const InlineEditor = lazy(() => import('./inline-editor.tsx'))

type EditingCell = { id: string; key: string }
type Inline = {
  resource: Resource<any, any>
  at?: EditingCell
  go: (to: EditingCell | undefined) => void
  step: (from: EditingCell, by: 1 | -1) => void
  cells?: CellOverrides
  /** Versions that this user's own saves produced, by row id, until the list has refetched the rows. */
  versions: RefObject<Map<string, number>>
}

const InlineContext = createContext<Inline | undefined>(undefined)

/** Provides which cell of a table is being edited and moves to the next one. */
export function InlineEditingProvider({
  resource,
  rows,
  keys,
  cells,
  children,
}: {
  resource: Resource<any, any>
  rows: readonly UntypedRow[]
  keys: readonly string[]
  cells?: CellOverrides
  children: ReactNode
}) {
  const [at, go] = useState<EditingCell>()
  const versions = useRef(new Map<string, number>())
  const step = (from: EditingCell, by: 1 | -1) => {
    const places = rows.flatMap((row) => keys.map((key) => ({ id: String(row.id), key })))
    go(places[places.findIndex(({ id, key }) => id === from.id && key === from.key) + by])
  }
  return <InlineContext value={{ resource, at, go, step, cells, versions }}>{children}</InlineContext>
}

/** Returns the columns with cells that become inputs when clicked, in the table and on cards. */
export const withInlineEditing = (columns: TableColumn[], keys: readonly string[]): TableColumn[] =>
  columns.map((column) =>
    keys.includes(column.key)
      ? {
          ...column,
          isInput: true,
          cell: (row) => <InlineCell name={column.key} row={row} show={column.cell} align={column.align} />,
          card: (row) => <InlineCell name={column.key} row={row} show={column.card ?? column.cell} />,
        }
      : column,
  )

type CellProps = { name: string; row: UntypedRow; show: (row: UntypedRow) => ReactNode; align?: string }

function InlineCell(props: CellProps) {
  const inline = useContext(InlineContext)
  return inline ? <Changeable {...props} inline={inline} /> : <>{props.show(props.row)}</>
}

function Changeable({ name, row, show, align, inline }: CellProps & { inline: Inline }) {
  // Shows the saved value at once; the list refetches the row a moment later.
  const [saved, setSaved] = useState<{ version: unknown; value: unknown }>()
  const { resource, at, go, step, cells, versions } = inline
  const field = resource.fields[name] as Field
  const place = { id: String(row.id), key: name }
  const isFresh = saved !== undefined && saved.version === row.version
  const version = Math.max(Number(row.version ?? 0), versions.current.get(place.id) ?? 0)
  const shown = isFresh ? { ...row, [name]: saved.value, [valueLabelKeyOf(name, field)]: undefined } : row
  if (at?.id !== place.id || at.key !== name)
    return (
      <InlineButton field={field} align={align} onClick={() => go(place)}>
        {isFresh ? <FieldCell name={name} field={field} row={shown} place="table" cells={cells} /> : show(row)}
      </InlineButton>
    )
  return (
    <span
      className="kit-inline-at"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Suspense fallback={<span className="kit-skeleton" />}>
        <InlineEditor
          resource={resource}
          name={name}
          field={field}
          row={{ ...shown, version }}
          cells={cells}
          onSaved={(value, next) => {
            setSaved({ version: row.version, value })
            if (next !== undefined) versions.current.set(place.id, next)
          }}
          onClose={(by) => (by ? step(place, by) : go(undefined))}
        />
      </Suspense>
    </span>
  )
}

type ButtonProps = { field: Field; align?: string; onClick: () => void; children: ReactNode }

function InlineButton({ field, align, onClick, children }: ButtonProps) {
  const t = useLocalize()
  return (
    <button
      type="button"
      className={`kit-inline${align === 'right' ? ' kit-inline-right' : ''}`}
      data-tip={t(words.inlineHint)}
      onClick={(event) => {
        event.stopPropagation()
        onClick()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <span className="kit-hidden">{t(field.label)} </span>
      <span>{children}</span>
      <Icon name="edit" />
    </button>
  )
}
