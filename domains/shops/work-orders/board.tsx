import { Button, Segmented } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { WireRowOrUntyped } from '#kit/web/row/form-values.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { lazyGenericComponent } from '#kit/web/base/lazy-of.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { usePrintRowsActions } from '#kit/web/list/print-rows.ts'
import { RowButtons, type RowAction } from '#kit/web/list/row-buttons.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { BoardColumn } from './board-column.tsx'
import { useBoardMoves, type BoardMoves } from './use-moves.ts'
import './operations.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const DetailDrawer = lazyGenericComponent(() => import('#kit/web/detail/detail-drawer.tsx'))
const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))

const words = {
  board: { zh: '看板', en: 'Board' },
  list: { zh: '列表', en: 'List' },
  show: { zh: '显示', en: 'Show' },
}

export type BoardColumnDefinition = {
  status: number
  /** Action that moves a row here from the previous column. */ by?: string
  /** Action offered on the cards of this column. */ step?: string
  sort: Record<string, string>
}

export type BoardDefinition<R extends Resource<any, any>> = {
  resource: R
  dict: string
  intro: LocalizedText
  columns: readonly BoardColumnDefinition[]
  card: (row: WireRowOrUntyped<R>) => ReactNode
  beside: (row: WireRowOrUntyped<R>) => ReactNode
  /** Whether a row has ended and is read-only. */
  isClosed: (row: WireRowOrUntyped<R>) => boolean
}

/** Page with rows as columns by state, moved by drag or button; or as a list. */
export function BoardPage<R extends Resource<any, any>>(board: BoardDefinition<R>) {
  const { resource, intro, beside, isClosed } = board
  const t = useLocalize()
  const { search } = useLocation()
  const asksFor = new URLSearchParams(search)
  const [isBoard, setBoard] = useState(() => [...asksFor.keys()].every((key) => key === 'detail'))
  const tabs = (
    <Segmented
      value={isBoard ? 'board' : 'list'}
      onChange={(next) => setBoard(next === 'board')}
      aria-label={t(words.show)}
      options={[
        { value: 'board', label: t(words.board) },
        { value: 'list', label: t(words.list) },
      ]}
    />
  )
  if (!isBoard)
    return (
      <ResourcePage
        resource={resource}
        page={{
          intro,
          beside,
          transformActions: (rowActions, row) =>
            isClosed(row) ? rowActions.filter(({ key }) => key !== 'edit') : rowActions,
          head: () => <div className="kit-tabs">{tabs}</div>,
        }}
      />
    )
  return <Board board={board} tabs={tabs} />
}

function Board<R extends Resource<any, any>>({ board, tabs }: { board: BoardDefinition<R>; tabs: ReactNode }) {
  const { resource, intro, columns } = board
  const t = useLocalize()
  const may = useResourcePermissions(resource)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const detail = new URLSearchParams(search).get('detail') ?? undefined
  const [editing, setEditing] = useState<{ id?: string }>()
  const moves = useBoardMoves(resource)
  const open = (id?: string) => void navigate({ pathname, search: id ? `?detail=${id}` : '' }, { replace: true })
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(resource.label)}</h1>
        <p>{t(intro)}</p>
      </header>
      <div className="board-bar">
        {may.add && (
          <Button type="primary" icon={<Icon name="plus" />} onClick={() => setEditing({})}>
            {t(kit.add)}
          </Button>
        )}
        <span className="kit-grow" />
        {tabs}
      </div>
      <div className="board">
        {columns.map((column) => (
          <BoardColumn key={column.status} board={board} column={column} moves={moves} onOpen={open} />
        ))}
      </div>
      <Suspense>
        {detail && (
          <Opened board={board} id={detail} moves={moves} onEdit={(id) => setEditing({ id })} onClose={() => open()} />
        )}
        {editing && <EditDialog resource={resource} {...editing} onClose={() => setEditing(undefined)} />}
        {moves.asked && <ActionDialog resource={resource} asked={moves.asked} onClose={moves.settle} />}
      </Suspense>
    </div>
  )
}

type OpenedProps<R extends Resource<any, any>> = {
  board: BoardDefinition<R>
  id: string
  moves: BoardMoves<R>
  onEdit: (id: string) => void
  onClose: () => void
}

function Opened<R extends Resource<any, any>>({ board, id, moves, onEdit, onClose }: OpenedProps<R>) {
  const { resource, beside, isClosed } = board
  const may = useResourcePermissions(resource)
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => action.on === 'row' && may.act(name),
  )
  const printing = usePrintRowsActions(resource)
  const actionsOf = (row: WireRowOrUntyped<R>): RowAction[] => [
    ...actions
      .filter(([, action]) => meetsCondition(row, action.enabled))
      .map(([name, action]): RowAction => ({
        key: name,
        label: action.label,
        icon: action.icon,
        danger: action.danger,
        run: () => moves.act(name, row),
      })),
    ...(may.edit && !isClosed(row)
      ? [{ key: 'edit', label: kit.edit, icon: 'edit' as const, run: () => onEdit(String(row.id)) }]
      : []),
    ...printing([row]),
  ]
  return (
    <DetailDrawer
      resource={resource}
      id={id}
      onClose={onClose}
      beside={beside}
      actions={(row, wide) => <RowButtons wide={wide} rowActions={actionsOf(row)} />}
    />
  )
}
