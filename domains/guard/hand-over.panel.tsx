import { Button, Modal } from 'antd'
import { useState } from 'react'
import { Picker } from '#kit/web/form/picker.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { words } from './desk-words.ts'

/** Asks to whom a case goes. */
export default function HandOverDialog({
  onGive,
  onClose,
}: {
  onGive: (userId: string) => Promise<void>
  onClose: () => void
}) {
  const say = useSay()
  const [userId, setUser] = useState('')
  return (
    <Modal
      open
      title={say(words.handOver)}
      width={440}
      onCancel={onClose}
      afterOpenChange={(isOpen) => isOpen && document.getElementById('guard-to')?.focus()}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {say(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" disabled={!userId} onClick={() => void onGive(userId)}>
          {say(words.handOver)}
        </Button>,
      ]}
    >
      <label htmlFor="guard-to">{say(words.toWhom)}</label>
      <Picker id="guard-to" to="user" value={userId} onChange={setUser} />
    </Modal>
  )
}
