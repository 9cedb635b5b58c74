import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { apiPost, type ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { words } from './desk-words.ts'
import { guardShift } from './guard-shift.resource.ts'
import { ShiftHandoverView } from './handover-view.tsx'
import type { DeskOverview } from './use-desk.ts'

const own = {
  beginText: {
    zh: '开始后由您看守全部可见门店，交班时自动写好交班内容。',
    en: 'You watch all stores you can see from now on. Handover notes are generated when you end the shift.',
  },
  note: { zh: '给下一班的话（可不填）', en: 'Message to the next shift (optional)' },
}

type Props = { shift: DeskOverview['shift']; onClose: () => void }

/** Dialog that begins a shift, or ends it and shows its handover. */
export default function GuardShiftDialog({ shift, onClose }: Props) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [note, setNote] = useState('')
  const [isSending, setSending] = useState(false)

  const go = async () => {
    setSending(true)
    try {
      const body = shift ? { id: shift.id, note } : {}
      await apiPost(`${guardShift.path}/${shift ? 'end' : 'begin'}`, { body }, { quiet: true })
      toast.success(t(kit.done))
      await renew(guardShift)
      onClose()
    } catch (error) {
      toast.error((error as ApiError).message)
    } finally {
      setSending(false)
    }
  }

  return (
    <Modal
      open
      title={t(shift ? words.end : words.begin)}
      width={shift ? 720 : 440}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" autoFocus loading={isSending} onClick={() => void go()}>
          {t(shift ? words.end : words.begin)}
        </Button>,
      ]}
    >
      {shift ? (
        <>
          <p className="kit-quiet">{t(words.onWatch, { time: shift.startTime.slice(5, 16) })}</p>
          <ShiftHandoverView id={shift.id} version={shift.startTime} />
          <label htmlFor="guard-note">{t(own.note)}</label>
          <Input.TextArea
            id="guard-note"
            rows={2}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </>
      ) : (
        <p className="kit-ask">{t(own.beginText)}</p>
      )}
    </Modal>
  )
}
