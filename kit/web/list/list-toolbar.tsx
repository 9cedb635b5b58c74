import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { Column } from './columns.tsx'
import { Drawer } from '../parts/drawer.tsx'
import type { Row } from '../form/form-values.ts'
import { post, type Params } from '../http.ts'
import { Icon } from '../theme/icon.tsx'
import { say, useSay } from '../language.tsx'
import type { ListSettings } from './list-settings.ts'
import { listParams } from './list-state.ts'
import { words } from '../page-words.ts'
import { Popup } from '../parts/popup.tsx'
import type { Deed } from './row-buttons.tsx'
import { useScreen } from '../screen.ts'
import { toast } from '../parts/toast.ts'
import { endedSoon, fetchTaskFile, taskWords } from './tasks.ts'
import type { List } from './use-list.ts'
import { useMay } from '../session/use-may.ts'

const ColumnSettings = lazy(() => import('./column-settings.tsx'))
const PhoneSettings = lazy(() => import('./phone-settings.tsx'))

type Props = {
  resource: Resource<any, any>
  list: List
  columns: readonly Column[]
  settings: ListSettings
  onSettings: (settings: ListSettings) => void
  chosen: Row[]
  /** What the page has for chosen rows beyond the declaration. */
  more?: (rows: Row[]) => Deed[]
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
  return (
    may.remove ||
    (may.edit && resource.list.bulk.length > 0) ||
    actions.some(([name, action]) => isForMany(action) && may.act(name))
  )
}

const isForMany = (action: Action) => action.on === 'bulk' || (action.on === 'row' && !!action.bulk)

/** The buttons of a list: one primary, those of the page, then how the list is shown. */
export function ListToolbar({
  resource,
  list,
  columns,
  settings,
  onSettings,
  onAdd,
  onAction,
  onBin,
  extra,
  onExport,
  onImport,
}: Omit<Props, keyof ChosenProps> & Pick<Props, 'resource' | 'list' | 'onAction'>) {
  const say = useSay()
  const may = useMay(resource)
  const isPhone = useScreen() === 0
  const size = isPhone ? 'large' : 'middle'
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => action.on === 'toolbar' && may.act(name),
  )
  return (
    <div className="kit-toolbar" role="toolbar" aria-label={say(resource.label)}>
      {may.add && (
        <Button type="primary" size={size} icon={<Icon name="plus" />} onClick={onAdd}>
          {say(words.add)}
        </Button>
      )}
      {actions.map(([name, action]) => (
        <Button
          key={name}
          size={size}
          danger={action.danger}
          icon={action.icon && <Icon name={action.icon} />}
          onClick={() => onAction(name, action, [])}
        >
          {say(action.label)}
        </Button>
      ))}
      {extra}
      {isPhone && list.total > 0 && (
        <span className="kit-toolbar-total">{say(words.total, { total: totalOf(list) })}</span>
      )}
      <span className="kit-tools">
        {onImport && may.import && <Tool icon="import" label={say(words.import)} onClick={onImport} />}
        {(onExport ? may.ownExport : may.export) && (
          <ExportButton resource={resource} list={list} columns={columns} onExport={onExport} />
        )}
        <Tool icon="reload" label={say(words.refresh)} onClick={list.refetch} spin={list.isFetching} />
        {resource.restore && may.remove && <Tool icon="rest" label={say(words.bin)} onClick={onBin} />}
        {isPhone && !list.isTree ? (
          <PhoneSettingsButton
            resource={resource}
            list={list}
            columns={columns}
            settings={settings}
            onSettings={onSettings}
          />
        ) : (
          !isPhone && <SettingsButton columns={columns} settings={settings} onSettings={onSettings} />
        )}
      </span>
    </div>
  )
}

type ChosenProps = Pick<
  Props,
  'resource' | 'list' | 'chosen' | 'more' | 'onChoose' | 'onRemove' | 'onAction' | 'isAll' | 'onAll' | 'onEdit'
>

/**
 * What can be done with the chosen rows. It comes with the choice, at the foot of the screen: nothing moves away from
 * the pointer, and it is in reach however far down the choice was made.
 */
export function ChosenBar({
  resource,
  list,
  chosen,
  more,
  onChoose,
  onRemove,
  onAction,
  isAll,
  onAll,
  onEdit,
}: ChosenProps) {
  const say = useSay()
  const may = useMay(resource)
  const isPhone = useScreen() === 0
  const size = isPhone ? 'large' : 'middle'
  const bulk = Object.entries(resource.actions as Record<string, Action>).filter(
    ([name, action]) => isForMany(action) && may.act(name),
  )
  const isWhole = isPhone || list.rows.every((row) => chosen.some((one) => one.id === row.id))
  if (!chosen.length) return null
  // The page works on rows it is given, not on all that a filter finds.
  const own = isAll ? [] : (more?.(chosen) ?? [])
  return (
    <div className="kit-chosen-bar" role="toolbar" aria-label={say(words.chosen, { count: chosen.length })}>
      <span className="kit-chosen" aria-live="polite">
        {isAll ? say(words.chosenFound, { total: totalOf(list) }) : say(words.chosen, { count: chosen.length })}
        {!isAll && onAll && !list.isTree && list.total > chosen.length && isWhole && (
          <Button type="link" size="small" onClick={() => onAll(true)}>
            {say(words.chooseFound, { total: totalOf(list) })}
          </Button>
        )}{' '}
        <Button type="link" size="small" onClick={() => onChoose([])}>
          {say(words.unchoose)}
        </Button>
      </span>
      <div>
        {own.map(({ key, label, icon, danger, run }) => (
          <Button key={key} size={size} danger={danger} icon={icon && <Icon name={icon} />} onClick={run}>
            {say(label)}
          </Button>
        ))}
        {bulk.map(([name, action]) => (
          <Button
            key={name}
            size={size}
            danger={action.danger}
            icon={action.icon && <Icon name={action.icon} />}
            onClick={() => onAction(name, action, chosen)}
          >
            {say(action.label)}
          </Button>
        ))}
        {may.edit && resource.list.bulk.length > 0 && (
          <Button size={size} icon={<Icon name="form" />} onClick={() => onEdit(chosen)}>
            {say(words.bulkEdit)}
          </Button>
        )}
        {may.remove && (
          <Button size={size} danger icon={<Icon name="delete" />} onClick={() => onRemove(chosen)}>
            {say(words.bulkRemove)}
          </Button>
        )}
      </div>
    </div>
  )
}

const totalOf = (list: List) => `${list.total.toLocaleString('en-US')}${list.totalCapped ? '+' : ''}`

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

/** A small list is saved at once; a big one is written in the background and waits among the user's tasks. */
async function runExport(path: string, query: Params, columns: readonly Column[]) {
  const shown = columns.filter(({ hidden }) => !hidden).map(({ key }) => key)
  const { id } = await post<{ id: string }>(`${path}/export`, { query, body: { columns: shown.join(',') } })
  const task = await endedSoon(id)
  if (!task) toast.info(say(taskWords.background))
  else if (task.state === 'done') await fetchTaskFile(id)
  else toast.error(task.problem)
}

function ExportButton({
  resource,
  list,
  columns,
  onExport,
}: Pick<Props, 'resource' | 'list' | 'columns' | 'onExport'>) {
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
  // Busy, not disabled: a disabled button loses the focus.
  return (
    <Tool
      icon="download"
      label={say(words.export)}
      tip={isPhone ? undefined : say(words.exportHint)}
      aria-busy={running}
      spin={running}
      onClick={() => !running && void go()}
    />
  )
}

function SettingsButton({ columns, settings, onSettings }: Pick<Props, 'columns' | 'settings' | 'onSettings'>) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <Popup
      label={say(words.columns)}
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <ColumnSettings
          columns={columns}
          settings={settings}
          density={settings.density ?? 'medium'}
          onChange={onSettings}
        />
      }
    >
      <Tool icon="setting" label={say(words.columns)} />
    </Popup>
  )
}

/** On a phone, where no heading can be hit, the list is sorted here too. */
function PhoneSettingsButton(props: Pick<Props, 'resource' | 'list' | 'columns' | 'settings' | 'onSettings'>) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Tool icon="setting" label={say(words.listSettings)} onClick={() => setOpen(true)} />
      <Drawer
        open={open}
        placement="bottom"
        size="80dvh"
        title={say(words.listSettings)}
        onClose={() => setOpen(false)}
        destroyOnHidden
        className="kit-drawer"
      >
        <Suspense fallback={<span className="kit-skeleton" />}>
          <PhoneSettings {...props} />
        </Suspense>
      </Drawer>
    </>
  )
}
