import { Alert, Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellOverrides } from '../row/field-cell.tsx'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/list-words.ts'
import type { FormState } from './use-form.ts'
import { formatRelativeTime, formatWireTime } from '../parts/when-words.ts'

const MergeDialog = lazy(() => import('./merge-dialog.tsx'))

/** Offers to restore a draft from an earlier session. If others changed the row since, it is merged field by field. */
export function FormDraftNotice({ form, cells }: { form: FormState; cells?: CellOverrides }) {
  const t = useLocalize()
  const language = useLanguage()
  const [merging, setMerging] = useState(false)
  const { draft } = form
  if (!draft) return null
  const when = formatRelativeTime(formatWireTime(draft.at), language)

  return (
    <>
      <Alert
        className="kit-note"
        type={draft.isOlder ? 'warning' : 'info'}
        showIcon
        title={t(draft.isOlder ? words.draftOlder : words.draft, { when })}
        action={
          <span className="kit-actions">
            <Button size="small" onClick={form.dropDraft}>
              {t(words.draftDrop)}
            </Button>
            <Button size="small" type="primary" onClick={() => (draft.isOlder ? setMerging(true) : form.takeDraft())}>
              {t(words.draftTake)}
            </Button>
          </span>
        }
      />
      {merging && (
        <Suspense>
          <MergeDialog
            fields={form.fields}
            row={{ ...form.row, ...draft.was }}
            mine={draft.values}
            theirs={form.row}
            onCancel={() => setMerging(false)}
            onMerge={(mine) => {
              setMerging(false)
              form.takeDraft(mine)
            }}
            cells={cells}
          />
        </Suspense>
      )}
    </>
  )
}
