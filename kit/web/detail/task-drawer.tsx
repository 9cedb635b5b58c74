import { Button, Skeleton } from 'antd'
import { useState, type ReactNode } from 'react'
import { UnsavedChangesDialog } from '../form/ask-unsaved.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { useLocalize, type LocalizedText } from '../language.tsx'
import { words } from '../page-words.ts'
import { refusalDetailsOf } from '../form/run-action.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useTab } from '../tab.ts'
import { toast } from '../parts/toast.ts'
import { useReportUnsavedWork } from '../form/unsaved.ts'
import '../kit.css'
import '../parts/parts.css'

type Props = {
  title: string
  /** Whose: a name beside the title. */
  subject?: string
  size?: number
  /** What is being changed, for the question before it is lost. */
  what: string
  isChanged: boolean
  /** May be saved although nothing was changed here. */
  mayKeep?: boolean
  saveLabel?: LocalizedText
  /** Its refusal has been shown when it throws. May answer a sentence to show instead of "done". */
  save: () => Promise<string | void>
  /** Somebody else saved meanwhile: puts theirs on screen, with what was changed here done to it. */
  catchUp?: () => Promise<void>
  onClose: (saved: boolean) => void
  isPending?: boolean
  error?: Error | null
  retry?: () => void
  children: ReactNode
}

/** A drawer for work that is no row's form: loads, saves once, and asks before changes are lost. */
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
      const said = await save()
      toast.success(typeof said === 'string' && said ? said : t(words.done))
      onClose(true)
    } catch (reason) {
      // Shown as a toast; what was done stays on screen.
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
