import { Button, Drawer, Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { Column } from './columns.tsx'
import type { Row } from './form-values.ts'
import { post, type Params } from './http.ts'
import { Icon } from './icon.tsx'
import { say, useSay } from './language.tsx'
import type { ListSettings } from './list-settings.ts'
import { listParams } from './list-state.ts'
import { words } from './page-words.ts'
import { useScreen } from './screen.ts'
import { toast } from './toast.ts'
import { endedSoon, fetchTaskFile, taskWords } from './tasks.ts'
import type { List } from './use-list.ts'
import { useMay } from './use-may.ts'

const ColumnSettings = lazy(() => import('./column-settings.tsx'))
const PhoneSettings = lazy(() => import('./phone-settings.tsx'))

type Props = {
  resource: Resource<any, any>
  list: List
  columns: readonly Column[]
  settings: ListSettings
  onSettings: (settings: ListSettings) => void
  chosen: Row[]
  onChoose: (rows: Row[]) => void
  onAdd: () => void
  onRemove: (rows: Row[]) => void
  onAction: (name: string, action: Action, rows: Row[]) => void
  /** All that the filters find is chosen. */
  isAll: boolean
  /** Missing where the list's rows are not those the filters alone find. */
  onAll?: (isAll: boolean) => void
  onEdit: (rows: Row[]) => void
  onBin: () => void
  extra?: React.ReactNode
  /** Instead of the kit's own export; gets the filters. */
  onExport?: (params: Record<string, string>) => Promise<void>
  /** Opens the import; without it there is none. */
  onImport?: () => void
}

/** Whether rows can be chosen at all: somebody may do something with many of them. */
export function useBulk(resource: Resource<any, any>) {
  const may = useMay(resource)
  const actions = Object.entries(resource.actions as Record<string, Action>)
  return may.remove || (may.edit && resource.list.bulk.length > 0) || actions.some(([name, action]) => isForMany(action) && may.act(name))
}

const isForMany = (action: Action) => action.on === 'bulk' || (action.on === 'row' && !!action.bulk)

/** The buttons above a list: one primary, then those for chosen rows, then how the list is shown. */
export function ListToolbar({ resource, list, columns, settings, onSettings, chosen, onChoose, isAll, onAll, onAdd, onRemove, onAction, onEdit, onBin, extra, onExport, onImport }: Props) {
  const say = useSay()
  const may = useMay(resource)
  const isPhone = useScreen() === 0
  const size = isPhone ? 'large' : 'middle'
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(([name]) => may.act(name))
  const withChosen = (work: () => void) => (chosen.length ? work() : toast.warning(say(words.nothingChosen)))
  const bulk = actions.filter(([, action]) => isForMany(action))
  // A phone has no room for buttons that wait for a choice; once there is one they stay in reach, however far down the list it was made.
  const isBar = isPhone && chosen.length > 0
  const isWhole = isPhone || list.rows.every((row) => chosen.some((one) => one.id === row.id))
  const many = (
    <>
      {bulk.map(([name, action]) => (
        <Button key={name} size={size} danger={action.danger} icon={action.icon && <Icon name={action.icon} />} onClick={() => withChosen(() => onAction(name, action, chosen))}>{say(action.label)}</Button>
      ))}
      {may.edit && resource.list.bulk.length > 0 && <Button size={size} icon={<Icon name="form" />} onClick={() => withChosen(() => onEdit(chosen))}>{say(words.bulkEdit)}</Button>}
      {may.remove && <Button size={size} danger={chosen.length > 0} icon={<Icon name="delete" />} onClick={() => withChosen(() => onRemove(chosen))}>{say(words.bulkRemove)}</Button>}
    </>
  )
  const count = chosen.length > 0 && (
    <span className="kit-chosen" aria-live="polite">
      {isAll ? say(words.chosenFound, { total: totalOf(list) }) : say(words.chosen, { count: chosen.length })}
      {!isAll && onAll && !list.isTree && list.total > chosen.length && isWhole && <Button type="link" size="small" onClick={() => onAll(true)}>{say(words.chooseFound, { total: totalOf(list) })}</Button>}
      {' '}<Button type="link" size="small" onClick={() => onChoose([])}>{say(words.unchoose)}</Button>
    </span>
  )
  return (
    <div className="kit-toolbar" role="toolbar" aria-label={say(resource.label)}>
      {may.add && <Button type="primary" size={size} icon={<Icon name="plus" />} onClick={onAdd}>{say(words.add)}</Button>}
      {actions.filter(([, action]) => action.on === 'toolbar').map(([name, action]) => (
        <Button key={name} size={size} danger={action.danger} icon={action.icon && <Icon name={action.icon} />} onClick={() => onAction(name, action, [])}>{say(action.label)}</Button>
      ))}
      {extra}
      {isBar ? <div className="kit-chosen-bar">{count}<div>{many}</div></div> : <>{!isPhone && many}{count}</>}
      {isPhone && list.total > 0 && <span className="kit-toolbar-total">{say(words.total, { total: totalOf(list) })}</span>}
      <span className="kit-tools">
        {onImport && may.import && (isPhone ? <Tool icon="import" label={say(words.import)} onClick={onImport} /> : <Button icon={<Icon name="import" />} onClick={onImport}>{say(words.import)}</Button>)}
        {may.export && <ExportButton resource={resource} list={list} columns={columns} onExport={onExport} />}
        <Tool icon="reload" label={say(words.refresh)} onClick={list.refetch} spin={list.isFetching} />
        {resource.restore && may.remove && <Tool icon="rest" label={say(words.bin)} onClick={onBin} />}
        {isPhone && !list.isTree ? <PhoneSettingsButton resource={resource} list={list} columns={columns} settings={settings} onSettings={onSettings} /> : !isPhone && <SettingsButton columns={columns} settings={settings} onSettings={onSettings} />}
      </span>
    </div>
  )
}

const totalOf = (list: List) => `${list.total.toLocaleString('en-US')}${list.totalCapped ? '+' : ''}`

type ToolProps = React.ButtonHTMLAttributes<HTMLButtonElement> & { icon: 'reload' | 'setting' | 'download' | 'import' | 'rest', label: string, spin?: boolean, ref?: React.Ref<HTMLButtonElement> }

function Tool({ icon, label, spin, ...rest }: ToolProps) {
  return <button type="button" {...rest} className={`kit-tool${spin ? ' kit-spin' : ''}`} aria-label={label} data-tip={label}><Icon name={icon} /></button>
}

/** A small list is saved at once; a big one is written in the background and waits among the user's tasks. */
async function runExport(path: string, query: Params, columns: readonly Column[]) {
  const shown = columns.filter(({ hidden }) => !hidden).map(({ key }) => key)
  const { id } = await post<{ id: string }>(`${path}/export`, { query, body: { columns: shown.join(',') } })
  const task = await endedSoon(id)
  if (!task) toast.info(say(taskWords.background))
  else if (task.state === 'done') await fetchTaskFile(id)
  else toast.error(task.problem)
}

function ExportButton({ resource, list, columns, onExport }: Pick<Props, 'resource' | 'list' | 'columns' | 'onExport'>) {
  const say = useSay()
  const isPhone = useScreen() === 0
  const [running, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    try {
      if (onExport) await onExport(listParams(list.state))
      else await runExport(resource.path, list.params, columns)
    } catch {
      // Shown as a toast.
    } finally {
      setRunning(false)
    }
  }
  if (isPhone) return <Tool icon="download" label={say(words.export)} disabled={running} onClick={() => void go()} />
  return <span data-tip={say(words.exportHint)}><Button loading={running} icon={<Icon name="download" />} onClick={() => void go()}>{say(words.export)}</Button></span>
}

function SettingsButton({ columns, settings, onSettings }: Pick<Props, 'columns' | 'settings' | 'onSettings'>) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={<Suspense fallback={<span className="kit-skeleton" />}><ColumnSettings columns={columns} settings={settings} density={settings.density ?? 'medium'} onChange={onSettings} /></Suspense>}
    >
      <Tool icon="setting" label={say(words.columns)} />
    </Popover>
  )
}

/** On a phone, where no heading can be hit, the list is sorted here too. */
function PhoneSettingsButton(props: Pick<Props, 'resource' | 'list' | 'columns' | 'settings' | 'onSettings'>) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Tool icon="setting" label={say(words.listSettings)} onClick={() => setOpen(true)} />
      <Drawer open={open} placement="bottom" size="80dvh" title={say(words.listSettings)} onClose={() => setOpen(false)} destroyOnHidden className="kit-drawer">
        <Suspense fallback={<span className="kit-skeleton" />}><PhoneSettings {...props} /></Suspense>
      </Drawer>
    </>
  )
}
