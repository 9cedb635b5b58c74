import { Button, Modal } from 'antd'
import { useState, type ReactNode } from 'react'
import { useLocalize, type LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'

const NAMED = 5

type Props = {
  title: LocalizedText
  /** Sentence that says what will happen. */
  text: string
  /** Names of the people or things it happens to. */
  names?: string[]
  danger?: boolean
  /** Does the work. Shows its own error before it throws. */
  run: () => Promise<unknown>
  /** Toast after success; null for none, as when another question follows. */
  success?: LocalizedText | null
  onClose: (done: boolean) => void
  children?: ReactNode
}

/** Asks for confirmation of something done to the named things, then does it. */
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
      // The error was shown as a toast; the dialog stays open.
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
