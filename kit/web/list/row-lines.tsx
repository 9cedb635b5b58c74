import { Checkbox } from 'antd'
import { Fragment, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf, isBlankWireValue } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { dayFieldOf, rowFieldOf, rowLayoutOf, type RowLayout } from '#kit/resource/row-layout.ts'
import { fieldTextOf, rowTextOf, rowWarnings, type RowText } from '#kit/resource/row-text.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { formatWireTime } from '../parts/when-words.ts'
import { RelativeTime } from '../parts/relative-time.tsx'
import { Icon } from '../theme/icon.tsx'
import { useDictionary } from '../parts/use-dictionary.ts'
import { DayHeading, useDayTotals } from './day-headings.tsx'
import type { RowLinesOptions } from './row-lines-options.ts'
import type { EndlessScroll } from './use-endless-list.ts'
import { Pager } from './pager.tsx'
import { RowButtons, type RowAction } from './row-buttons.tsx'
import { RowPicture } from './row-picture.tsx'
import { totalsRowLabel, type DataTableProps } from './table-props.ts'
import { useRowGestures } from './use-row-gestures.ts'

type Props<R extends UntypedRow> = { table: DataTableProps<R>; lines: RowLinesOptions }

/** Shows rows as two lines each, by the layout their resource declares: lists on a phone. */
export function RowLines<R extends UntypedRow>({ table, lines }: Props<R>) {
  const { rows, isPending, isFetching, paging, label } = table
  const [swiped, setSwiped] = useState<string>()
  const layout = useMemo(() => layoutFor(lines), [lines])
  if (isPending) return <LineSkeletons />
  const draw = (row: R) => (
    <RowLine
      key={String(row.id)}
      row={row}
      table={table}
      lines={lines}
      layout={layout}
      isSwiped={swiped === String(row.id)}
      onSwipe={(isOpen) => setSwiped(isOpen ? String(row.id) : undefined)}
    />
  )
  return (
    <div className={isFetching ? 'kit-busy' : undefined} aria-busy={isFetching}>
      {lines.scroll && <ListTop scroll={lines.scroll} />}
      <Grouped rows={rows} layout={layout} label={label} draw={draw} list={lines} />
      <LineTotals table={table} />
      {lines.scroll ? <ListEnd scroll={lines.scroll} /> : paging && <Pager {...paging} />}
    </div>
  )
}

const layoutFor = ({ resource, omit }: RowLinesOptions): RowLayout => {
  const layout = rowLayoutOf(resource)
  return omit?.size ? { ...layout, sub: layout.sub.filter((key) => !omit.has(key)) } : layout
}

const SKELETONS = 9

function LineSkeletons() {
  return (
    <div className="kit-list-rows" aria-busy>
      {Array.from({ length: SKELETONS }, (_, index) => (
        <div key={index} className="kit-list-row kit-list-row-skeleton">
          <span className="kit-skeleton" />
          <span className="kit-skeleton" />
        </div>
      ))}
    </div>
  )
}

type GroupedProps<R extends UntypedRow> = {
  rows: readonly R[]
  list: RowLinesOptions
  layout: RowLayout
  label: string
  draw: (row: R) => ReactNode
}

/** The rows in one list, or one list under each heading. */
function Grouped<R extends UntypedRow>({ rows, list, layout, label, draw }: GroupedProps<R>) {
  const language = useLanguage()
  const { resource, params } = list
  const groups = useMemo(() => groupsOf(rows, resource, layout, language), [rows, resource, layout, language])
  const isByDay = layout.group === 'day'
  const totals = useDayTotals(resource, params, isByDay ? groups.map(({ name }) => name) : [])
  if (!layout.group)
    return (
      <ul className="kit-list-rows" aria-label={label}>
        {rows.map(draw)}
      </ul>
    )
  return (
    <div className="kit-list-rows" role="group" aria-label={label}>
      {groups.map(({ name, rows: grouped }) => (
        <Fragment key={name}>
          {isByDay ? (
            <DayHeading day={name} total={totals.get(name)} />
          ) : (
            <h3 className="kit-list-row-heading">{name}</h3>
          )}
          <ul aria-label={name}>{grouped.map(draw)}</ul>
        </Fragment>
      ))}
    </div>
  )
}

type Group<R> = { name: string; rows: R[] }

function groupsOf<R extends UntypedRow>(
  rows: readonly R[],
  resource: Resource<any, any>,
  { group, time }: RowLayout,
  language: 'zh' | 'en',
): Group<R>[] {
  if (!group) return []
  const dayField = group === 'day' ? dayFieldOf(resource) : undefined
  const field = rowFieldOf(resource, group)
  const nameOf = (row: R): string => {
    if (group !== 'day') return field ? fieldTextOf(group, field, row, language) || '—' : '—'
    return String(row[dayField ?? ''] || row[time || ''] || row.createTime || '').slice(0, 10)
  }
  const groups: Group<R>[] = []
  for (const row of rows) {
    const name = nameOf(row)
    const last = groups.at(-1)
    if (last?.name === name) last.rows.push(row)
    else groups.push({ name, rows: [row] })
  }
  return groups
}

type LineProps<R extends UntypedRow> = Props<R> & {
  row: R
  layout: RowLayout
  isSwiped: boolean
  onSwipe: (isOpen: boolean) => void
}

function RowLine<R extends UntypedRow>({ row, table, lines, layout, isSwiped, onSwipe }: LineProps<R>) {
  const { rowActions, onOpen, onChoose, chosen = [], below } = table
  const id = String(row.id)
  const actions = rowActions?.(row) ?? []
  const swipe = swipeActions(actions, layout)
  const isChosen = chosen.some((one) => String(one.id) === id)
  const choose = () => onChoose?.(isChosen ? chosen.filter((one) => String(one.id) !== id) : [...chosen, row])
  const isChoosing = !!lines.isChoosing && !!onChoose
  const gestures = useRowGestures({
    onLongPress: onChoose && (() => (lines.onChoosing?.(true), choose())),
    onSwipe: swipe.length > 0 && !isChoosing ? onSwipe : undefined,
  })
  const open = onOpen && (() => onOpen(row))
  return (
    <li data-row-key={id} className={lineClass(table, id, isChosen, isSwiped)} {...gestures}>
      <div className="kit-list-row-front">
        {isChoosing && <LineChoice row={row} lines={lines} isChosen={isChosen} onChange={choose} />}
        <LineWithActions
          row={row}
          lines={lines}
          layout={layout}
          actions={isChoosing ? [] : actions}
          // A touch that only selects the row, or does nothing, leaves its actions to a button of their own.
          needsMenu={!onOpen || table.current !== undefined}
          onTouch={isChoosing ? choose : open}
        />
      </div>
      {isSwiped && <SwipeActions actions={swipe} onDone={() => onSwipe(false)} />}
      {below?.(row)}
    </li>
  )
}

function lineClass<R extends UntypedRow>(
  { arrived, current }: DataTableProps<R>,
  id: string,
  isChosen: boolean,
  isSwiped: boolean,
): string {
  const states = [
    arrived?.has(id) && 'kit-row-new',
    current === id && 'kit-row-current',
    isChosen && 'kit-list-row-chosen',
    isSwiped && 'kit-list-row-swiped',
  ]
  return ['kit-list-row', ...states.filter(Boolean)].join(' ')
}

type ChoiceProps = { row: UntypedRow; lines: RowLinesOptions; isChosen: boolean; onChange: () => void }

function LineChoice({ row, lines: { resource }, isChosen, onChange }: ChoiceProps) {
  const t = useLocalize()
  const language = useLanguage()
  const name = rowTextOf(resource, row, language).title
  return (
    <span className="kit-list-row-choose">
      <Checkbox checked={isChosen} aria-label={t(words.choose, { name })} onChange={onChange} />
    </span>
  )
}

type WithActionsProps = {
  row: UntypedRow
  lines: RowLinesOptions
  layout: RowLayout
  actions: RowAction[]
  needsMenu: boolean
  onTouch?: () => void
}

/** The row's lines with the button of its declared action, or with all its actions where a touch opens nothing. */
function LineWithActions({ row, lines, layout, actions, needsMenu, onTouch }: WithActionsProps) {
  const t = useLocalize()
  const act = layout.act.flatMap((name) => actions.filter(({ key }) => key === name)).find(({ disabled }) => !disabled)
  return (
    <>
      <LineBody row={row} lines={lines} layout={layout} onTouch={onTouch} hasAct={!!act} />
      {act && (
        <button type="button" className="kit-list-row-act" onClick={act.run}>
          {t(act.label)}
        </button>
      )}
      {needsMenu && actions.length > 0 && <RowButtons rowActions={actions} inSight={0} />}
    </>
  )
}

const SWIPE_MAX = 2

const swipeActions = (actions: readonly RowAction[], { swipe }: RowLayout): RowAction[] =>
  swipe.flatMap((key) => actions.filter((one) => one.key === key && !one.disabled)).slice(0, SWIPE_MAX)

function SwipeActions({ actions, onDone }: { actions: readonly RowAction[]; onDone: () => void }) {
  const t = useLocalize()
  return (
    <span className="kit-list-row-swipe">
      {actions.map(({ key, label, run, danger }) => (
        <button
          key={key}
          type="button"
          data-danger={danger}
          onClick={() => {
            onDone()
            run()
          }}
        >
          {t(label)}
        </button>
      ))}
    </span>
  )
}

type BodyProps = {
  row: UntypedRow
  lines: RowLinesOptions
  layout: RowLayout
  onTouch?: () => void
  hasAct: boolean
}

/** The two or three lines of a row: one button that opens it. */
function LineBody({ row, lines: { resource }, layout, onTouch, hasAct }: BodyProps) {
  const language = useLanguage()
  const text = rowTextOf(resource, row, language, layout)
  const warnings = rowWarnings(layout, row)
  const content = (
    <>
      {layout.picture && <RowPicture url={String(row[layout.picture] ?? '')} title={text.title} />}
      <span className="kit-list-row-text">
        <span className="kit-list-row-first">
          <strong>{text.title}</strong>
          {text.amount && (
            <span className="kit-list-row-amount" data-warn={warnings.has(layout.amount?.key ?? '')}>
              {text.amount}
            </span>
          )}
        </span>
        <span className="kit-list-row-second">
          <SubLine row={row} layout={layout} text={text} hasTime={hasAct} />
          <LineState row={row} resource={resource} layout={layout} isWarned={warnings.has(layout.state ?? '')} />
          <LateTime row={row} layout={layout} />
          {!hasAct && <LineTime row={row} layout={layout} />}
        </span>
        {text.below && <span className="kit-list-row-below">{text.below}</span>}
      </span>
    </>
  )
  if (!onTouch) return <div className="kit-list-row-body">{content}</div>
  return (
    <button type="button" className="kit-list-row-body" onClick={onTouch}>
      {content}
    </button>
  )
}

const timeOf = (row: UntypedRow, { time }: RowLayout): string => (time ? String(row[time] ?? '') : '')

type SubLineProps = { row: UntypedRow; layout: RowLayout; text: RowText; hasTime: boolean }

/** What else the row says; beside a button its time too, which then has no room of its own. */
function SubLine({ row, layout, text, hasTime }: SubLineProps) {
  const parts = [...text.sub, ...(text.number ? [text.number] : [])].join(' · ')
  const time = hasTime ? timeOf(row, layout) : ''
  return (
    <span className="kit-list-row-sub">
      {parts}
      {parts && time && ' · '}
      {time && <RelativeTime at={time} />}
    </span>
  )
}

function LineTime({ row, layout }: { row: UntypedRow; layout: RowLayout }) {
  const time = timeOf(row, layout)
  if (!time) return null
  return (
    <span className={layout.late === layout.time && isPast(time) ? 'kit-list-row-late' : 'kit-list-row-time'}>
      <RelativeTime at={time} />
    </span>
  )
}

/** Returns whether a wire day or time is over; false for an empty one. */
const isPast = (at: unknown): boolean => !!at && String(at) < formatWireTime().slice(0, String(at).length)

/** A time that is shown only once it has passed, in red. */
function LateTime({ row, layout: { late, time } }: { row: UntypedRow; layout: RowLayout }) {
  if (!late || late === time || !isPast(row[late])) return null
  const at = String(row[late])
  return (
    <span className="kit-list-row-late">
      <RelativeTime at={at} />
    </span>
  )
}

/** Colours of dictionary entries that ask for attention; all others are plain words. */
const TONES: Record<string, 'wait' | 'bad' | 'busy'> = {
  warning: 'wait',
  orange: 'wait',
  gold: 'wait',
  error: 'bad',
  red: 'bad',
  processing: 'busy',
  blue: 'busy',
  cyan: 'busy',
}

type StateProps = { row: UntypedRow; resource: Resource<any, any>; layout: RowLayout; isWarned: boolean }

function LineState({ row, resource, layout, isWarned }: StateProps) {
  const key = layout.state ?? ''
  const field = rowFieldOf(resource, key)
  if (!field) return null
  const kind = fieldKindOf(field)
  if (kind.choices === 'yesNo') return <YesNoState value={row[key]} field={field} isWarned={isWarned} />
  if (isBlankWireValue(row[key], field)) return null
  if (kind.readsAs === 'number') return <NumberState name={key} field={field} row={row} isWarned={isWarned} />
  return (
    <ChoiceState
      name={key}
      field={field}
      row={row}
      isWarned={isWarned}
      isCalm={layout.calm.includes(String(row[key]))}
    />
  )
}

function YesNoState({ value, field, isWarned }: { value: unknown; field: Field; isWarned: boolean }) {
  const t = useLocalize()
  const language = useLanguage()
  const label = t(field.label)
  const isYes = value === true || value === 1 || value === '1'
  return (
    <span className="kit-list-row-state" data-tone={isWarned ? 'bad' : undefined}>
      {isYes ? label : t(words.notSo, { name: language === 'zh' ? label : label.toLowerCase() })}
    </span>
  )
}

type FieldStateProps = { name: string; field: Field; row: UntypedRow; isWarned: boolean }

function NumberState({ name, field, row, isWarned }: FieldStateProps) {
  const t = useLocalize()
  const language = useLanguage()
  return (
    <span className="kit-list-row-state" data-tone={isWarned ? 'bad' : undefined}>
      {t(field.label)} {fieldTextOf(name, field, row, language)}
    </span>
  )
}

function ChoiceState({ name, field, row, isWarned, isCalm }: FieldStateProps & { isCalm: boolean }) {
  const language = useLanguage()
  const { choices } = useDictionary(fieldKindOf(field).choices === 'dictionary' ? field.dict : undefined)
  const entry = choices.find((one) => one.key === String(row[name]))
  const tone = isCalm ? undefined : TONES[entry?.colour ?? '']
  return (
    <span className="kit-list-row-state" data-tone={isWarned ? 'bad' : tone}>
      {entry?.label ?? fieldTextOf(name, field, row, language)}
    </span>
  )
}

function LineTotals<R extends UntypedRow>({
  table: { totals = {}, columns, paging, rows },
}: {
  table: DataTableProps<R>
}) {
  const t = useLocalize()
  const sums = columns.filter(({ key, hidden }) => !hidden && totals[key] !== undefined)
  if (!sums.length) return null
  return (
    <dl className="kit-list-row-totals">
      <dt>{totalsRowLabel(paging, rows, t)}</dt>
      {sums.map(({ key, label }) => (
        <dd key={key}>
          {t(label)} <strong>{totals[key]}</strong>
        </dd>
      ))}
    </dl>
  )
}

/** Tells the list whether its beginning is on screen, and shows how many new rows wait above. */
function ListTop({ scroll: { newCount, showNew, setAtTop } }: { scroll: EndlessScroll }) {
  const t = useLocalize()
  const mark = useRef<HTMLSpanElement>(null)
  useSeen(mark, setAtTop)
  return (
    <>
      <span ref={mark} className="kit-list-row-mark" />
      {newCount > 0 && (
        <button
          type="button"
          className="kit-list-row-new"
          onClick={() => {
            showNew()
            mark.current?.scrollIntoView({ block: 'center' })
          }}
        >
          <Icon name="arrow-up" /> {t(words.newRows, { count: newCount })}
        </button>
      )}
    </>
  )
}

/** Fetches more when its end comes near, or by a button. */
function ListEnd({ scroll }: { scroll: EndlessScroll }) {
  const { hasMore, hasFailed, isFetchingMore, needsButton, fetchMore, retry } = scroll
  const t = useLocalize()
  const mark = useRef<HTMLSpanElement>(null)
  const more = hasMore && !needsButton ? fetchMore : undefined
  useSeen(mark, (isSeen) => isSeen && more?.(), more)
  return (
    <div className="kit-list-row-end">
      <span ref={mark} className="kit-list-row-mark kit-list-row-mark-end" />
      {isFetchingMore && <span className="kit-skeleton" />}
      {hasFailed && (
        <button type="button" className="kit-list-row-more" onClick={retry}>
          {t(words.failedList)} · {t(words.retry)}
        </button>
      )}
      {hasMore && (
        <button type="button" className="kit-list-row-more" onClick={fetchMore}>
          {t(words.seeMore)}
        </button>
      )}
    </div>
  )
}

/** Tells when an element comes on screen or leaves it; anew when `key` changes while it is on screen. */
function useSeen(mark: React.RefObject<HTMLElement | null>, onSeen: (isSeen: boolean) => void, key?: unknown) {
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  })
  useEffect(() => {
    if (!mark.current) return
    const observer = new IntersectionObserver((entries) => latest.current(entries.at(-1)!.isIntersecting))
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [mark, key])
}
