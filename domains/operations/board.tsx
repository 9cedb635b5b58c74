import { Button, Segmented } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { meets, type Action, type Resource } from '#kit/resource/define-resource.ts'
import type { Asked } from '#kit/web/form/action-dialog.tsx'
import type { Cells } from '#kit/web/detail/field-cell.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { RowButtons, type Deed } from '#kit/web/list/row-buttons.tsx'
import { callAction, useActionRunner } from '#kit/web/form/run-action.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { useList } from '#kit/web/list/use-list.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import './operations.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const DetailDrawer = lazy(() => import('#kit/web/detail/detail-drawer.tsx'))
const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))

const words = {
  board: { zh: '看板', en: 'Board' },
  list: { zh: '列表', en: 'List' },
  show: { zh: '显示', en: 'Show' },
  empty: { zh: '没有', en: 'None' },
  more: { zh: '还有 {count} 条', en: '{count} more' },
}

export type Column = {
  status: number
  /** The action that leads here from the column before. */ by?: string
  /** The action offered on the cards of this column. */ step?: string
  sort: Record<string, string>
}

type Props = {
  resource: Resource<any, any>
  dict: string
  intro: Words
  columns: readonly Column[]
  card: (row: Row) => ReactNode
  beside: (row: Row) => ReactNode
  /** Rows that are done with are read, not changed. */
  isClosed: (row: Row) => boolean
  cells?: Cells
}

const SHOWN = 30

/** Rows with states, as columns they move through by hand or button; or as a list. */
export function BoardPage({ resource, dict, intro, columns, card, beside, isClosed, cells }: Props) {
  const say = useSay()
  const { search } = useLocation()
  const asksFor = new URLSearchParams(search)
  const [isBoard, setBoard] = useState(() => [...asksFor.keys()].every((key) => key === 'detail'))
  const tabs = (
    <Segmented
      value={isBoard ? 'board' : 'list'}
      onChange={(next) => setBoard(next === 'board')}
      aria-label={say(words.show)}
      options={[
        { value: 'board', label: say(words.board) },
        { value: 'list', label: say(words.list) },
      ]}
    />
  )
  if (!isBoard)
    return (
      <ResourcePage
        resource={resource}
        page={{
          intro,
          cells,
          beside,
          tame: (deeds, row) => (isClosed(row) ? deeds.filter(({ key }) => key !== 'edit') : deeds),
          head: () => <div className="kit-tabs">{tabs}</div>,
        }}
      />
    )
  return (
    <Board
      resource={resource}
      dict={dict}
      intro={intro}
      columns={columns}
      card={card}
      beside={beside}
      isClosed={isClosed}
      cells={cells}
      tabs={tabs}
    />
  )
}

function Board({ resource, dict, intro, columns, card, beside, isClosed, cells, tabs }: Props & { tabs: ReactNode }) {
  const say = useSay()
  const may = useMay(resource)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const detail = new URLSearchParams(search).get('detail') ?? undefined
  const [asked, setAsked] = useState<Asked>()
  const [editing, setEditing] = useState<{ id?: string }>()
  const [dragged, setDragged] = useState<Row>()
  const { run } = useActionRunner(resource)
  const open = (id?: string) => void navigate({ pathname, search: id ? `?detail=${id}` : '' }, { replace: true })
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => action.on === 'row' && may.act(name),
  )
  const act = (name: string, row: Row) => {
    const action = resource.actions[name] as Action
    if (action.confirm || action.danger || Object.keys(action.input ?? {}).length)
      return setAsked({ name, action, rows: [row] })
    void run(() => callAction(resource, name, action, { id: String(row.id) })).catch(() => {})
  }
  const canMove = (row: Row | undefined, by: string | undefined) =>
    !!row && !!by && may.act(by) && meets(row, (resource.actions[by] as Action).enabled)
  const deedsOf = (row: Row): Deed[] => [
    ...actions.map(([name, action]): Deed => ({
      key: name,
      label: action.label,
      icon: action.icon,
      danger: action.danger,
      disabled: !meets(row, action.enabled),
      run: () => act(name, row),
    })),
    ...(may.edit && !isClosed(row)
      ? [{ key: 'edit', label: kit.edit, icon: 'edit', run: () => setEditing({ id: String(row.id) }) }]
      : []),
  ]
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{say(resource.label)}</h1>
        <p>{say(intro)}</p>
      </header>
      <div className="board-bar">
        {may.add && (
          <Button type="primary" icon={<Icon name="plus" />} onClick={() => setEditing({})}>
            {say(kit.add)}
          </Button>
        )}
        <span className="kit-grow" />
        {tabs}
      </div>
      <div className="board">
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            resource={resource}
            dict={dict}
            column={column}
            card={card}
            onOpen={open}
            onDrag={setDragged}
            isTarget={canMove(dragged, column.by) && Number(dragged?.status) !== column.status}
            onDrop={() => dragged && column.by && act(column.by, dragged)}
            mayStep={(row) => canMove(row, column.step)}
            onAct={act}
          />
        ))}
      </div>
      <Suspense>
        {detail && (
          <DetailDrawer
            resource={resource}
            id={detail}
            onClose={() => open()}
            cells={cells}
            beside={beside}
            actions={(row, wide) => <RowButtons wide={wide} deeds={deedsOf(row).filter(({ disabled }) => !disabled)} />}
          />
        )}
        {editing && <EditDialog resource={resource} {...editing} onClose={() => setEditing(undefined)} />}
        {asked && <ActionDialog resource={resource} asked={asked} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </div>
  )
}

type ColumnProps = Pick<Props, 'resource' | 'dict' | 'card'> & {
  column: Column
  onOpen: (id: string) => void
  onDrag: (row: Row | undefined) => void
  isTarget: boolean
  onDrop: () => void
  mayStep: (row: Row) => boolean
  onAct: (name: string, row: Row) => void
}

function BoardColumn({ resource, dict, column, card, onOpen, onDrag, isTarget, onDrop, mayStep, onAct }: ColumnProps) {
  const say = useSay()
  const { choices } = useDictionary(dict)
  const { rows, total, isPending } = useList(resource, {
    inAddress: false,
    fixed: { status: String(column.status), ...column.sort, size: SHOWN },
  })
  const [isOver, setOver] = useState(false)
  const entry = choices.find(({ key }) => key === String(column.status))
  return (
    <section
      className="board-column"
      data-target={isTarget}
      data-over={isTarget && isOver}
      aria-label={entry?.label}
      onDragOver={(event) => {
        if (isTarget) {
          event.preventDefault()
          setOver(true)
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrop()
      }}
    >
      <h2>
        {entry?.label}
        <span className="kit-quiet">{total}</span>
      </h2>
      {!isPending && !rows.length && <p className="kit-quiet">{say(words.empty)}</p>}
      <ul>
        {rows.map((row) => (
          <li key={String(row.id)} draggable onDragStart={() => onDrag(row)} onDragEnd={() => onDrag(undefined)}>
            <button type="button" className="board-card" onClick={() => onOpen(String(row.id))}>
              {card(row)}
            </button>
            {column.step && mayStep(row) && (
              <Button size="small" onClick={() => onAct(column.step!, row)}>
                {say((resource.actions[column.step] as Action).label)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {total > rows.length && <p className="kit-quiet">{say(words.more, { count: total - rows.length })}</p>}
    </section>
  )
}
