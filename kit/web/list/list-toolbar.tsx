import { Button } from 'antd'
import { lazy, useState } from 'react'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import { pluralOf } from '#kit/base/localized-text.ts'
import type { TableColumn } from './columns.tsx'
import { apiPost } from '../http/http.ts'
import type { QueryParams } from '../http/query-params.ts'
import { Icon } from '../theme/icon.tsx'
import { localizeForUser, useLocalize } from '../base/language.tsx'
import {
  useListSelection,
  useListDefinition,
  useListRows,
  useListColumns,
  useCurrentList,
  useListActions,
} from './list-scope.tsx'
import { listQueryParams } from './list-state.ts'
import { words } from '../base/page-words.ts'
import { Popup } from '../parts/popup.tsx'
import { usePrintRowsActions, usePrintFilteredActions } from './print-rows.ts'
import type { RowAction } from './row-buttons.tsx'
import { useScreenSize } from '../base/screen.ts'
import { toast } from '../base/toast.ts'
import { waitBrieflyForTaskEnd, downloadTaskFile, backgroundTaskWords } from './tasks.ts'
import { formatListTotal } from './use-list.ts'
import { useResourcePermissions } from '../session/use-may.ts'

const ColumnSettings = lazy(() => import('./column-settings.tsx'))

/** Returns whether rows can be selected, that is whether this user may do anything with several rows. */
export function useCanSelectRows(resource: Resource<any, any>) {
  const may = useResourcePermissions(resource)
  const actions = Object.entries(resource.actions as Record<string, Action>)
  return (
    may.remove ||
    (may.edit && resource.list.bulk.length > 0) ||
    (may.view && Object.keys(resource.documents).length > 0) ||
    actions.some(([name, action]) => isForMany(action) && may.act(name))
  )
}

const isForMany = (action: Action) => action.on === 'bulk' || (action.on === 'row' && !!action.bulk)

const useSize = () => (useScreenSize() === 0 ? 'large' : 'middle')

/** Returns the declared actions that match `is` and that this user may run. */
function useActions(is: (action: Action) => boolean): [string, Action][] {
  const { resource, may } = useListDefinition()
  return Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => is(action) && may.act(name),
  )
}

/** Returns the actions of the toolbar that this user may run. */
export const useToolbarActions = () => useActions(({ on }) => on === 'toolbar')

/** Toolbar of a list at a desk: a primary button, those of the page, import, export, refresh, recycle bin, columns. */
export function ListToolbar() {
  const t = useLocalize()
  const { resource, page, may } = useListDefinition()
  const list = useCurrentList()
  const work = useListActions()
  return (
    <div className="kit-toolbar" role="toolbar" aria-label={t(pluralOf(resource.label))}>
      {may.add && (
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => work.add()}>
          {t(words.add)}
        </Button>
      )}
      {useToolbarActions().map(([name, action]) => (
        <ActionButton key={name} action={action} onClick={() => work.act(name, action, [])} />
      ))}
      {page.toolbar?.(list)}
      <ListTools />
    </div>
  )
}

function ActionButton({
  action,
  onClick,
}: {
  action: Pick<RowAction, 'label' | 'icon' | 'danger'>
  onClick: () => void
}) {
  const t = useLocalize()
  return (
    <Button size={useSize()} danger={action.danger} icon={action.icon && <Icon name={action.icon} />} onClick={onClick}>
      {t(action.label)}
    </Button>
  )
}

/** Toolbar buttons for import, export, refresh, recycle bin and list settings. */
function ListTools() {
  const t = useLocalize()
  const { resource, page, may } = useListDefinition()
  const { isFetching, refetch } = useListRows()
  const { openBin, openImport } = useListActions()
  return (
    <span className="kit-tools">
      {!page.embedded && may.import && <Tool icon="import" label={t(words.import)} onClick={openImport} />}
      {(page.onExport ? may.ownExport : may.export) && <ExportButton />}
      <Tool icon="reload" label={t(words.refresh)} onClick={refetch} spin={isFetching} />
      {resource.restore && may.remove && <Tool icon="rest" label={t(words.bin)} onClick={openBin} />}
      <SettingsButton />
    </span>
  )
}

/**
 * Bar with the actions on the selected rows. Appears at the foot of the screen, so that nothing moves under the pointer
 * and it stays in reach however far down the selection was made.
 */
export function SelectionBar() {
  const t = useLocalize()
  const { chosen, isChoosing } = useListSelection()
  if (!chosen.length && !isChoosing) return null
  return (
    <div className="kit-chosen-bar" role="toolbar" aria-label={t(words.chosen, { count: chosen.length })}>
      <SelectionCount />
      <SelectionActions />
    </div>
  )
}

/** Number of selected rows, with a button to select all that the filters find. */
function SelectionCount() {
  const t = useLocalize()
  const { page } = useListDefinition()
  const list = useListRows()
  const { chosen, choose, isAll, setAll, isChoosing, setChoosing } = useListSelection()
  const isPhone = useScreenSize() === 0
  const isWhole = isPhone || list.rows.every((row) => chosen.some((one) => one.id === row.id))
  // A page's own list call may return other rows than the filters find, so selecting all is not offered.
  const mayAll = !isAll && !page.call && !list.isTree && list.total > chosen.length && isWhole
  return (
    <span className="kit-chosen" aria-live="polite">
      {isAll ? t(words.chosenFound, { total: formatListTotal(list) }) : t(words.chosen, { count: chosen.length })}
      {mayAll && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          {t(words.chooseFound, { total: formatListTotal(list) })}
        </Button>
      )}{' '}
      <Button type="link" size="small" onClick={() => (isChoosing ? setChoosing(false) : choose([]))}>
        {t(words.unchoose)}
      </Button>
    </span>
  )
}

function SelectionActions() {
  const t = useLocalize()
  const { resource, page, may } = useListDefinition()
  const { chosen, isAll } = useListSelection()
  const work = useListActions()
  const size = useSize()
  const printing = usePrintRowsActions(resource)
  const printingFound = usePrintFilteredActions(resource, useCurrentList().params)
  // The page's own actions take the rows themselves, so they are not offered for all filtered rows.
  const own = isAll ? printingFound : [...(page.many?.(chosen) ?? []), ...printing(chosen)]
  return (
    <div>
      {own.map((action) => (
        <ActionButton key={action.key} action={action} onClick={action.run} />
      ))}
      {useActions(isForMany).map(([name, action]) => (
        <ActionButton key={name} action={action} onClick={() => work.actMany(name, action, chosen)} />
      ))}
      {may.edit && resource.list.bulk.length > 0 && (
        <Button size={size} icon={<Icon name="form" />} onClick={() => work.editMany(chosen)}>
          {t(words.bulkEdit)}
        </Button>
      )}
      {may.remove && (
        <Button size={size} danger icon={<Icon name="delete" />} onClick={() => work.remove(chosen)}>
          {t(words.bulkRemove)}
        </Button>
      )}
    </div>
  )
}

type ToolProps = React.ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: 'reload' | 'setting' | 'download' | 'import' | 'rest'
  label: string
  tip?: string
  spin?: boolean
  ref?: React.Ref<HTMLButtonElement>
}

function Tool({ icon, label, tip = label, spin, ...rest }: ToolProps) {
  return (
    <button type="button" {...rest} className={`kit-tool${spin ? ' kit-spin' : ''}`} aria-label={label} data-tip={tip}>
      <Icon name={icon} />
    </button>
  )
}

/**
 * Exports a list. A small file is downloaded at once; a large one is written in the background and listed under the
 * user's tasks.
 */
async function runExport(path: string, query: QueryParams, columns: readonly TableColumn[]) {
  const shown = columns.filter(({ hidden }) => !hidden).map(({ key }) => key)
  const { id } = await apiPost<{ id: string }>(`${path}/export`, { query, body: { columns: shown.join(',') } })
  const task = await waitBrieflyForTaskEnd(id)
  if (!task) toast.info(localizeForUser(backgroundTaskWords.background))
  else if (task.state === 'done') await downloadTaskFile(id)
  else toast.error(task.problem)
}

/** Returns the function that exports the list as it is filtered, and whether it is running. */
export function useListExport(): { run: () => Promise<void>; running: boolean } {
  const { resource, page } = useListDefinition()
  const { columns } = useListColumns()
  const list = useCurrentList()
  const [running, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      if (page.onExport) await page.onExport(listQueryParams(list.state))
      else await runExport(resource.path, list.params, columns)
    } catch {
      // The error was shown as a toast.
    } finally {
      setRunning(false)
    }
  }
  return { run, running }
}

function ExportButton() {
  const t = useLocalize()
  const { run, running } = useListExport()
  // Marked busy and not disabled: a disabled button loses the focus.
  return (
    <Tool
      icon="download"
      label={t(words.export)}
      tip={t(words.exportHint)}
      aria-busy={running}
      spin={running}
      onClick={() => !running && void run()}
    />
  )
}

function SettingsButton() {
  const { columns, settings, setSettings } = useListColumns()
  const t = useLocalize()
  const [open, setOpen] = useState(false)
  return (
    <Popup
      label={t(words.columns)}
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <ColumnSettings
          columns={columns}
          settings={settings}
          density={settings.density ?? 'medium'}
          onChange={setSettings}
        />
      }
    >
      <Tool icon="setting" label={t(words.columns)} />
    </Popup>
  )
}
