import { useQuery } from '@tanstack/react-query'
import { Descriptions, Skeleton } from 'antd'
import { useParams } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { TaskDecisionForm } from './decide.tsx'
import { ProcessActions } from './process.page.tsx'
import { useProcessDetail } from './process-data.ts'
import { ProcessHistory } from './process-history.tsx'
import { words } from './work-words.ts'
import './workflow.css'

type Leave = {
  id: string
  startTime: string
  endTime: string
  reason: string
  taskUserName: string
  applyTime: string
  flow: { assigneeName: string }
}

/**
 * Shows a leave request and its progress, at /work/process/leave/detail/{processInstanceId}/{businessId}. At
 * /handle/{taskId}/… its approver decides.
 */
export default function LeavePage() {
  const { taskId, processInstanceId = '', businessId = '' } = useParams()
  const t = useLocalize()
  const leave = useQuery({
    queryKey: ['leave', businessId],
    queryFn: ({ signal }) =>
      apiGet<Leave>('/api/blade-desk/process/leave/detail', { businessId }, { quiet: true, signal }),
  })

  const title = leave.data ? t(words.leaveOf, { name: leave.data.flow.assigneeName }) : t(words.leave)
  useTabTitle(title)
  const { data, history, error: failed, again } = useProcessDetail(processInstanceId, taskId)
  const error = leave.error ?? failed
  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={() => void leave.refetch()} />
  if (!leave.data || !history.data || !data.data) return <Skeleton active paragraph={{ rows: 8 }} />

  const { startTime, endTime, reason, taskUserName, applyTime } = leave.data
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{title}</h1>
      </header>
      <div className="work-card">
        <Descriptions
          column={{ xs: 1, md: 2 }}
          items={[
            { key: 'from', label: t(words.from), children: startTime },
            { key: 'until', label: t(words.until), children: endTime },
            { key: 'approver', label: t(words.approver), children: taskUserName },
            { key: 'applyTime', label: t(words.applyTime), children: applyTime },
            { key: 'reason', label: t(words.reason), children: reason, span: 'filled' },
          ]}
        />
      </div>
      {taskId ? (
        <TaskDecisionForm
          task={data.data.task}
          processInstanceId={processInstanceId}
          isOver={!!data.data.endTime}
          again={again}
        />
      ) : (
        <ProcessActions process={data.data} again={again} />
      )}
      <ProcessHistory steps={history.data} acts={data.data.acts} processInstanceId={processInstanceId} />
    </div>
  )
}
