import { Button, Modal } from 'antd'
import type { Resource } from '#kit/resource/define-resource.ts'
import { titleOf } from './action-words.ts'
import type { Row } from './form-values.ts'
import { post } from './http.ts'
import { useSay } from './language.tsx'
import { words } from './page-words.ts'
import { useActionRunner } from './run-action.ts'

const NAMED = 5

type Props = { resource: Resource<any, any>, rows: Row[], onClose: (done: boolean) => void }

/** Asks before rows are removed, naming them. */
export default function RemoveDialog({ resource, rows, onClose }: Props) {
  const say = useSay()
  const { run, running } = useActionRunner(resource)
  const go = async () => {
    try {
      if (await run(() => post(`${resource.path}/remove`, { query: { ids: rows.map((row) => row.id).join(',') } }), words.removed)) onClose(true)
    } catch {
      // The refusal has been shown as a toast; the question stays.
    }
  }
  const names = rows.slice(0, NAMED).map((row) => titleOf(resource, row)).filter(Boolean)
  return (
    <Modal
      open
      title={say(words.notice)}
      width={440}
      onCancel={() => onClose(false)}
      footer={[
        <Button key="cancel" onClick={() => onClose(false)} autoFocus>{say(words.cancel)}</Button>,
        <Button key="go" type="primary" danger loading={running} onClick={() => void go()}>{say(words.remove)}</Button>,
      ]}
    >
      <p className="kit-ask">{say(words.confirmRemove)}</p>
      <ul className="kit-names">
        {names.map((name, index) => <li key={index}>{name}</li>)}
        {rows.length > names.length && <li className="kit-quiet">{say(words.total, { total: rows.length })}</li>}
      </ul>
    </Modal>
  )
}
