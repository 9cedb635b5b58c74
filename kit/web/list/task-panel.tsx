import { Button, Progress } from 'antd'
import { post } from '../http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize, type Localize } from '../language.tsx'
import { words } from '../page-words.ts'
import { fetchTaskFile, isUnderWay, saidOfResult, shareOf, taskWords, type Task } from './tasks.ts'
import '../parts/parts.css'

type Props = { tasks: Task[]; again: () => void; onLook: (task: Task) => void }

const ICONS = {
  waiting: 'hourglass',
  running: 'loading',
  applying: 'loading',
  checked: 'question-circle',
  done: 'check-circle',
  failed: 'close-circle',
} as const

/** The user's exports and imports: how far they are, what they made, what went wrong. */
export default function TaskPanel({ tasks, again, onLook }: Props) {
  const t = useLocalize()
  return (
    <div className="kit-tasks">
      <header>
        <b>{t(taskWords.title)}</b>
        <span className="kit-quiet">{t(taskWords.kept)}</span>
      </header>
      {!tasks.length && <p className="kit-quiet">{t(taskWords.none)}</p>}
      <ul>
        {tasks.map((task) => (
          <li key={task.id} data-state={task.state}>
            <Icon
              name={ICONS[task.state]}
              className={isUnderWay(task) && task.state !== 'waiting' ? 'kit-spin' : undefined}
            />
            <TaskState task={task} />
            <TaskActions task={task} again={again} onLook={onLook} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function TaskState({ task }: { task: Task }) {
  const t = useLocalize()
  const share = isUnderWay(task) ? shareOf(task) : undefined
  const state = stateOf(task, t)
  return (
    <div>
      <span className="kit-tasks-name">
        {t(taskWords[task.kind], task)}
        {task.name && <small className="kit-quiet">{task.name}</small>}
      </span>
      {share !== undefined && <Progress percent={share} size="small" showInfo={false} aria-label={state} />}
      <small className={task.state === 'failed' ? 'kit-tasks-problem' : 'kit-quiet'}>{state}</small>
    </div>
  )
}

function TaskActions({ task, again, onLook }: Pick<Props, 'again' | 'onLook'> & { task: Task }) {
  const t = useLocalize()
  const told = (work: Promise<unknown>) => void work.then(again).catch(() => {})
  const drop = t(isUnderWay(task) ? taskWords.cancel : taskWords.drop)
  return (
    <span className="kit-tasks-actions">
      {task.kind !== 'import' && task.state === 'done' && (
        <Button size="small" type="link" onClick={() => void fetchTaskFile(task.id).catch(() => {})}>
          {t(taskWords.fetch)}
        </Button>
      )}
      {task.kind === 'import' && (
        <Button size="small" type="link" onClick={() => onLook(task)}>
          {t(taskWords.look)}
        </Button>
      )}
      {task.state === 'failed' && task.again && (
        <Button size="small" type="link" onClick={() => told(post(`/api/kit/tasks/${task.id}/retry`))}>
          {t(words.retry)}
        </Button>
      )}
      <button
        type="button"
        className="kit-tool"
        aria-label={drop}
        data-tip={drop}
        onClick={() => told(post(`/api/kit/tasks/${task.id}/remove`))}
      >
        <Icon name="close" />
      </button>
    </span>
  )
}

function stateOf(task: Task, t: Localize): string {
  const { kind, state, result, done, total } = task
  const count = (n: number | undefined) => (n ?? 0).toLocaleString('en-US')
  if (state === 'failed') return task.problem
  if (state === 'checked') return t(taskWords.checked)
  if (state === 'done')
    return kind !== 'import' ? t(taskWords.rows, { rows: count(result.rows) }) : saidOfResult(t, result)
  if (state === 'waiting') return t(taskWords.waiting)
  if (kind === 'import')
    return state === 'applying'
      ? t(taskWords.applying, { done: count(done), total: count(total) })
      : t(taskWords.checking, { done: count(done) })
  return total >= 0 ? t(taskWords.writing, { done: count(done), total: count(total) }) : t(taskWords.running)
}
