import { Button, Modal } from 'antd'
import type { Field, Fields } from '#kit/fields/field-kind.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import { confirmText, titleOf } from './action-words.ts'
import { EditForm } from './edit-form.tsx'
import type { Row } from './form-values.ts'
import type { HttpError } from './http.ts'
import { useLang, useSay } from './language.tsx'
import { words } from './page-words.ts'
import { callAction, refusalOf, useActionRunner } from './run-action.ts'
import { toast } from './toast.ts'
import { useForm } from './use-form.ts'

export type Asked = { name: string, action: Action, rows: Row[] }

type Props = { resource: Resource<any, any>, asked: Asked, onClose: (done: boolean) => void }

/** Asks before an action runs: what will happen to what, and whatever the action needs to know. */
export default function ActionDialog({ resource, asked, onClose }: Props) {
  const { name, action, rows } = asked
  const say = useSay()
  const language = useLang()
  const { run, running } = useActionRunner(resource)
  const fields = (action.input ?? {}) as Record<string, Field>
  const form = useForm({ fields: fields as Fields, mode: 'add' })
  const hasInput = Object.keys(fields).length > 0
  const target = action.on === 'row' ? { id: String(rows[0]?.id) } : action.on === 'bulk' ? { ids: rows.map((row) => row.id).join(',') } : {}
  const subject = action.on === 'row' && rows[0] ? titleOf(resource, rows[0]) : action.on === 'bulk' ? say(words.chosen, { count: rows.length }) : ''

  const go = async () => {
    if (hasInput && !form.check()) return
    try {
      const done = await run(() => callAction(resource, name, action, target, hasInput ? form.payload() : undefined, { quiet: true }))
      if (done) onClose(true)
    } catch (reason) {
      const refused = refusalOf(reason).fields
      if (refused) form.refuse(refused)
      if (!refused || !Object.keys(refused).some((key) => key in fields)) toast.error((reason as HttpError).message)
    }
  }
  return (
    <Modal
      open
      title={say(action.label)}
      onCancel={() => onClose(false)}
      width={hasInput ? 560 : 440}
      footer={[
        <Button key="cancel" onClick={() => onClose(false)}>{say(words.cancel)}</Button>,
        <Button key="go" type="primary" danger={action.danger} loading={running} onClick={() => void go()} autoFocus={!hasInput && !action.danger}>
          {say(action.label)}
        </Button>,
      ]}
    >
      {action.confirm ? <p className="kit-ask">{confirmText(action.confirm, language, resource.fields, rows)}</p> : subject && <p className="kit-quiet">{subject}</p>}
      {hasInput && <form onSubmit={(event) => { event.preventDefault(); void go() }}><EditForm form={form} /><button type="submit" hidden /></form>}
    </Modal>
  )
}
