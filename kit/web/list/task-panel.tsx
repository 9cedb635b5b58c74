import { Button, Progress } from 'antd'
import { apiPost } from '../http/http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize, type LocalizeFunction } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import {
  downloadTaskFile,
  isTaskInProgress,
  importResultText,
  taskProgressPercent,
  backgroundTaskWords,
  type BackgroundTaskWire,
} from './tasks.ts'
import '../parts/parts.css'

type Props = { tasks: BackgroundTaskWire[]; again: () => void; onLook: (task: BackgroundTaskWire) => void }

const ICONS = {
  waiting: 'hourglass',
  running: 'loading',
  applying: 'loading',
  checked: 'question-circle',
  done: 'check-circle',
  failed: 'close-circle',
} as const

/** List of the user's exports and imports with progress, resulting files and errors. */
export default function BackgroundTasksPanel({ tasks, again, onLook }: Props) {
  const t = useLocalize()
  return (
    <div className="kit-tasks">
      <header>
        <b>{t(backgroundTaskWords.title)}</b>
        <span className="kit-quiet">{t(backgroundTaskWords.kept)}</span>
      </header>
      {!tasks.length && <p className="kit-quiet">{t(backgroundTaskWords.none)}</p>}
      <ul>
        {tasks.map((task) => (
          <li key={task.id} data-state={task.state}>
            <Icon
              name={ICONS[task.state]}
              className={isTaskInProgress(task) && task.state !== 'waiting' ? 'kit-spin' : undefined}
            />
            <TaskState task={task} />
            <TaskActions task={task} again={again} onLook={onLook} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function TaskState({ task }: { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const share = isTaskInProgress(task) ? taskProgressPercent(task) : undefined
  const state = stateOf(task, t)
  return (
    <div>
      <span className="kit-tasks-name">
        {t(backgroundTaskWords[task.kind], task)}
        {task.name && <small className="kit-quiet">{task.name}</small>}
      </span>
      {share !== undefined && <Progress percent={share} size="small" showInfo={false} aria-label={state} />}
      <small className={task.state === 'failed' ? 'kit-tasks-problem' : 'kit-quiet'}>{state}</small>
    </div>
  )
}

function TaskActions({ task, again, onLook }: Pick<Props, 'again' | 'onLook'> & { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const refreshAfter = (work: Promise<unknown>) => void work.then(again).catch(() => {})
  const drop = t(isTaskInProgress(task) ? backgroundTaskWords.cancel : backgroundTaskWords.drop)
  return (
    <span className="kit-tasks-actions">
      {task.kind !== 'import' && task.state === 'done' && (
        <Button size="small" type="link" onClick={() => void downloadTaskFile(task.id).catch(() => {})}>
          {t(backgroundTaskWords.fetch)}
        </Button>
      )}
      {task.kind === 'import' && (
        <Button size="small" type="link" onClick={() => onLook(task)}>
          {t(backgroundTaskWords.look)}
        </Button>
      )}
      {task.state === 'failed' && task.again && (
        <Button size="small" type="link" onClick={() => refreshAfter(apiPost(`/api/kit/tasks/${task.id}/retry`))}>
          {t(words.retry)}
        </Button>
      )}
      <button
        type="button"
        className="kit-tool"
        aria-label={drop}
        data-tip={drop}
        onClick={() => refreshAfter(apiPost(`/api/kit/tasks/${task.id}/remove`))}
      >
        <Icon name="close" />
      </button>
    </span>
  )
}

function stateOf(task: BackgroundTaskWire, t: LocalizeFunction): string {
  const { kind, state, result, done, total } = task
  const count = (n: number | undefined) => (n ?? 0).toLocaleString('en-US')
  if (state === 'failed') return task.problem
  if (state === 'checked') return t(backgroundTaskWords.checked)
  if (state === 'done')
    return kind !== 'import' ? t(backgroundTaskWords.rows, { rows: count(result.rows) }) : importResultText(t, result)
  if (state === 'waiting') return t(backgroundTaskWords.waiting)
  if (kind === 'import')
    return state === 'applying'
      ? t(backgroundTaskWords.applying, { done: count(done), total: count(total) })
      : t(backgroundTaskWords.checking, { done: count(done) })
  return total >= 0
    ? t(backgroundTaskWords.writing, { done: count(done), total: count(total) })
    : t(backgroundTaskWords.running)
}
