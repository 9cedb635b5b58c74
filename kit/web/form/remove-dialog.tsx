import { Button, Modal } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { rowTitleOf } from '../row/action-words.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { apiPost } from '../http/http.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { refusalDetailsOf, useActionRunner } from '../row/run-action.ts'
import { toast } from '../base/toast.ts'

const ChangedSince = lazy(() => import('./changed-since.tsx'))

const NAMED = 5

type Props = { resource: Resource<any, any>; rows: UntypedRow[]; onClose: (done: boolean) => void }

/** Asks for confirmation before the named rows are removed. */
export default function RemoveRowsDialog({ resource, rows, onClose }: Props) {
  const t = useLocalize()
  const { now, running, go } = useRemoval({ resource, rows, onClose })
  const changed = now.flatMap((row, at) => (row === rows[at] ? [] : [{ seen: rows[at]!, row }]))
  return (
    <Modal
      open
      title={t(words.notice)}
      width={440}
      mask={{ closable: true }}
      onCancel={() => onClose(false)}
      footer={[
        <Button key="cancel" onClick={() => onClose(false)} autoFocus>
          {t(words.cancel)}
        </Button>,
        <Button key="go" type="primary" danger loading={running} onClick={() => void go()}>
          {t(words.remove)}
        </Button>,
      ]}
    >
      {changed.map(({ seen, row }) => (
        <Suspense key={String(row.id)}>
          <ChangedSince resource={resource} seen={seen} now={row} />
        </Suspense>
      ))}
      <p className="kit-ask">{t(words.confirmRemove)}</p>
      <Names resource={resource} rows={rows} />
    </Modal>
  )
}

function useRemoval({ resource, rows, onClose }: Props) {
  const { run, running } = useActionRunner(resource)
  // If a row changed since it was shown, its changes are shown before it can be removed.
  const [now, setNow] = useState(rows)
  const query = {
    ids: now.map((row) => row.id).join(','),
    versions: now.map((row) => row.version ?? '').join(','),
  }
  const go = async () => {
    try {
      if (await run(() => apiPost(`${resource.path}/remove`, { query }, { quiet: true }), words.removed)) onClose(true)
    } catch (reason) {
      const { row } = refusalDetailsOf(reason)
      if (row) setNow((before) => before.map((one) => (String(one.id) === String(row.id) ? row : one)))
      else toast.error((reason as Error).message)
    }
  }
  return { now, running, go }
}

function Names({ resource, rows }: Pick<Props, 'resource' | 'rows'>) {
  const t = useLocalize()
  const names = rows
    .slice(0, NAMED)
    .map((row) => rowTitleOf(resource, row))
    .filter(Boolean)
  return (
    <ul className="kit-names">
      {names.map((name, index) => (
        <li key={index}>{name}</li>
      ))}
      {rows.length > names.length && <li className="kit-quiet">{t(words.total, { total: rows.length })}</li>}
    </ul>
  )
}
