import { Button, Modal } from 'antd'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'

type Props = {
  /** Names of the unsaved fields, as text. */
  fields: string
  onKeep: () => void
  onDiscard: () => void
}

/** Asks whether to discard unsaved changes or keep editing. */
export function UnsavedChangesDialog({ fields, onKeep, onDiscard }: Props) {
  const t = useLocalize()
  return (
    <Modal
      open
      title={t(words.unsaved)}
      onCancel={onKeep}
      width={440}
      footer={[
        <Button key="discard" danger onClick={onDiscard}>
          {t(words.discard)}
        </Button>,
        <Button key="keep" type="primary" autoFocus onClick={onKeep}>
          {t(words.keepEditing)}
        </Button>,
      ]}
    >
      {t(words.unsavedHint, { fields })}
    </Modal>
  )
}
