import { Button, Modal } from 'antd'
import { useState } from 'react'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { words } from './desk-words.ts'

/** Dialog to choose the person a case is handed to. */
export default function ReassignCaseDialog({
  onGive,
  onClose,
}: {
  onGive: (userId: string) => Promise<void>
  onClose: () => void
}) {
  const t = useLocalize()
  const [userId, setUser] = useState('')
  return (
    <Modal
      open
      title={t(words.handOver)}
      width={440}
      onCancel={onClose}
      afterOpenChange={(isOpen) => isOpen && document.getElementById('guard-to')?.focus()}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" disabled={!userId} onClick={() => void onGive(userId)}>
          {t(words.handOver)}
        </Button>,
      ]}
    >
      <label htmlFor="guard-to">{t(words.toWhom)}</label>
      <RowPicker id="guard-to" to="user" value={userId} onChange={setUser} />
    </Modal>
  )
}
