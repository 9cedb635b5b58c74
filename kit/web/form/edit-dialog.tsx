import { Button, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { sentenceLabelParams } from '#kit/base/localized-text.ts'
import { Drawer } from '../parts/drawer.tsx'
import { EditForm, type FormLayout, type InputOverrides } from './edit-form.tsx'
import { FormProblemAlert } from './form-problem.tsx'
import { FormDraftNotice } from './draft-note.tsx'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { currentLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useTab } from '../base/tab.ts'
import { useReportUnsavedWork } from '../base/unsaved.ts'
import { useResourceWithCustomFields } from '../session/own-fields.ts'
import { useRowDetail } from '../row/use-detail.ts'
import { deleteFormDraft } from './drafts.ts'
import { formInputId, useFormDraftKey, useForm, type FormState } from './use-form.ts'
import { useUnsavedGuard } from './use-unsaved-guard.tsx'
import { useSaveRow } from './use-save.ts'

const MergeDialog = lazy(() => import('./merge-dialog.tsx'))

export type EditDialogProps = {
  resource: Resource<any, any>
  /** Id of the row to edit; undefined to add one. */
  id?: string
  /** Field to scroll to and focus. */
  field?: string
  /** Values a new row starts with; those of fields the form does not show are sent too. */
  preset?: UntypedRow
  onClose: (saved: boolean) => void
  /** Called with the server's answer to a new row, when it holds more than the id. */
  onAdded?: (answer: UntypedRow) => void
  inputs?: InputOverrides
  cells?: CellOverrides
  layout?: FormLayout
  width?: number
  /** Content beside the inputs, computed from their values, such as a preview. */
  beside?: (values: UntypedRow) => React.ReactNode
}

/** Form that adds a row or edits one, in a drawer beside the list. */
export default function EditDialog(given: EditDialogProps) {
  const props = { ...given, resource: useResourceWithCustomFields(given.resource) }
  const { resource, id, onClose, width } = props
  const t = useLocalize()
  const detail = useRowDetail(resource, id)
  // The form keeps the row as it was when opened; the detail query refetches meanwhile.
  const [opened, setOpened] = useState<UntypedRow>()
  const row = opened ?? detail.data
  if (id && detail.data && !detail.isFetching && !opened) setOpened(detail.data)
  if (!id || opened) return <FormDrawer {...props} row={opened} />
  return (
    <Shell
      title={t(words.editOf, sentenceLabelParams(resource.label, currentLanguage()))}
      width={width}
      onClose={() => onClose(false)}
    >
      {detail.error && !row ? (
        <ErrorNote title={t(words.failedDetail)} error={detail.error} retry={() => void detail.refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Shell>
  )
}

type ShellProps = {
  title: string
  width?: number
  onClose: () => void
  onOpened?: () => void
  footer?: React.ReactNode
  children: React.ReactNode
}

function Shell({ title, width = 760, onClose, onOpened, footer, children }: ShellProps) {
  const { active } = useTab()
  return (
    <Drawer
      open={active}
      title={title}
      size={width}
      onClose={onClose}
      afterOpenChange={(isOpen) => isOpen && onOpened?.()}
      footer={footer}
      className="kit-drawer"
      mask={{ closable: true }}
    >
      {children}
    </Drawer>
  )
}

function FormDrawer({ row, ...props }: EditDialogProps & { row?: UntypedRow }) {
  const { resource, id, field, preset, onClose, onAdded, inputs, cells, layout, width, beside } = props
  const t = useLocalize()
  const { key: tab } = useTab()
  const draftKey = useFormDraftKey(resource.name, id)
  const form = useForm({ fields: resource.fields, mode: id ? 'edit' : 'add', row, preset, draftKey, layout })
  const leave = (isSaved: boolean) => {
    deleteFormDraft(draftKey)
    onClose(isSaved)
  }
  const done = (_id: string, answer: UntypedRow) => {
    leave(true)
    if (!id) onAdded?.(answer)
  }
  const save = useSaveRow({ resource, id, preset, form, done })
  const label = t(resource.label)
  useReportUnsavedWork(form.changed.length > 0, label, tab)
  const [close, question] = useUnsavedGuard(
    form,
    () => leave(false),
    () => onClose(false),
  )

  return (
    <Shell
      title={t(id ? words.editOf : words.addOf, sentenceLabelParams(resource.label, currentLanguage()))}
      width={width}
      onClose={close}
      onOpened={() => field && beginAt(form, field)}
      footer={<Foot form={form} save={save} onCancel={close} />}
    >
      <FormDraftNotice form={form} cells={cells} />
      <FormProblemAlert text={save.problem} />
      <div className={beside && 'kit-beside'}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save.go()
          }}
        >
          <EditForm form={form} layout={layout} inputs={inputs} cells={cells} />
          <button type="submit" hidden />
        </form>
        {beside && <aside>{beside({ ...form.row, ...form.values })}</aside>}
      </div>
      {question}
      <Merging form={form} save={save} cells={cells} />
    </Shell>
  )
}

/** Scrolls to the field a link pointed to and focuses it. */
function beginAt({ id }: FormState, field: string): void {
  const input = document.getElementById(formInputId(id, field))
  input?.scrollIntoView({ block: 'center' })
  input?.focus()
}

type Saving = { form: FormState; save: ReturnType<typeof useSaveRow> }

function Foot({ form, save, onCancel }: Saving & { onCancel: () => void }) {
  const t = useLocalize()
  return (
    <div className="kit-drawer-foot">
      <span className="kit-bad" aria-live="polite">
        {form.errorCount > 0 && t(words.fixErrors, { count: form.errorCount })}
      </span>
      <Button onClick={onCancel}>{t(words.cancel)}</Button>
      <Button type="primary" loading={save.isSaving} onClick={() => void save.go()}>
        {t(words.save)}
      </Button>
    </div>
  )
}

/** Shows the dialog to merge my changes with those somebody else saved meanwhile. */
function Merging({ form, save, cells }: Saving & { cells?: CellOverrides }) {
  if (!save.theirs) return null
  return (
    <Suspense>
      <MergeDialog
        fields={form.fields}
        row={form.row}
        mine={form.values}
        theirs={save.theirs}
        onCancel={save.dropTheirs}
        onMerge={(mine) => void save.merge(mine)}
        cells={cells}
      />
    </Suspense>
  )
}
