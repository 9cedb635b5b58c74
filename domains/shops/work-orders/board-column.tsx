import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { BoardDefinition, BoardColumnDefinition } from './board.tsx'
import type { BoardMoves } from './use-moves.ts'
import './operations.css'

const words = {
  empty: { zh: '没有', en: 'None' },
  more: { zh: '还有 {count} 条', en: '{count} more' },
}

const SHOWN = 30

type Props<R extends Resource<any, any>> = {
  board: BoardDefinition<R>
  column: BoardColumnDefinition
  moves: BoardMoves<R>
  onOpen: (id: string) => void
}

/** Column with the rows of one state; rows that may move here can be dropped on it. */
export function BoardColumn<R extends Resource<any, any>>(props: Props<R>) {
  const { column, moves, onOpen } = props
  const { resource, dict, card } = props.board
  const t = useLocalize()
  const { choices } = useDictionary(dict)
  const { rows, total, isPending } = useResourceList(resource, {
    inAddress: false,
    fixed: { status: String(column.status), ...column.sort, size: SHOWN },
  })
  const entry = choices.find(({ key }) => key === String(column.status))
  return (
    <Target column={column} moves={moves} label={entry?.label}>
      <h2>
        {entry?.label}
        <span className="kit-quiet">{total}</span>
      </h2>
      {!isPending && !rows.length && <p className="kit-quiet">{t(words.empty)}</p>}
      <ul>
        {rows.map((row) => (
          <li
            key={String(row.id)}
            draggable
            onDragStart={() => moves.setDragged(row)}
            onDragEnd={() => moves.setDragged(undefined)}
          >
            <button type="button" className="board-card" onClick={() => onOpen(String(row.id))}>
              {card(row)}
            </button>
            {column.step && moves.canMove(row, column.step) && (
              <Button size="small" onClick={() => moves.act(column.step!, row)}>
                {t((resource.actions[column.step] as Action).label)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {total > rows.length && <p className="kit-quiet">{t(words.more, { count: total - rows.length })}</p>}
    </Target>
  )
}

type TargetProps<R extends Resource<any, any>> = Pick<Props<R>, 'column' | 'moves'> & {
  label: string | undefined
  children: ReactNode
}

function Target<R extends Resource<any, any>>({ column, moves, label, children }: TargetProps<R>) {
  const { dragged, canMove, act } = moves
  const [isOver, setOver] = useState(false)
  const isTarget = canMove(dragged, column.by) && Number(dragged?.status) !== column.status
  return (
    <section
      className="board-column"
      data-target={isTarget}
      data-over={isTarget && isOver}
      aria-label={label}
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
        if (dragged && column.by) act(column.by, dragged)
      }}
    >
      {children}
    </section>
  )
}
