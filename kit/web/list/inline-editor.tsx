import { Popover } from 'antd'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { parseFieldInput } from '#kit/fields/kinds.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { rowTitleOf } from '../row/action-words.ts'
import type { CellOverrides } from '../row/field-cell.tsx'
import {
  changedFormFieldKeys,
  findEditConflicts,
  fromFormValue,
  toFormValue,
  type UntypedRow,
} from '../row/form-values.ts'
import { apiPost } from '../http/http.ts'
import { isSavedOnChoice, fieldColumnWidth } from './field-traits.ts'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { refusalDetailsOf } from '../row/run-action.ts'
import { useTab } from '../base/tab.ts'
import { useReportUnsavedWork } from '../base/unsaved.ts'
import { useInvalidateResource } from '../row/use-detail.ts'
import '../row/list-work.css'

const MergeDialog = lazy(() => import('../form/merge-dialog.tsx'))

type Props = {
  resource: Resource<any, any>
  name: string
  field: Field
  row: UntypedRow
  cells?: CellOverrides
  onSaved: (value: unknown, version: number | undefined) => void
  /** Ends editing; with `by`, moves on to the next or the previous cell. */
  onClose: (by?: 1 | -1) => void
}

/**
 * Input of one table cell. Enter and Tab save, Esc discards, a refusal is shown at the cell. Sends only this field,
 * with the version the user saw.
 */
export default function InlineCellEditor(props: Props) {
  const { resource, name, field, cells, onClose } = props
  const t = useLocalize()
  const renew = useInvalidateResource()
  const { key: tab } = useTab()
  // The list refetches meanwhile, but the edit starts from the row as it was.
  const [row] = useState(props.row)
  const id = useId()
  const cell = useCell({ ...props, row })
  useReportUnsavedWork(cell.isChanged, t(resource.label), tab)
  useFocus(id)

  return (
    <Popover open={!!cell.problem} content={<CellProblem problem={cell.problem} />} placement="bottomLeft">
      <div
        className="kit-inline-editor"
        style={{ minWidth: fieldColumnWidth(field) }}
        onKeyDown={(event) => onCellKey(event, cell, field, onClose)}
        onBlur={(event) => {
          if (isSavedOnChoice(field) || event.currentTarget.contains(event.relatedTarget) || cell.theirs) return
          void cell.save()
        }}
        aria-busy={cell.isSaving}
      >
        <CellBox id={id} row={row} cell={cell} {...{ name, field, onClose }} />
        <label htmlFor={id} className="kit-hidden">{`${rowTitleOf(resource, row)} ${t(field.label)}`}</label>
        <span id={`${id}-help`} className="kit-hidden">
          {t(words.inlineKeys)}
        </span>
      </div>
      {cell.theirs && (
        <Suspense>
          <MergeDialog
            fields={{ [name]: field }}
            row={row}
            mine={{ [name]: cell.value }}
            theirs={cell.theirs}
            cells={cells}
            onCancel={cell.dropTheirs}
            onMerge={(mine) => {
              cell.dropTheirs()
              if (name in mine) return void cell.save({ next: mine[name], version: cell.theirs?.version })
              void renew(resource)
              onClose()
            }}
          />
        </Suspense>
      )}
    </Popover>
  )
}

type Saving = { next?: unknown; version?: unknown; by?: 1 | -1; isRetry?: boolean }

/** State of the edited value, and its saving. */
function useCell({ resource, name, field, row, onSaved, onClose }: Props) {
  const language = useLanguage()
  const renew = useInvalidateResource()
  const start = toFormValue(row[name], field)
  const [value, setValue] = useState<unknown>(start)
  const [problem, setProblem] = useState('')
  const [theirs, setTheirs] = useState<UntypedRow>()
  const [isSaving, setSaving] = useState(false)
  const busy = useRef(false)
  const only = { [name]: field }
  const isChanged = (next: unknown) => changedFormFieldKeys(only, { [name]: start }, { [name]: next }).length > 0

  const send = async (next: unknown, version: unknown) => {
    const body = { id: String(row.id), version, [name]: fromFormValue(next, field) }
    const answer = await apiPost<{ version?: number }>(`${resource.path}/submit`, { body }, { quiet: true })
    onSaved(fromFormValue(next, field), answer.version)
    void renew(resource)
  }
  const save = async (given: Saving = {}): Promise<void> => {
    if (busy.current) return
    const { next, version, by, isRetry } = { next: value, version: row.version, ...given }
    let again: UntypedRow | undefined
    if (!isChanged(next) && version === row.version) return onClose(by)
    const parsed = parseFieldInput(next, field)
    if ('problem' in parsed) return setProblem(fieldProblemSentence(parsed.problem, field, language))
    busy.current = true
    setSaving(true)
    setProblem('')
    try {
      await send(next, version)
      onClose(by)
    } catch (reason) {
      const refusal = refusalDetailsOf(reason)
      const now = refusal.reason === 'changed_meanwhile' ? refusal.row : undefined
      // The other person changed another field, so this one is saved again over the new version.
      if (now && !isRetry && !findEditConflicts(only, { [name]: start }, { [name]: next }, now).length) again = now
      else if (now) setTheirs(now)
      else setProblem(refusal.fields?.[name] ?? (reason as Error).message)
    } finally {
      busy.current = false
      setSaving(false)
    }
    if (again) await save({ next, version: again.version, by, isRetry: true })
  }
  const take = (next: unknown) => {
    // While saving, input is ignored instead of disabled: a disabled input would lose the focus.
    if (busy.current) return
    setValue(next)
    setProblem('')
    // Choosing a value saves it.
    if (isSavedOnChoice(field)) void save({ next })
  }
  const dropTheirs = () => setTheirs(undefined)
  return { value, problem, theirs, dropTheirs, isSaving, isChanged: isChanged(value), save, take }
}

type Cell = ReturnType<typeof useCell>

function onCellKey(event: React.KeyboardEvent, { save }: Cell, field: Field, onClose: Props['onClose']) {
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Escape') {
    event.preventDefault()
    onClose()
  }
  if (event.key === 'Enter' && !isSavedOnChoice(field)) {
    event.preventDefault()
    void save()
  }
  if (event.key === 'Tab') {
    event.preventDefault()
    void save({ by: event.shiftKey ? -1 : 1 })
  }
}

const CellProblem = ({ problem }: { problem: string }) => (
  <span className="kit-inline-said" role="alert">
    {problem}
  </span>
)

type BoxProps = Pick<Props, 'name' | 'field' | 'row' | 'onClose'> & { id: string; cell: Cell }

function CellBox({ id, name, field, row, cell: { value, take, problem }, onClose }: BoxProps) {
  const { CellInput, Input } = webFieldKindOf(field)
  return (
    <Suspense fallback={<span className="kit-skeleton" />}>
      {CellInput ? (
        <CellInput id={id} field={field} value={value} onChange={take} onClose={() => onClose()} />
      ) : (
        <Input
          name={name}
          field={field}
          value={value}
          onChange={take}
          values={row}
          id={id}
          disabled={false}
          invalid={!!problem}
          describedBy={`${id}-help`}
        />
      )}
    </Suspense>
  )
}

/** Focuses the input and selects its text, as soon as it is rendered (it may be loaded lazily). */
function useFocus(id: string) {
  useEffect(() => {
    let tries = 0
    const timer = setInterval(() => {
      const input = document.getElementById(id)
      if (input) {
        input.focus()
        if (input instanceof HTMLInputElement) input.select()
      }
      if (input || ++tries > 40) clearInterval(timer)
    }, 25)
    return () => clearInterval(timer)
  }, [id])
}
