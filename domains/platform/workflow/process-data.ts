import { useQuery } from '@tanstack/react-query'
import type { Fields } from '#kit/fields/field-kind.ts'
import { get } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live/live.ts'
import type { FlowForm } from './forms.ts'

export type Act = {
  name: string
  act: string
  userName: string
  peopleNames: string[]
  comment: string
  createTime: string
}
export type ChangedRow = {
  family: string
  title: string
  what: 'add' | 'remove' | 'edit' | 'same'
  fields: Fields
  hidden: string[]
  was: Record<string, unknown>
  now: Record<string, unknown>
}
export type Change = {
  act: string
  state: number
  /** Rows that are no longer as they were seen: how they were then, and are now. */
  moved: ChangedRow[]
  isOtherwise: boolean
  expireTime: string
  outcome: string
  count: number
  rows: ChangedRow[]
  args?: { label: string; text: string }[]
}
export type AskedTask = {
  taskId: string
  name: string
  isMine: boolean
  mayClaim: boolean
  isLent: boolean
  owner: string
  isCountersign: boolean
  form?: FlowForm
  returns: { node: string; name: string }[]
  added: { taskId: string; name: string }[]
}
export type ProcessData = {
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
  forms: { form: FlowForm; values: Record<string, unknown> }[]
  names: Record<string, string>
  task?: AskedTask
  acts: Act[]
  change?: Change
}
export type Step = {
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

/** An instance, what was done with it, and what is asked of who looks; renewed when anybody makes a step. */
export function useProcess(processInstanceId: string, taskId?: string) {
  const lang = useLang()
  const data = useQuery({
    queryKey: ['flow-process', processInstanceId, taskId ?? '', lang],
    queryFn: ({ signal }) =>
      get<ProcessData>('/api/blade-flow/work/detail', { processInstanceId, taskId }, { quiet: true, signal }),
  })
  const history = useQuery({
    queryKey: ['flow-history', processInstanceId, lang],
    queryFn: ({ signal }) =>
      get<Step[]>('/api/blade-flow/process/history-flow-list', { processInstanceId }, { quiet: true, signal }),
  })
  const again = () => Promise.all([data.refetch(), history.refetch()])
  useLive<{ instanceId: string }>('flow.tasks', (told) => {
    if (told.instanceId === processInstanceId) void again()
  })
  return { data, history, error: data.error ?? history.error, again }
}
