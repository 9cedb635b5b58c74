import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Modal, Progress, Skeleton } from 'antd'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import { confirmationText } from '../row/action-words.ts'
import { FieldChanges } from '../row/changes.tsx'
import { EditForm } from '../form/edit-form.tsx'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { apiGet, ApiError, apiPost } from '../http/http.ts'
import type { QueryParams } from '../http/query-params.ts'
import { Icon } from '../theme/icon.tsx'
import { useLanguage, useLocalize, type LocalizedText } from '../base/language.tsx'
import { useLiveEvents } from '../live/live.ts'
import { words } from '../base/list-words.ts'
import { words as kit } from '../base/page-words.ts'
import { refusalDetailsOf } from '../row/run-action.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useInvalidateResource } from '../row/use-detail.ts'
import { formInputId, useForm, type FormState } from '../form/use-form.ts'
import { useUnsavedGuard } from '../form/use-unsaved-guard.tsx'
import { bulkProgressTopic } from '../../resource/kit-topics.ts'
import '../row/list-work.css'

/** A bulk operation and its rows: the chosen ones, or all that the list's filters find if `filter` is set. */
export type BulkOperationRequest = {
  operation: string
  label: LocalizedText
  rows: UntypedRow[]
  filter?: QueryParams
  action?: Action
}

type Outcome = { id: string; title: string; isDone: boolean; msg: string }
/** Sums of the numbers in the rows' answers, inserted into the action's `done` sentence. */
type Sums = Record<string, number>
type Previewed = Outcome & { keys: string[]; was: UntypedRow; now: UntypedRow; sums?: Sums }
export type BulkPreview = {
  count: number
  set: string
  /** Sums over the whole set, of the amounts the confirmation names, by field. */
  amounts: Record<string, string>
  dryRunCount: number
  refused: number
  rows: Previewed[]
  /** Id of the background run that makes the dry run of a large set; its rows then come with the run. */
  runId?: string
}
type Result = {
  count: number
  done: number
  failed: number
  refused: Outcome[]
  sums?: Sums
  rows?: Previewed[]
  runId?: string
  finishTime?: string
}

type Props = {
  resource: Resource<any, any>
  ask: BulkOperationRequest
  cells?: CellOverrides
  note?: (ask: BulkOperationRequest, preview: BulkPreview) => ReactNode
  onClose: (done: boolean) => void
}

/**
 * Dialog of an operation on many rows: asks for its input, previews what happens to each row, then shows the results.
 */
export default function BulkOperationDialog({ resource, ask, cells, note, onClose }: Props) {
  const t = useLocalize()
  const isEdit = ask.operation === 'edit'
  const fields = isEdit
    ? Object.fromEntries(resource.list.bulk.map((key) => [key, resource.fields[key]]))
    : (ask.action?.input ?? {})
  const hasInput = Object.keys(fields).length > 0
  const [input, setInput] = useState<UntypedRow | undefined>(hasInput ? undefined : {})
  const [result, setResult] = useState<Result>()
  const set = ask.filter ? { filter: ask.filter } : { ids: ask.rows.map((row) => String(row.id)) }
  const title = t(isEdit ? kit.bulkEdit : ask.label)
  if (result)
    return (
      <Results resource={resource} title={title} said={ask.action?.done} first={result} onClose={() => onClose(true)} />
    )
  if (!input)
    return <Asking fields={fields} isEdit={isEdit} title={title} onGo={setInput} onClose={() => onClose(false)} />
  return (
    <Previewing
      resource={resource}
      ask={ask}
      set={set}
      input={input}
      title={title}
      cells={cells}
      note={note}
      onDone={setResult}
      onBack={hasInput ? () => setInput(undefined) : undefined}
      onClose={() => onClose(false)}
    />
  )
}

type AskingProps = {
  fields: Fields
  isEdit: boolean
  title: string
  onGo: (input: UntypedRow) => void
  onClose: () => void
}

function Asking({ fields, isEdit, title, onGo, onClose }: AskingProps) {
  const t = useLocalize()
  const form = useForm({ fields, mode: 'add' })
  const [leave, question] = useUnsavedGuard(form, onClose)
  const [ticked, setTicked] = useState<string[]>([])
  const go = () => {
    if (!isEdit) return form.check() && onGo(form.payload())
    const wrong = ticked.filter((key) => !form.look(key))
    if (!ticked.length || wrong.length) return
    const filled: UntypedRow = { ...Object.fromEntries(ticked.map((key) => [key, ''])), ...form.payload() }
    onGo(Object.fromEntries(Object.entries(filled).filter(([key]) => ticked.includes(key))))
  }
  return (
    <Modal
      open
      title={title}
      width={560}
      onCancel={leave}
      mask={{ closable: !form.changed.length }}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" disabled={isEdit && !ticked.length} onClick={go}>
          {t(words.preview)}
        </Button>,
      ]}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        {isEdit ? <TickedFields form={form} ticked={ticked} onTick={setTicked} /> : <EditForm form={form} />}
        <button type="submit" hidden />
      </form>
      {question}
    </Modal>
  )
}

type TickedProps = { form: FormState; ticked: string[]; onTick: (ticked: string[]) => void }

/** Inputs of a bulk edit. Only ticked fields are set; the others keep their value in each row. */
function TickedFields({ form, ticked, onTick }: TickedProps) {
  const t = useLocalize()
  return (
    <div className="kit-bulk-fields">
      <span className="kit-quiet">{t(words.bulkPick)}</span>
      {Object.entries(form.fields).map(([key, field]) => (
        <div key={key} className="kit-bulk-field">
          <Checkbox
            checked={ticked.includes(key)}
            onChange={({ target }) => onTick(target.checked ? [...ticked, key] : ticked.filter((one) => one !== key))}
          >
            {t(field.label)}
          </Checkbox>
          {ticked.includes(key) && <OneInput form={form} name={key} field={field} />}
        </div>
      ))}
    </div>
  )
}

function OneInput({ form, name, field }: { form: FormState; name: string; field: Field }) {
  const { Input } = webFieldKindOf(field)
  const error = form.errorOf(name)
  return (
    <Suspense fallback={<div className="kit-skeleton kit-skeleton-input" />}>
      <Input
        name={name}
        field={field}
        value={form.values[name]}
        onChange={(value) => form.set(name, value)}
        values={form.values}
        id={formInputId(form.id, name)}
        disabled={false}
        invalid={!!error}
      />
      {error && (
        <div className="kit-error" role="alert">
          {error}
        </div>
      )}
    </Suspense>
  )
}

type PreviewingProps = Omit<Props, 'onClose'> & {
  set: UntypedRow
  input: UntypedRow
  title: string
  onDone: (result: Result) => void
  onBack?: () => void
  onClose: () => void
}

function Previewing({ resource, ask, set, input, title, cells, note, onDone, onBack, onClose }: PreviewingProps) {
  const t = useLocalize()
  const body = { operation: ask.operation, ...set, input }
  const preview = usePreview(resource, body)
  const { asked, data, error, isFetching, refetch } = preview
  const { go, running, problem } = useRunning(resource, body, preview, onDone)
  const doable = data ? data.count - (data.dryRunCount === data.count ? data.refused : 0) : (asked?.count ?? 0)

  return (
    <Modal
      open
      title={title}
      width={720}
      onCancel={onClose}
      footer={[
        onBack && (
          <Button key="back" onClick={onBack}>
            {t(kit.previous)}
          </Button>
        ),
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button
          key="go"
          type="primary"
          danger={ask.operation === 'remove' || ask.action?.danger}
          disabled={!data || isFetching || !doable}
          loading={running}
          onClick={() => void go()}
        >
          {t(words.run, { action: title, count: doable })}
        </Button>,
      ]}
    >
      <div className="kit-bulk">
        <Warnings resource={resource} ask={ask} problem={problem} data={data} />
        {error ? (
          <ErrorNote
            title={t(words.previewFailed)}
            error={error instanceof ApiError ? error : new Error(String(error))}
            retry={() => void refetch()}
          />
        ) : !data ? (
          <Waiting count={asked?.count} />
        ) : (
          <>
            <PreviewSum data={data} />
            {note?.(ask, data)}
            <PreviewedRows resource={resource} ask={ask} rows={data.rows} cells={cells} isBusy={isFetching} />
          </>
        )}
      </div>
    </Modal>
  )
}

const bulkPath = (resource: Resource<any, any>) => `/api/kit/bulk/${resource.name}`

/** Previews what happens to each row. A large set is tried in the background, followed until it is done. */
function usePreview(resource: Resource<any, any>, body: UntypedRow) {
  const language = useLanguage()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['bulk', resource.name, language, JSON.stringify(body)],
    queryFn: ({ signal }) => apiPost<BulkPreview>(`${bulkPath(resource)}/preview`, { body }, { quiet: true, signal }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  const run = useRun(resource, data?.runId)
  return { asked: data, data: withRows(data, run), error, isFetching, refetch }
}

/** Runs the previewed operation. The server refuses if the set of rows has changed since the preview. */
function useRunning(
  resource: Resource<any, any>,
  body: UntypedRow,
  { data, refetch }: ReturnType<typeof usePreview>,
  onDone: (result: Result) => void,
) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [running, setRunning] = useState(false)
  const [problem, setProblem] = useState('')
  const go = async () => {
    setRunning(true)
    setProblem('')
    try {
      const seen = { expectedCount: data!.count, expectedSet: data!.set }
      const result = await apiPost<Result>(bulkPath(resource), { body: { ...body, ...seen } }, { quiet: true })
      void renew(resource)
      onDone(result)
    } catch (reason) {
      const { reason: code, count } = refusalDetailsOf(reason) as { reason?: string; count?: number }
      if (code === 'set_moved') {
        setProblem(t(words.setMoved, { count }))
        await refetch()
      } else setProblem((reason as Error).message)
    } finally {
      setRunning(false)
    }
  }
  return { go, running, problem }
}

type WarningsProps = { resource: Resource<any, any>; ask: BulkOperationRequest; problem: string; data?: BulkPreview }

function Warnings({ resource, ask, problem, data }: WarningsProps) {
  const t = useLocalize()
  const language = useLanguage()
  return (
    <>
      {ask.action?.confirm && data && (
        <p className="kit-ask">
          {confirmationText(ask.action, language, resource.fields, ask.rows, {
            count: data.count,
            sums: data.amounts ?? {},
          })}
        </p>
      )}
      {!problem && data && !ask.filter && data.count !== ask.rows.length && (
        <Alert type="warning" showIcon title={t(words.setMoved, { count: data.count })} />
      )}
      {problem && <Alert type="warning" showIcon title={problem} />}
    </>
  )
}

function PreviewSum({ data }: { data: BulkPreview }) {
  const t = useLocalize()
  return (
    <p className="kit-bulk-sum">
      {t(data.dryRunCount < data.count ? words.dryRun : words.dryRunAll, {
        count: data.count.toLocaleString('en-US'),
        tried: data.dryRunCount,
      })}
      {data.refused > 0 && <span className="kit-bulk-no"> · {t(words.wouldRefuse, { refused: data.refused })}</span>}
    </p>
  )
}

type PreviewedProps = {
  resource: Resource<any, any>
  row: Previewed
  operation: string
  said?: LocalizedText
  cells?: CellOverrides
}

type PreviewedRowsProps = Pick<Props, 'resource' | 'ask' | 'cells'> & { rows: Previewed[]; isBusy: boolean }

const PreviewedRows = ({ resource, ask, rows, cells, isBusy }: PreviewedRowsProps) => (
  <ul className="kit-bulk-rows" aria-busy={isBusy}>
    {rows.map((row) => (
      <PreviewedRow
        key={row.id}
        resource={resource}
        row={row}
        operation={ask.operation}
        said={ask.action?.done}
        cells={cells}
      />
    ))}
  </ul>
)

function PreviewedRow(props: PreviewedProps) {
  return (
    <li>
      <strong>{props.row.title}</strong>
      <Becoming {...props} />
    </li>
  )
}

function Becoming({ resource, row, operation, said, cells }: PreviewedProps) {
  const t = useLocalize()
  if (!row.isDone) return <RefusedRow row={row} />
  if (operation === 'remove') return <span className="kit-quiet">{t(words.willRemove)}</span>
  if (row.keys.length)
    return <FieldChanges fields={resource.fields} keys={row.keys} was={row.was} now={row.now} cells={cells} />
  if (said && hasSums(row.sums)) return <span className="kit-quiet">{t(said, row.sums)}</span>
  return <span className="kit-quiet">{t(operation === 'edit' ? words.unchanged : words.willRun)}</span>
}

const hasSums = (sums: Sums | undefined): sums is Sums => !!sums && Object.keys(sums).length > 0

const RefusedRow = ({ row }: { row: Outcome }) => (
  <span className="kit-bulk-no">
    <Icon name="stop" /> {row.msg}
  </span>
)

/** Returns the preview with its rows; undefined while the dry run of a large set is running. */
function withRows(preview: BulkPreview | undefined, run: Result | undefined): BulkPreview | undefined {
  if (!preview?.runId) return preview
  if (!run?.finishTime) return undefined
  const rows = run.rows ?? []
  return { ...preview, rows, dryRunCount: rows.length, refused: rows.filter((row) => !row.isDone).length }
}

/** Placeholder while rows are tried out. Shows their number only for a large set, whose progress is unknown. */
function Waiting({ count }: { count?: number }) {
  const t = useLocalize()
  return (
    <>
      {!!count && (
        <p className="kit-bulk-sum" role="status">
          <Icon name="loading" /> {t(words.dryRunning, { count: count.toLocaleString('en-US') })}
        </p>
      )}
      <Skeleton active paragraph={{ rows: 4 }} title={false} aria-label={t(words.previewing)} />
    </>
  )
}

/** Fetches a background run repeatedly until it has finished. */
function useRun(resource: Resource<any, any>, runId: string | undefined): Result | undefined {
  const { data, refetch } = useQuery({
    queryKey: ['bulk-run', runId],
    queryFn: () => apiGet<Result>(`${bulkPath(resource)}/run`, { id: runId }, { quiet: true }),
    enabled: !!runId,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.finishTime ? false : 1500),
  })
  useLiveEvents(bulkProgressTopic, ({ id }) => !!runId && id === runId && void refetch())
  return data
}

/** Most refusals to list. */
const SHOWN = 200

type ResultsProps = {
  resource: Resource<any, any>
  title: string
  said?: LocalizedText
  first: Result
  onClose: () => void
}

function Results({ resource, title, said, first, onClose }: ResultsProps) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const data = useRun(resource, first.runId)
  const result = data ?? first
  const isOver = !first.runId || !!data?.finishTime
  useEffect(() => {
    if (isOver) void renew(resource)
    // Runs once, when the last row is done.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOver])
  const done = result.done + result.failed
  return (
    <Modal
      open
      title={title}
      width={640}
      mask={{ closable: true }}
      onCancel={onClose}
      footer={[
        <Button key="close" type="primary" onClick={onClose}>
          {t(kit.close)}
        </Button>,
      ]}
    >
      <div className="kit-bulk">
        {!isOver && (
          <Progress percent={Math.floor((done / Math.max(1, result.count)) * 100)} status="active" aria-label={title} />
        )}
        <p className="kit-bulk-sum" aria-live="polite">
          {isOver
            ? t(result.failed ? words.ranSome : words.ranAll, { done: result.done, failed: result.failed })
            : t(words.running, { done, count: result.count })}
        </p>
        {isOver && said && hasSums(result.sums) && <p className="kit-bulk-sum">{t(said, result.sums)}</p>}
        {!isOver && <p className="kit-quiet">{t(words.runHint)}</p>}
        <RefusedRows result={result} />
      </div>
    </Modal>
  )
}

function RefusedRows({ result: { refused, failed } }: { result: Result }) {
  const t = useLocalize()
  if (!refused.length) return null
  return (
    <>
      <ul className="kit-bulk-rows">
        {refused.slice(0, SHOWN).map((row) => (
          <li key={row.id}>
            <strong>{row.title}</strong>
            <RefusedRow row={row} />
          </li>
        ))}
      </ul>
      {failed > SHOWN && (
        <p className="kit-quiet">
          {t(words.moreRefused, { count: (failed - Math.min(SHOWN, refused.length)).toLocaleString('en-US') })}
        </p>
      )}
    </>
  )
}
