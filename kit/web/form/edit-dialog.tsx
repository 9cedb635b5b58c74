import { Alert, Button, Modal, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { Drawer } from '../parts/drawer.tsx'
import { EditForm, type FormLayout, type Inputs } from './edit-form.tsx'
import { DraftNote } from './draft-note.tsx'
import type { Cells } from '../detail/field-cell.tsx'
import type { Row } from './form-values.ts'
import { useSay } from '../language.tsx'
import { words } from '../page-words.ts'
import { ErrorNote } from '../parts/states.tsx'
import { useTab } from '../tab.ts'
import { useUnsaved } from './unsaved.ts'
import { useDetail } from '../detail/use-detail.ts'
import { forgetDraft, useDraftKey, useForm } from './use-form.ts'
import { useSave } from './use-save.ts'

const MergeDialog = lazy(() => import('./merge-dialog.tsx'))

export type EditDialogProps = {
  resource: Resource<any, any>
  /** Id of the row to change; a new one without. */
  id?: string
  /** Values a new row starts with; those of fields the form does not show travel along. */
  preset?: Row
  onClose: (saved: boolean) => void
  /** What the server answered to a new row, where it says more than its id. */
  onAdded?: (answer: Row) => void
  inputs?: Inputs
  cells?: Cells
  layout?: FormLayout
  width?: number
}

/** Adds a row or changes one, in a drawer beside the list. */
export default function EditDialog(props: EditDialogProps) {
  const { resource, id, onClose, width } = props
  const say = useSay()
  const detail = useDetail(resource, id)
  // The form works on the row as it was when it was opened; the detail goes on being fetched beneath it.
  const [opened, setOpened] = useState<Row>()
  const row = opened ?? detail.data
  if (id && detail.data && !detail.isFetching && !opened) setOpened(detail.data)
  if (!id || opened) return <FormDrawer {...props} row={opened} />
  return (
    <Shell title={say(words.editOf, { label: say(resource.label) })} width={width} onClose={() => onClose(false)}>
      {detail.error && !row ? (
        <ErrorNote title={say(words.failedDetail)} error={detail.error} retry={() => void detail.refetch()} />
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
  footer?: React.ReactNode
  children: React.ReactNode
}

function Shell({ title, width = 760, onClose, footer, children }: ShellProps) {
  const { active } = useTab()
  return (
    <Drawer
      open={active}
      title={title}
      size={width}
      onClose={onClose}
      footer={footer}
      className="kit-drawer"
      mask={{ closable: true }}
    >
      {children}
    </Drawer>
  )
}

function FormDrawer({
  resource,
  id,
  row,
  preset,
  onClose,
  onAdded,
  inputs,
  cells,
  layout,
  width,
}: EditDialogProps & { row?: Row }) {
  const say = useSay()
  const { key: tab } = useTab()
  const mode = id ? 'edit' : 'add'
  const draftKey = useDraftKey(resource.name, id)
  const form = useForm({ fields: resource.fields, mode, row, preset, draftKey, layout })
  const [asking, setAsking] = useState(false)
  const save = useSave({
    resource,
    id,
    preset,
    form,
    done: (_id, answer) => {
      forgetDraft(draftKey)
      onClose(true)
      if (!id) onAdded?.(answer)
    },
  })
  useUnsaved(form.changed.length > 0, say(resource.label), tab)
  const label = say(resource.label)
  const close = () => (form.changed.length ? setAsking(true) : onClose(false))
  return (
    <Shell
      title={say(mode === 'add' ? words.addOf : words.editOf, { label })}
      width={width}
      onClose={close}
      footer={
        <div className="kit-drawer-foot">
          <span className="kit-bad" aria-live="polite">
            {form.errorCount > 0 && say(words.fixErrors, { count: form.errorCount })}
          </span>
          <Button onClick={close}>{say(words.cancel)}</Button>
          <Button type="primary" loading={save.isSaving} onClick={() => void save.go()}>
            {say(words.save)}
          </Button>
        </div>
      }
    >
      <DraftNote form={form} cells={cells} />
      {save.problem && <Alert className="kit-note" type="error" showIcon title={save.problem} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save.go()
        }}
      >
        <EditForm form={form} layout={layout} inputs={inputs} cells={cells} />
        <button type="submit" hidden />
      </form>
      {asking && (
        <Modal
          open
          title={say(words.unsaved)}
          onCancel={() => setAsking(false)}
          width={440}
          footer={[
            <Button
              key="discard"
              danger
              onClick={() => {
                forgetDraft(draftKey)
                onClose(false)
              }}
            >
              {say(words.discard)}
            </Button>,
            <Button key="keep" type="primary" autoFocus onClick={() => setAsking(false)}>
              {say(words.keepEditing)}
            </Button>,
          ]}
        >
          {say(words.unsavedHint, {
            fields: form.changed.map((key) => say(form.fields[key]!.label)).join(say({ zh: '、', en: ', ' })),
          })}
        </Modal>
      )}
      {save.theirs && (
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
      )}
    </Shell>
  )
}
