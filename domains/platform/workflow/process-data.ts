import { useQuery } from '@tanstack/react-query'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import type { ProcessForm } from './forms.ts'
import { processTasksTopic } from './topics.ts'

export type TaskActionRecord = {
  name: string
  act: string
  userName: string
  peopleNames: string[]
  comment: string
  createTime: string
}
export type ChangeRequestRow = {
  family: string
  title: string
  what: 'add' | 'remove' | 'edit' | 'same'
  fields: Fields
  hidden: string[]
  was: Record<string, unknown>
  now: Record<string, unknown>
}
export type ChangeRequest = {
  act: string
  state: number
  /** Rows that changed since the request: their values then and now. */
  moved: ChangeRequestRow[]
  isOtherwise: boolean
  expireTime: string
  outcome: string
  count: number
  rows: ChangeRequestRow[]
  args?: { label: string; text: string }[]
}
export type TaskForDecision = {
  taskId: string
  name: string
  isMine: boolean
  mayClaim: boolean
  isLent: boolean
  owner: string
  isCountersign: boolean
  form?: ProcessForm
  returns: { node: string; name: string }[]
  added: { taskId: string; name: string }[]
}
export type ProcessDetail = {
  processInstanceId: string
  name: string
  categoryName: string
  version: number
  starter: string
  startTime: string
  endTime: string
  outcome: number
  suspensionState: number
  isStarter: boolean
  forms: { form: ProcessForm; values: Record<string, unknown> }[]
  names: Record<string, string>
  task?: TaskForDecision
  acts: TaskActionRecord[]
  change?: ChangeRequest
}
export type ProcessHistoryStep = {
  historyActivityId: string
  historyActivityName: string
  historyActivityType: string
  historyActivityDurationTime: string
  assigneeName: string
  createTime: string
  endTime: string
  comment: string
  pass: boolean
}

/** Loads an instance with its history and the user's task; reloads at every step. */
export function useProcessDetail(processInstanceId: string, taskId?: string) {
  const lang = useLanguage()
  const data = useQuery({
    queryKey: ['flow-process', processInstanceId, taskId ?? '', lang],
    queryFn: ({ signal }) =>
      apiGet<ProcessDetail>('/api/blade-flow/work/detail', { processInstanceId, taskId }, { quiet: true, signal }),
  })
  const history = useQuery({
    queryKey: ['flow-history', processInstanceId, lang],
    queryFn: ({ signal }) =>
      apiGet<ProcessHistoryStep[]>(
        '/api/blade-flow/process/history-flow-list',
        { processInstanceId },
        { quiet: true, signal },
      ),
  })
  const again = () => Promise.all([data.refetch(), history.refetch()])
  useLiveEvents(processTasksTopic, (change) => {
    if (change.instanceId === processInstanceId) void again()
  })
  return { data, history, error: data.error ?? history.error, again }
}
