import { Button, Modal, Skeleton } from 'antd'
import { useState, type ReactNode } from 'react'
import { Drawer } from '../parts/drawer.tsx'
import { useSay, type Words } from '../language.tsx'
import { words } from '../page-words.ts'
import { refusalOf } from '../form/run-action.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useTab } from '../tab.ts'
import { toast } from '../parts/toast.ts'
import { useUnsaved } from '../form/unsaved.ts'
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
  saveLabel?: Words
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
export function WorkDrawer({
  title,
  subject,
  size = 640,
  what,
  isChanged,
  mayKeep,
  saveLabel = words.save,
  save,
  catchUp,
  onClose,
  isPending,
  error,
  retry,
  children,
}: Props) {
  const say = useSay()
  const { key, active } = useTab()
  const [isSaving, setSaving] = useState(false)
  const [asking, setAsking] = useState(false)
  useUnsaved(isChanged, what, key)
  const close = () => (isChanged ? setAsking(true) : onClose(false))
  const go = async () => {
    setSaving(true)
    try {
      const said = await save()
      toast.success(typeof said === 'string' && said ? said : say(words.done))
      onClose(true)
    } catch (reason) {
      // Shown as a toast; what was done stays on screen.
      if (refusalOf(reason).reason === 'changed_meanwhile') await catchUp?.().catch(() => {})
    } finally {
      setSaving(false)
    }
  }
  const isReady = !isPending && !error
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
          <Button onClick={close}>{say(words.cancel)}</Button>
          <Button
            type="primary"
            disabled={!isReady || (!isChanged && !mayKeep)}
            loading={isSaving}
            onClick={() => void go()}
          >
            {say(saveLabel)}
          </Button>
        </div>
      }
    >
      {isReady ? (
        children
      ) : error ? (
        <ErrorNote title={say(words.failedDetail)} error={error} retry={() => retry?.()} />
      ) : (
        <Skeleton active paragraph={{ rows: 10 }} />
      )}
      {asking && (
        <Modal
          open
          title={say(words.unsaved)}
          onCancel={() => setAsking(false)}
          width={440}
          footer={[
            <Button key="discard" danger onClick={() => onClose(false)}>
              {say(words.discard)}
            </Button>,
            <Button key="keep" type="primary" autoFocus onClick={() => setAsking(false)}>
              {say(words.keepEditing)}
            </Button>,
          ]}
        >
          {say(words.unsavedHint, { fields: what })}
        </Modal>
      )}
    </Drawer>
  )
}
