import { Button, Modal } from 'antd'
import { useSay } from '../language.tsx'
import { words } from '../page-words.ts'

type Props = {
  /** What is not saved yet, named. */
  fields: string
  onKeep: () => void
  onDiscard: () => void
}

/** Asks before work that was not saved goes away. */
export function AskUnsaved({ fields, onKeep, onDiscard }: Props) {
  const say = useSay()
  return (
    <Modal
      open
      title={say(words.unsaved)}
      onCancel={onKeep}
      width={440}
      footer={[
        <Button key="discard" danger onClick={onDiscard}>
          {say(words.discard)}
        </Button>,
        <Button key="keep" type="primary" autoFocus onClick={onKeep}>
          {say(words.keepEditing)}
        </Button>,
      ]}
    >
      {say(words.unsavedHint, { fields })}
    </Modal>
  )
}
