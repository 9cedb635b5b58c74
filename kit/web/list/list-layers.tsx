import { lazy, Suspense } from 'react'
import { labelsWithin } from '#kit/resource/localized-text.ts'
import { useLang } from '../language.tsx'
import { useRowActionsOf, useLayers, useListPlan, useShownList, useListActions } from './list-scope.tsx'
import { RowButtons } from './row-buttons.tsx'

const ActionDialog = lazy(() => import('../form/action-dialog.tsx'))
const RemoveDialog = lazy(() => import('../form/remove-dialog.tsx'))
const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))
const RecycleBin = lazy(() => import('./recycle-bin.tsx'))
const SheetImport = lazy(() => import('./sheet-import.tsx'))
const EditDialog = lazy(() => import('../form/edit-dialog.tsx'))
const DetailDrawer = lazy(() => import('../detail/detail-drawer.tsx'))

/** Whatever opens above a list. Each waits by itself: one still on its way takes no other out of the document. */
export function ListLayers() {
  return Object.entries({ Detail, Form, Bulk, Bin, Removing, Importing, Asking }).map(([name, Layer]) => (
    <Suspense key={name}>
      <Layer />
    </Suspense>
  ))
}

function Detail() {
  const { resource, page } = useListPlan()
  const { detail } = useShownList().state
  const { open } = useListActions()
  const rowActions = useRowActionsOf()
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
  const { resource, page } = useListPlan()
  const list = useShownList()
  const { editing } = useLayers()
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
  const { resource, page } = useListPlan()
  const { bulk } = useLayers()
  const { close, finish } = useListActions()
  if (!bulk) return null
  const onClose = (isDone: boolean) => {
    close('bulk')
    finish(isDone)
  }
  return <BulkDialog resource={resource} ask={bulk} cells={page.cells} note={page.bulkNote} onClose={onClose} />
}

function Bin() {
  const { resource, page } = useListPlan()
  const { isBinOpen } = useLayers()
  const { close } = useListActions()
  return isBinOpen && <RecycleBin resource={resource} cells={page.cells} onClose={() => close('isBinOpen')} />
}

function Removing() {
  const { resource } = useListPlan()
  const { detail } = useShownList().state
  const { removing } = useLayers()
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
  const language = useLang()
  const { resource } = useListPlan()
  const { isImporting } = useLayers()
  const { close } = useListActions()
  return (
    isImporting && (
      <SheetImport
        label={labelsWithin(resource.label, language).labels}
        path={resource.path}
        onClose={() => close('isImporting')}
      />
    )
  )
}

function Asking() {
  const { resource, page } = useListPlan()
  const { asked } = useLayers()
  const { close, finish } = useListActions()
  if (!asked) return null
  const onClose = (isDone: boolean) => {
    close('asked')
    finish(isDone && asked.action.on === 'bulk')
  }
  return <ActionDialog resource={resource} asked={asked} inputs={page.inputs} onClose={onClose} />
}
