import { NAME_SEPARATOR, BACKGROUND_TASKS_LABEL } from '#kit/base/localized-text.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Pagination, Progress, Segmented, Tag } from 'antd'
import { useState } from 'react'
import { ExcelFileDropZone } from '../parts/file-drop.tsx'
import { apiDownload, apiGet, apiPost, apiUpload } from '../http/http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLanguage, useLocalize, type LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { ErrorNote } from '../parts/states.tsx'
import {
  downloadTaskFile,
  isTaskInProgress,
  taskProgressPercent,
  importResultText,
  backgroundTaskWords,
  useBackgroundTask,
  type BackgroundTaskWire,
} from './tasks.ts'
import { useInvalidateResource } from '../row/use-detail.ts'
import '../parts/parts.css'

const w = (zh: string, en: string): LocalizedText => ({ zh, en })
const own = {
  title: w('导入{label}', 'Import {label}'),
  template: w('下载模板', 'Download template'),
  hint: w(
    '也可以先导出列表，修改后再导入；有编号的行会更新原数据，没有编号的行按唯一字段匹配，其余新增。',
    'You can also export the list, edit it and import it again. Rows with an ID update that record, ' +
      'other rows are matched by unique fields, the rest are added.',
  ),
  go: w('上传并核对', 'Upload and check'),
  wrongType: w('请选择 .xlsx 文件', 'Select an .xlsx file'),
  write: w('写入 {count} 行', 'Import ({count})'),
  nothing: w('没有需要写入的内容', 'There is nothing to import'),
  errors: w('下载错误行', 'Download failed rows'),
  other: w('换一个文件', 'Choose another file'),
  new: w('新增', 'New'),
  changed: w('修改', 'Changed'),
  same: w('相同', 'Same'),
  wrong: w('有误', 'Error'),
  failed: w('未写入', 'Not imported'),
  held: w('待审批', 'Pending approval'),
  added: w('已新增', 'Added'),
  saved: w('已修改', 'Saved'),
  all: w('全部', 'All'),
  cells: w('{cells} 处', '{cells} {cells|cell|cells}'),
  ignored: w('这些列不能导入，已忽略：{columns}', 'These columns cannot be imported and are skipped: {columns}'),
  skipped: w(
    '有误的行不会写入；下载后改好再导入即可。',
    'Rows with errors are skipped. Download them, correct them and import them again.',
  ),
  line: w('第 {line} 行', 'Row {line}'),
  empty: w('（空）', '(empty)'),
  background: w(
    `可以关闭窗口，完成后在“${BACKGROUND_TASKS_LABEL.zh}”中查看`,
    `You may close this window; find the result under “${BACKGROUND_TASKS_LABEL.en}”`,
  ),
}

type Change = { key: string; label: string; old: string; new: string }
type Line = {
  line: number
  state: 'new' | 'changed' | 'wrong' | 'added' | 'saved' | 'failed' | 'held'
  title: string
  rowId: string
  changes: Change[]
  problems: { key: string; sentence: string }[]
}
type Lines = { records: Line[]; total: number }

const COLOURS: Record<Line['state'], string> = {
  new: 'processing',
  changed: 'warning',
  wrong: 'error',
  added: 'success',
  saved: 'success',
  failed: 'error',
  held: 'warning',
}
const SIZE = 20

type Props = { label: string; path?: string; taskId?: string; onClose: () => void }

/**
 * Dialog that imports a sheet: takes the file, shows what would change line by line, and only then writes. With
 * `taskId` it resumes that import.
 */
export default function SheetImportDialog({ label, path, taskId, onClose }: Props) {
  const t = useLocalize()
  const [id, setId] = useState(taskId)
  return (
    <Modal
      open
      title={t(own.title, { label })}
      width={id ? 880 : 560}
      onCancel={onClose}
      footer={null}
      destroyOnHidden
      className="kit-sheet-import"
    >
      {id ? (
        <Review id={id} onOther={path ? () => setId(undefined) : undefined} onClose={onClose} />
      ) : (
        <Choose path={path!} onTask={setId} onClose={onClose} />
      )}
    </Modal>
  )
}

function Choose({ path, onTask, onClose }: { path: string; onTask: (id: string) => void; onClose: () => void }) {
  const t = useLocalize()
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState('')
  const take = (next: File | undefined) => {
    setProblem(next && !/\.xlsx$/i.test(next.name) ? t(own.wrongType) : '')
    if (next && /\.xlsx$/i.test(next.name)) setFile(next)
  }
  const go = async () => {
    setShare(0)
    try {
      onTask((await apiUpload<{ id: string }>(`${path}/import`, file!, { quiet: true, onProgress: setShare })).id)
    } catch (reason) {
      setProblem((reason as Error).message)
      setShare(undefined)
    }
  }
  return (
    <div className="kit-import">
      <p className="kit-quiet">{t(own.hint)}</p>
      <div>
        <Button
          icon={<Icon name="download" />}
          onClick={() => void apiDownload(`${path}/import-template`).catch(() => {})}
        >
          {t(own.template)}
        </Button>
      </div>
      <ExcelFileDropZone file={file} share={share} onFile={take} />
      {problem && <Alert type="error" showIcon title={problem} />}
      <div className="kit-import-foot">
        <Button onClick={onClose}>{t(words.cancel)}</Button>
        <Button type="primary" disabled={!file} loading={share !== undefined} onClick={() => void go()}>
          {t(own.go)}
        </Button>
      </div>
    </div>
  )
}

type ReviewProps = { id: string; onOther?: () => void; onClose: () => void }

function Review({ id, onOther, onClose }: ReviewProps) {
  const t = useLocalize()
  const { data: task, error, refetch } = useBackgroundTask(id)
  if (error) return <ErrorNote title={t(words.failedDetail)} error={error} retry={() => void refetch()} />
  if (!task)
    return (
      <div className="kit-import-wait">
        <Icon name="loading" className="kit-spin" />
      </div>
    )
  return (
    <div className="kit-import">
      {task.name && (
        <p className="kit-quiet kit-import-name">
          <Icon name="file-excel" /> {task.name}
        </p>
      )}
      {isTaskInProgress(task) && <ImportProgress task={task} />}
      {task.state === 'failed' && <Alert type="error" showIcon title={task.problem} />}
      {task.state === 'done' && <Written task={task} />}
      {isCompared(task) && <Compared task={task} />}
      <ReviewFoot task={task} refetch={refetch} onOther={onOther} onClose={onClose} />
    </div>
  )
}

const isCompared = ({ state }: BackgroundTaskWire) => state === 'checked' || state === 'done'
const openIn = ({ result }: BackgroundTaskWire) => (result.new ?? 0) + (result.changed ?? 0)
const faultsIn = ({ result }: BackgroundTaskWire) => (result.wrong ?? 0) + (result.failed ?? 0)

function Written({ task: { result } }: { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const isWhole = !result.failed && !result.held
  return <Alert type={isWhole ? 'success' : 'warning'} showIcon title={importResultText(t, result)} />
}

function Compared({ task }: { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const { ignored = [] } = task.result
  const [open, faults] = [openIn(task), faultsIn(task)]
  return (
    <>
      <Sums task={task} />
      {ignored.length > 0 && (
        <Alert type="info" showIcon title={t(own.ignored, { columns: ignored.join(t(NAME_SEPARATOR)) })} />
      )}
      {task.state !== 'done' && faults > 0 && open > 0 && <p className="kit-quiet">{t(own.skipped)}</p>}
      {open + faults > 0 && <LinesOf task={task} />}
    </>
  )
}

type FootProps = Omit<ReviewProps, 'id'> & { task: BackgroundTaskWire; refetch: () => Promise<unknown> }

function ReviewFoot({ task, refetch, onOther, onClose }: FootProps) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [isWriting, setWriting] = useState(false)
  const { id } = task
  const isDone = task.state === 'done'
  const write = async () => {
    setWriting(true)
    await apiPost(`/api/kit/tasks/${id}/apply`).catch(() => {})
    await refetch()
    setWriting(false)
  }
  const again = () =>
    void apiPost(`/api/kit/tasks/${id}/retry`).then(
      () => refetch(),
      () => {},
    )
  const close = () => {
    if (isDone) void renew({ name: task.resource })
    onClose()
  }

  return (
    <div className="kit-import-foot">
      {faultsIn(task) > 0 && isCompared(task) && (
        <Button icon={<Icon name="download" />} onClick={() => void downloadTaskFile(id, 'errors').catch(() => {})}>
          {t(own.errors)}
        </Button>
      )}
      <span className="kit-grow" />
      {onOther && !isTaskInProgress(task) && <Button onClick={onOther}>{t(own.other)}</Button>}
      {task.state === 'failed' && task.again && (
        <Button type="primary" onClick={again}>
          {t(words.retry)}
        </Button>
      )}
      {task.state === 'checked' && openIn(task) > 0 ? (
        <Button type="primary" loading={isWriting} onClick={() => void write()}>
          {t(own.write, { count: openIn(task) })}
        </Button>
      ) : (
        <Button type={isDone ? 'primary' : 'default'} onClick={close}>
          {t(words.close)}
        </Button>
      )}
    </div>
  )
}

function ImportProgress({ task }: { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const share = taskProgressPercent(task)
  const text =
    task.state === 'waiting'
      ? t(backgroundTaskWords.waiting)
      : task.state === 'applying'
        ? t(backgroundTaskWords.applying, task)
        : t(backgroundTaskWords.checking, { done: task.done })
  return (
    <div className="kit-import-wait" role="status">
      {share === undefined ? (
        <Icon name="loading" className="kit-spin" />
      ) : (
        <Progress percent={share} aria-label={text} />
      )}
      <span>{text}</span>
      <span className="kit-quiet">{t(own.background)}</span>
    </div>
  )
}

function Sums({ task: { result, state } }: { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const sums = [
    { key: 'new', count: result.new },
    { key: 'changed', count: result.changed, more: result.cells ? t(own.cells, { cells: result.cells }) : '' },
    { key: 'same', count: result.same },
    { key: 'wrong', count: result.wrong },
    ...(state === 'done' && result.failed ? [{ key: 'failed', count: result.failed }] : []),
    ...(state === 'done' && result.held ? [{ key: 'held', count: result.held }] : []),
  ] as { key: 'new' | 'changed' | 'same' | 'wrong' | 'failed' | 'held'; count?: number; more?: string }[]
  return (
    <dl className="kit-import-sums">
      {sums.map(({ key, count = 0, more }) => (
        <div key={key} className={count && (key === 'wrong' || key === 'failed') ? 'kit-import-bad' : undefined}>
          <dt>{t(own[key])}</dt>
          <dd>
            {count.toLocaleString('en-US')}
            {more && <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const GROUPS = { all: '', wrong: 'wrong,failed', held: 'held', changed: 'changed,saved', new: 'new,added' }

function LinesOf({ task }: { task: BackgroundTaskWire }) {
  const t = useLocalize()
  const language = useLanguage()
  const [group, setGroup] = useState<keyof typeof GROUPS>('all')
  const [current, setCurrent] = useState(1)
  const { data } = useQuery({
    queryKey: ['task-lines', task.id, task.state, language, group, current],
    queryFn: ({ signal }) =>
      apiGet<Lines>(
        `/api/kit/tasks/${task.id}/rows`,
        { current, size: SIZE, ...(GROUPS[group] && { state: GROUPS[group] }) },
        { quiet: true, signal },
      ),
    placeholderData: keepPreviousData,
  })
  const groups = (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).filter(
    (key) => key === 'all' || (task.result[key] ?? 0) > 0 || (key === 'wrong' && task.result.failed),
  )

  return (
    <section className="kit-import-lines">
      {groups.length > 2 && (
        <Segmented
          value={group}
          onChange={(next) => {
            setGroup(next)
            setCurrent(1)
          }}
          options={groups.map((key) => ({ value: key, label: t(own[key]) }))}
        />
      )}
      <ol>
        {(data?.records ?? []).map((line) => (
          <OneLine key={line.line} line={line} />
        ))}
      </ol>
      {(data?.total ?? 0) > SIZE && (
        <Pagination
          size="small"
          align="end"
          current={current}
          pageSize={SIZE}
          total={data!.total}
          showSizeChanger={false}
          onChange={setCurrent}
        />
      )}
    </section>
  )
}

function OneLine({ line: { line, state, title, rowId, changes, problems } }: { line: Line }) {
  const t = useLocalize()
  return (
    <li>
      <header>
        <span className="kit-quiet">{t(own.line, { line })}</span>
        <b>{title}</b>
        <Tag color={COLOURS[state]}>{t(own[state])}</Tag>
      </header>
      {problems.map(({ sentence }, at) => (
        <p key={at} className="kit-import-problem">
          <Icon name="exclamation-circle" /> {sentence}
        </p>
      ))}
      {rowId !== '' && changes.length > 0 && (
        <ul>
          {changes.map((change) => (
            <li key={change.key}>
              <span className="kit-quiet">{change.label}</span> <del>{change.old || t(own.empty)}</del>{' '}
              <Icon name="arrow-right" /> <ins>{change.new || t(own.empty)}</ins>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
