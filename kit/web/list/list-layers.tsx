import { lazy, Suspense } from 'react'
import { sentenceLabelParams } from '#kit/base/localized-text.ts'
import { useLanguage } from '../base/language.tsx'
import {
  useListRowActions,
  useListDialogsState,
  useListDefinition,
  useCurrentList,
  useListActions,
} from './list-scope.tsx'
import { RowButtons } from './row-buttons.tsx'

const ActionDialog = lazy(() => import('../form/action-dialog.tsx'))
const RemoveDialog = lazy(() => import('../form/remove-dialog.tsx'))
const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))
const RecycleBin = lazy(() => import('./recycle-bin.tsx'))
const SheetImport = lazy(() => import('./sheet-import.tsx'))
const EditDialog = lazy(() => import('../form/edit-dialog.tsx'))
const DetailDrawer = lazy(() => import('../detail/detail-drawer.tsx'))

/**
 * Renders the detail and dialogs open above a list. Each has its own Suspense, so that loading one does not unmount the
 * others.
 */
export function ListDialogs() {
  return Object.entries({ Detail, Form, Bulk, Bin, Removing, Importing, Asking }).map(([name, Layer]) => (
    <Suspense key={name}>
      <Layer />
    </Suspense>
  ))
}

function Detail() {
  const { resource, page } = useListDefinition()
  const { detail } = useCurrentList().state
  const { open } = useListActions()
  const rowActions = useListRowActions()
  if (!detail) return null
  return (
    <DetailDrawer
      resource={resource}
      id={detail}
      onClose={() => open(undefined)}
      cells={page.cells}
      view={page.detail}
      beside={page.beside}
      actions={(row, wide) => (
        <RowButtons wide={wide} rowActions={rowActions(row).filter(({ key }) => key !== 'view')} />
      )}
    />
  )
}

function Form() {
  const { resource, page } = useListDefinition()
  const list = useCurrentList()
  const { editing } = useListDialogsState()
  const { close } = useListActions()
  if (!editing) return null
  const { id, field } = editing
  const preset = id ? undefined : { ...page.preset?.(list), ...editing.preset }
  const onClose = () => close('editing')
  if (page.form) return page.form({ id, preset, onClose })
  return (
    <EditDialog
      resource={resource}
      id={id}
      field={field}
      preset={preset}
      inputs={page.inputs}
      cells={page.cells}
      layout={page.formLayout}
      width={page.formWidth}
      beside={page.formBeside}
      onAdded={page.onAdded}
      onClose={onClose}
    />
  )
}

function Bulk() {
  const { resource, page } = useListDefinition()
  const { bulk } = useListDialogsState()
  const { close, finish } = useListActions()
  if (!bulk) return null
  const onClose = (isDone: boolean) => {
    close('bulk')
    finish(isDone)
  }
  return <BulkDialog resource={resource} ask={bulk} cells={page.cells} note={page.bulkNote} onClose={onClose} />
}

function Bin() {
  const { resource, page } = useListDefinition()
  const { isBinOpen } = useListDialogsState()
  const { close } = useListActions()
  return isBinOpen && <RecycleBin resource={resource} cells={page.cells} onClose={() => close('isBinOpen')} />
}

function Removing() {
  const { resource } = useListDefinition()
  const { detail } = useCurrentList().state
  const { removing } = useListDialogsState()
  const { close, finish, open } = useListActions()
  if (!removing) return null
  const onClose = (isDone: boolean) => {
    close('removing')
    finish(isDone)
    if (isDone && removing.some((row) => String(row.id) === detail)) open(undefined)
  }
  return <RemoveDialog resource={resource} rows={removing} onClose={onClose} />
}

function Importing() {
  const language = useLanguage()
  const { resource } = useListDefinition()
  const { isImporting } = useListDialogsState()
  const { close } = useListActions()
  return (
    isImporting && (
      <SheetImport
        label={sentenceLabelParams(resource.label, language).labels}
        path={resource.path}
        onClose={() => close('isImporting')}
      />
    )
  )
}

function Asking() {
  const { resource, page } = useListDefinition()
  const { asked } = useListDialogsState()
  const { close, finish } = useListActions()
  if (!asked) return null
  const onClose = (isDone: boolean) => {
    close('asked')
    finish(isDone && asked.action.on === 'bulk')
  }
  return <ActionDialog resource={resource} asked={asked} inputs={page.inputs} onClose={onClose} />
}
