import { Button, Skeleton } from 'antd'
import { useState, type ReactNode } from 'react'
import { UnsavedChangesDialog } from '../form/unsaved-changes-dialog.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { useLocalize, type LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { refusalDetailsOf } from '../row/run-action.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useTab } from '../base/tab.ts'
import { toast } from '../base/toast.ts'
import { useReportUnsavedWork } from '../base/unsaved.ts'
import '../base/kit.css'
import '../parts/parts.css'

type Props = {
  title: string
  /** Name beside the title of the person or thing the work is about. */
  subject?: string
  size?: number
  /** Name of what is edited, for the question before changes are discarded. */
  what: string
  isChanged: boolean
  /** Allows saving without changes. */
  mayKeep?: boolean
  saveLabel?: LocalizedText
  /** Saves. Shows its own error before it throws; may return a sentence to show instead of "done". */
  save: () => Promise<string | void>
  /** Called when somebody else saved meanwhile: loads their version and applies the changes made here to it. */
  catchUp?: () => Promise<void>
  onClose: (saved: boolean) => void
  isPending?: boolean
  error?: Error | null
  retry?: () => void
  children: ReactNode
}

/** Drawer for editing that is not a row's form: loads, saves once at a time, and asks before changes are discarded. */
export function SaveDrawer(props: Props) {
  const { title, subject, size = 640, what, isChanged, mayKeep, saveLabel = words.save, onClose, children } = props
  const t = useLocalize()
  const { key, active } = useTab()
  const [asking, setAsking] = useState(false)
  const { isSaving, go } = useSubmitOnce(props)
  useReportUnsavedWork(isChanged, what, key)
  const close = () => (isChanged ? setAsking(true) : onClose(false))
  const isReady = !props.isPending && !props.error

  return (
    <Drawer
      open={active}
      title={
        <span className="kit-drawer-title">
          <span className="kit-quiet">{title}</span> {subject}
        </span>
      }
      size={size}
      onClose={close}
      className="kit-drawer"
      footer={
        <div className="kit-drawer-foot">
          <span />
          <Button onClick={close}>{t(words.cancel)}</Button>
          <Button
            type="primary"
            disabled={!isReady || (!isChanged && !mayKeep)}
            loading={isSaving}
            onClick={() => void go()}
          >
            {t(saveLabel)}
          </Button>
        </div>
      }
    >
      {isReady ? children : <TaskDrawerLoading {...props} />}
      {asking && (
        <UnsavedChangesDialog fields={what} onKeep={() => setAsking(false)} onDiscard={() => onClose(false)} />
      )}
    </Drawer>
  )
}

function useSubmitOnce({ save, catchUp, onClose }: Pick<Props, 'save' | 'catchUp' | 'onClose'>) {
  const t = useLocalize()
  const [isSaving, setSaving] = useState(false)
  const go = async () => {
    setSaving(true)
    try {
      const message = await save()
      toast.success(typeof message === 'string' && message ? message : t(words.done))
      onClose(true)
    } catch (reason) {
      // The error was shown as a toast; the input stays on screen.
      if (refusalDetailsOf(reason).reason === 'changed_meanwhile') await catchUp?.().catch(() => {})
    } finally {
      setSaving(false)
    }
  }
  return { isSaving, go }
}

function TaskDrawerLoading({ error, retry }: Pick<Props, 'error' | 'retry'>) {
  const t = useLocalize()
  if (!error) return <Skeleton active paragraph={{ rows: 10 }} />
  return <ErrorNote title={t(words.failedDetail)} error={error} retry={() => retry?.()} />
}
