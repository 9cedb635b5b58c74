import { Button, Popconfirm, Skeleton, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { ChangeRequestStateTag } from './change-state.tsx'
import { TaskDecisionForm } from './decide.tsx'
import { ProcessSubject } from './process-about.tsx'
import { useProcessDetail, type ProcessDetail } from './process-data.ts'
import { ProcessOutcomeTag, ProcessHistory } from './process-history.tsx'
import { words } from './work-words.ts'
import './workflow.css'

const MoreActs = lazy(() => import('./more-acts.tsx'))

const SUSPENDED = 2

/**
 * Shows a process of any kind, at /work/process/detail/{processInstanceId}. At /handle/{taskId}/… its assignee decides.
 */
export default function ProcessPage() {
  const { taskId, processInstanceId = '' } = useParams()
  const t = useLocalize()
  const { data, history, error, again } = useProcessDetail(processInstanceId, taskId)
  useTabTitle(data.data?.name)
  if (error && !data.data) return <ErrorNote title={t(words.failed)} error={error} retry={() => void again()} />
  if (!data.data || !history.data) return <Skeleton active paragraph={{ rows: 8 }} />
  const process = data.data
  return (
    <div className="kit-page work-process">
      <header className="kit-title">
        <h1>{process.name}</h1>
        <p>
          {process.change ? (
            <ChangeRequestStateTag state={process.change.state} />
          ) : (
            <ProcessOutcomeTag outcome={process.outcome} />
          )}
          {process.suspensionState === SUSPENDED && <Tag color="warning">{t(words.suspended)}</Tag>}
        </p>
      </header>
      <ProcessSubject data={process} />
      {taskId && (
        <TaskDecisionForm
          task={process.task}
          processInstanceId={processInstanceId}
          isOver={!!process.endTime}
          isChange={!!process.change}
          again={again}
        />
      )}
      {!taskId && <ProcessActions process={process} again={again} />}
      <ProcessHistory steps={history.data} acts={process.acts} processInstanceId={processInstanceId} />
    </div>
  )
}

/** Actions on a running process: those of its starter, and sending copies, which everybody who sees it may do. */
export function ProcessActions({ process, again }: { process: ProcessDetail; again: () => Promise<unknown> }) {
  const t = useLocalize()
  const [isBusy, setBusy] = useState(false)
  const { processInstanceId, isStarter, endTime } = process
  const send = async (path: string, done?: string) => {
    setBusy(true)
    try {
      await apiPost(`/api/blade-flow/work/${path}`, { body: { processInstanceId } })
      if (done) toast.success(done)
    } catch {
      // Shown as a toast.
    }
    await again()
    setBusy(false)
  }
  return (
    <div className="work-acts work-own">
      <Suspense>
        <MoreActs processInstanceId={processInstanceId} again={again} />
      </Suspense>
      {isStarter && !endTime && (
        <>
          <Button size="large" loading={isBusy} onClick={() => void send('urge', t(words.urged))}>
            {t(words.urge)}
          </Button>
          <Popconfirm
            title={t(words.withdrawAsk)}
            okText={t(words.withdraw)}
            cancelText={t(words.cancel)}
            onConfirm={() => void send('withdraw')}
          >
            <Button size="large" danger loading={isBusy}>
              {t(words.withdraw)}
            </Button>
          </Popconfirm>
        </>
      )}
    </div>
  )
}
