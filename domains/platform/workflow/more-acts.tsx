import { Button, Dropdown, Modal } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { useUnsavedGuard } from '#kit/web/form/use-unsaved-guard.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useFormSubmit } from '#kit/web/form/use-send.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useTab } from '#kit/web/base/tab.ts'
import { ReturnToStepInput } from './back-to.tsx'
import type { TaskForDecision } from './process-data.ts'
import { words } from './work-words.ts'

type More = {
  key: string
  label: LocalizedText
  note: LocalizedText
  path: string
  fields: Fields
  also?: Record<string, string>
  /** True when the task then belongs to somebody else. */
  isGone?: boolean
}

const comment = f.text({ label: words.note, max: 500 })
const person = f.ref('user', { label: words.person, required: true, onRemoval: 'keep' })
const people = f.refs('user', { label: words.people, required: true, onRemoval: 'keep' })

const COPY: More = {
  key: 'copy',
  label: words.tell,
  note: words.tellNote,
  path: 'copy',
  fields: { userIds: people, comment },
}

const TRANSFER: More = {
  key: 'transfer',
  label: words.transfer,
  note: words.transferNote,
  path: 'transfer-task',
  fields: { userId: person, comment },
  isGone: true,
}
const DELEGATE: More = { ...TRANSFER, key: 'lend', label: words.lend, note: words.lendNote, path: 'delegate-task' }
const BEFORE: More = {
  key: 'before',
  label: words.before,
  note: words.beforeNote,
  path: 'add-sign',
  fields: { userIds: people, comment },
  also: { place: 'before' },
}
const AFTER: More = { ...BEFORE, key: 'after', label: words.after, note: words.afterNote, also: { place: 'after' } }
const SIGNER: More = {
  key: 'signer',
  label: words.addSigner,
  note: words.addSignerNote,
  path: 'add-signer',
  fields: { userId: person, comment },
}
const RETURN: More = {
  key: 'return',
  label: words.returnTo,
  note: words.returnNote,
  path: 'return-task',
  fields: { node: f.text({ label: words.backTo, required: true, max: 200 }), comment },
  isGone: true,
}

/** Returns the actions for a task; one lent for advice can only be handed over or copied. */
const moresOf = (task: TaskForDecision): More[] => [
  TRANSFER,
  ...(task.isLent ? [] : [DELEGATE, BEFORE, AFTER]),
  ...(task.isCountersign && !task.isLent ? [SIGNER] : []),
  ...(task.returns.length && !task.isLent ? [RETURN] : []),
  COPY,
]

type Props = { task?: TaskForDecision; processInstanceId: string; again: () => Promise<unknown> }

/** Menu of actions on a task besides deciding. */
export default function MoreTaskActions({ task, processInstanceId, again }: Props) {
  const t = useLocalize()
  const [openAction, setOpenAction] = useState<More>()
  const mores = task ? moresOf(task) : [COPY]
  const drop = async (taskId: string) => {
    await apiPost('/api/blade-flow/work/drop-signer', { body: { taskId } }).catch(() => {})
    await again()
  }
  const items = [
    ...mores.map((more) => ({ key: more.key, label: t(more.label), onClick: () => setOpenAction(more) })),
    ...(task?.added ?? []).map((one) => ({
      key: one.taskId,
      danger: true,
      label: t(words.drop, { name: one.name }),
      onClick: () => void drop(one.taskId),
    })),
  ]
  return (
    <>
      <Dropdown autoFocus trigger={['click']} menu={{ items }}>
        <Button size="large">{t(words.more)}</Button>
      </Dropdown>
      {openAction && (
        <TaskActionForm
          more={openAction}
          task={task}
          processInstanceId={processInstanceId}
          onClose={(isDone) => {
            setOpenAction(undefined)
            if (isDone) void again()
          }}
        />
      )}
    </>
  )
}

type AskProps = { more: More; task?: TaskForDecision; processInstanceId: string; onClose: (isDone: boolean) => void }

function TaskActionForm({ more, task, processInstanceId, onClose }: AskProps) {
  const t = useLocalize()
  const navigate = useNavigate()
  const { close } = useTab()
  const form = useForm({ fields: more.fields, mode: 'add' })
  const { send, isSending } = useFormSubmit(form, async () => {
    const of = more.path === COPY.path ? { processInstanceId } : { taskId: task!.taskId }
    const body = { ...of, ...more.also, ...form.payload() }
    await apiPost(`/api/blade-flow/work/${more.path}`, { body }, { quiet: true })
    toast.success(t(words.decided))
    onClose(true)
    if (more.isGone) {
      close()
      void navigate('/work/todo')
    }
  })
  const [leave, question] = useUnsavedGuard(form, () => onClose(false))
  return (
    <Modal
      open
      title={t(more.label)}
      okText={t(words.ok)}
      cancelText={t(words.cancel)}
      confirmLoading={isSending}
      onOk={() => void send()}
      onCancel={leave}
    >
      <p className="kit-quiet">{t(more.note)}</p>
      <EditForm
        form={form}
        inputs={{ node: (props) => <ReturnToStepInput {...props} returns={task?.returns ?? []} /> }}
      />
      {question}
    </Modal>
  )
}
