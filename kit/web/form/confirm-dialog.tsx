import { Button, Modal } from 'antd'
import { useState, type ReactNode } from 'react'
import { useLocalize, type LocalizedText } from '../language.tsx'
import { words } from '../page-words.ts'
import { toast } from '../parts/toast.ts'

const NAMED = 5

type Props = {
  title: LocalizedText
  /** What will happen. */
  text: string
  /** To whom or what. */
  names?: string[]
  danger?: boolean
  /** Its refusal has been shown when it throws. */
  run: () => Promise<unknown>
  /** What is said when it is done; nothing for a question that another one follows. */
  success?: LocalizedText | null
  onClose: (done: boolean) => void
  children?: ReactNode
}

/** Asks before something is done to named things, and does it. */
export default function ConfirmDialog({
  title,
  text,
  names = [],
  danger,
  run,
  success = words.done,
  onClose,
  children,
}: Props) {
  const t = useLocalize()
  const [isRunning, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    try {
      await run()
      if (success) toast.success(t(success))
      onClose(true)
    } catch {
      // Shown as a toast; the question stays.
    } finally {
      setRunning(false)
    }
  }
  return (
    <Modal
      open
      title={t(title)}
      width={440}
      mask={{ closable: true }}
      onCancel={() => onClose(false)}
      footer={[
        <Button key="cancel" autoFocus={danger} onClick={() => onClose(false)}>
          {t(words.cancel)}
        </Button>,
        <Button
          key="go"
          type="primary"
          autoFocus={!danger}
          danger={danger}
          loading={isRunning}
          onClick={() => void go()}
        >
          {t(title)}
        </Button>,
      ]}
    >
      <p className="kit-ask">{text}</p>
      {names.length > 0 && (
        <ul className="kit-names">
          {names.slice(0, NAMED).map((name, index) => (
            <li key={index}>{name}</li>
          ))}
          {names.length > NAMED && <li className="kit-quiet">{t(words.total, { total: names.length })}</li>}
        </ul>
      )}
      {children}
    </Modal>
  )
}
