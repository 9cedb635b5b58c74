import { useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useTab } from '#kit/web/base/tab.ts'
import { processFormToFields } from './forms.ts'
import type { TaskForDecision } from './process-data.ts'
import { words } from './work-words.ts'

const MoreActs = lazy(() => import('./more-acts.tsx'))

type Props = {
  task: TaskForDecision | undefined
  processInstanceId: string
  isOver: boolean
  /** True for a change request, which is executed after the decision: its page shows the result. */
  isChange?: boolean
  again: () => Promise<unknown>
}

/**
 * Form of the decision or advice a task asks of the user; the user claims the task by deciding. Otherwise says why not.
 */
export function TaskDecisionForm(props: Props) {
  const { task, isOver } = props
  const t = useLocalize()
  if (!task || isOver) return <p className="work-card kit-quiet">{t(words.gone)}</p>
  if (!task.isMine && !task.mayClaim) return <p className="work-card kit-quiet">{t(words.notMine)}</p>
  return <Verdict {...props} task={task} />
}

const claim = ({ taskId }: TaskForDecision) => apiPost('/api/blade-flow/work/claim-task', { query: { taskId } })

/** Button that claims a task, to decide later. */
function Claim({ task, again }: { task: TaskForDecision; again: () => Promise<unknown> }) {
  const t = useLocalize()
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    await claim(task).catch(() => {})
    await again()
    setBusy(false)
  }
  return (
    <Button size="large" loading={isBusy} onClick={() => void take()}>
      {t(words.doClaim)}
    </Button>
  )
}

type VerdictProps = Props & { task: TaskForDecision }

/** State and actions of a decision. Only the flag says what was decided, not the comment. A refusal needs a comment. */
function useVerdict({ task, processInstanceId, isChange, again }: VerdictProps) {
  const t = useLocalize()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { close } = useTab()
  const [comment, setComment] = useState('')
  const [isBusy, setBusy] = useState(false)
  const form = useForm({ fields: processFormToFields(task.form), mode: 'add' })
  const decide = async (isAgreed: boolean) => {
    if (isAgreed && task.form && !form.check()) return
    setBusy(true)
    try {
      const flag = isAgreed ? 'ok' : 'no'
      const decisionComment = comment.trim() || t(isAgreed ? words.agree : words.reject)
      const variables = task.form && isAgreed ? form.payload() : undefined
      const body = {
        taskId: task.taskId,
        processInstanceId,
        comment: decisionComment,
        flag,
        ...(variables && { variables }),
      }
      await form.hold(async () => {
        // Deciding on a task open to several people claims it first.
        if (task.mayClaim) await claim(task)
        await apiPost('/api/blade-flow/work/complete-task', { body })
      })
      toast.success(t(words.decided))
      // The list in another tab would still show the task.
      void client.invalidateQueries({ queryKey: ['work'] })
      close()
      void navigate(
        isChange && isAgreed
          ? `/work/process/detail/${processInstanceId}`
          : task.mayClaim
            ? '/work/claim'
            : '/work/todo',
      )
    } catch {
      // The client shows a toast; the user's input stays.
      await again()
    }
    setBusy(false)
  }
  return { comment, setComment, isBusy, form, decide }
}

function Verdict(props: VerdictProps) {
  const { task } = props
  const t = useLocalize()
  const { comment, setComment, isBusy, form, decide } = useVerdict(props)
  const isMute = !comment.trim()

  return (
    <div className="work-card work-decide">
      {task.isLent && <p>{t(words.lentNote, { name: task.owner })}</p>}
      {!task.isLent && task.owner && <p className="kit-quiet">{t(words.standsFor, { name: task.owner })}</p>}
      {task.form && <EditForm form={form} />}
      <label htmlFor="work-comment">{t(words.comment)}</label>
      <Input.TextArea
        id="work-comment"
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={500}
        readOnly={isBusy}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        aria-describedby={isMute ? 'work-mute' : undefined}
      />
      {isMute && (
        <div id="work-mute" className="kit-help">
          {t(task.isLent ? words.sayWord : words.sayWhy)}
        </div>
      )}
      <div className="work-acts work-thumbs">
        {task.mayClaim ? (
          <Claim task={task} again={props.again} />
        ) : (
          <Suspense>
            <MoreActs {...props} />
          </Suspense>
        )}
        {!task.isLent && (
          <Button danger size="large" disabled={isMute} loading={isBusy} onClick={() => void decide(false)}>
            {t(words.reject)}
          </Button>
        )}
        <Button
          type="primary"
          size="large"
          disabled={task.isLent && isMute}
          loading={isBusy}
          onClick={() => void decide(true)}
        >
          {t(task.isLent ? words.word : words.agree)}
        </Button>
      </div>
    </div>
  )
}
