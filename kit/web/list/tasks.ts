import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BACKGROUND_TASKS_LABEL, type LocalizedText } from '#kit/base/localized-text.ts'
import { apiGet, apiPost } from '../http/http.ts'
import { useLanguage, type LocalizeFunction } from '../base/language.tsx'
import { useLiveEvents, useLiveRefetch } from '../live/live.ts'
import { backgroundTaskTopic } from '../../resource/kit-topics.ts'

/** Counts of an import: rows by what happens to them, and cells that change. */
type Counts = {
  new?: number
  changed?: number
  same?: number
  wrong?: number
  cells?: number
  written?: number
  failed?: number
  held?: number
  rows?: number
  ignored?: string[]
}

/** A background task of this user on the server. */
export type BackgroundTaskWire = {
  id: string
  kind: 'export' | 'import' | 'archive'
  resource: string
  label: string
  name: string
  state: 'waiting' | 'running' | 'checked' | 'applying' | 'done' | 'failed'
  done: number
  total: number
  result: Counts
  problem: string
  again: boolean
  createTime: string
}

const w = (zh: string, en: string): LocalizedText => ({ zh, en })

export const backgroundTaskWords = {
  title: BACKGROUND_TASKS_LABEL,
  none: w('导出和导入的任务会显示在这里', 'Imports and exports appear here'),
  kept: w('任务和文件保留 7 天', 'Tasks and their files are kept for 7 days'),
  export: w('导出 {label}', 'Export {label}'),
  import: w('导入 {label}', 'Import {label}'),
  archive: w('{label}全部数据', 'All data of {label}'),
  waiting: w('排队中', 'Queued'),
  running: w('进行中', 'In progress'),
  checking: w('正在核对，已读 {done} 行', 'Checking, {done} {done|row|rows} read'),
  applying: w('正在写入 {done} / {total}', 'Importing {done} of {total}'),
  writing: w('正在导出 {done} / {total}', 'Exporting {done} of {total}'),
  rows: w('{rows} 行', '{rows} {rows|row|rows}'),
  checked: w('等待确认', 'Awaiting confirmation'),
  taken: w('已写入 {written} 行', '{written} {written|row|rows} imported'),
  missed: w('，{failed} 行未写入', ', {failed} not'),
  waits: w('，{held} 行待审批', ', {held} pending approval'),
  fetch: w('下载', 'Download'),
  look: w('查看', 'View'),
  drop: w('删除任务', 'Delete task'),
  cancel: w('取消任务', 'Cancel task'),
  background: w(
    `正在后台导出，完成后可在右上角“${BACKGROUND_TASKS_LABEL.zh}”下载`,
    `Exporting in the background; fetch it from “${BACKGROUND_TASKS_LABEL.en}” at the top when it is done`,
  ),
  finished: w(
    `{label}已导出，可在“${BACKGROUND_TASKS_LABEL.zh}”下载`,
    `Exported {label}. Download it from “${BACKGROUND_TASKS_LABEL.en}”.`,
  ),
}

/** Returns the sentence about how many rows an import wrote, failed to write and sent for approval. */
export function importResultText(t: LocalizeFunction, result: Counts): string {
  const { written = 0, failed = 0, held = 0 } = result
  const count = (n: number) => n.toLocaleString('en-US')
  return (
    t(backgroundTaskWords.taken, { written: count(written) }) +
    (failed ? t(backgroundTaskWords.missed, { failed: count(failed) }) : '') +
    (held ? t(backgroundTaskWords.waits, { held: count(held) }) : '')
  )
}

export const isTaskInProgress = ({ state }: Pick<BackgroundTaskWire, 'state'>) =>
  state === 'waiting' || state === 'running' || state === 'applying'

/** Returns the progress in percent; undefined while the total is unknown. */
export const taskProgressPercent = ({ done, total }: Pick<BackgroundTaskWire, 'done' | 'total'>) =>
  total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : undefined

/**
 * Downloads the file of a ticket. The browser itself fetches it, so that a large file goes to disk and not through
 * memory.
 */
function fetchByTicket(ticket: string) {
  const link = document.createElement('a')
  link.href = `/api/kit/download/${encodeURIComponent(ticket)}`
  link.download = ''
  link.click()
}

export const downloadTaskFile = async (id: string, what: 'ticket' | 'errors' = 'ticket') =>
  fetchByTicket((await apiPost<{ ticket: string }>(`/api/kit/tasks/${id}/${what}`)).ticket)

const KEY = 'tasks'

/** Returns the user's background tasks, newest first, and refetches them when one changes. */
export function useBackgroundTasks() {
  const language = useLanguage()
  const client = useQueryClient()
  const again = () => void client.invalidateQueries({ queryKey: [KEY] })
  useLiveRefetch(backgroundTaskTopic, again)
  const { data } = useQuery({
    queryKey: [KEY, language],
    queryFn: ({ signal }) => apiGet<BackgroundTaskWire[]>('/api/kit/tasks', undefined, { quiet: true, signal }),
    staleTime: 60_000,
  })
  return { tasks: Array.isArray(data) ? data : [], again }
}

/** Returns one background task, refetched whenever it changes. */
export function useBackgroundTask(id: string | undefined) {
  const language = useLanguage()
  const query = useQuery({
    queryKey: [KEY, language, id],
    queryFn: ({ signal }) => apiGet<BackgroundTaskWire>(`/api/kit/tasks/${id}`, undefined, { quiet: true, signal }),
    enabled: !!id,
  })
  useLiveEvents(
    backgroundTaskTopic,
    (event) => event.id === id && void query.refetch(),
    () => id && void query.refetch(),
  )
  return query
}

const LOOKS = [250, 350, 500, 700, 900, 1200, 1600]

/** Waits a few seconds for a task to end and returns it; undefined if it takes longer. */
export async function waitBrieflyForTaskEnd(id: string): Promise<BackgroundTaskWire | undefined> {
  for (const wait of LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const task = await apiGet<BackgroundTaskWire>(`/api/kit/tasks/${id}`, undefined, { quiet: true })
    if (!isTaskInProgress(task)) return task
  }
  return undefined
}
