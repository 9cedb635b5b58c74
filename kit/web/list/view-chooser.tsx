import { App, Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useSlotContents } from '../base/page-slots.ts'
import { savedViewActionsSlot, type SavedViewAction } from './view-acts.ts'
import { useSession } from '../session/session.ts'
import { Icon } from '../theme/icon.tsx'
import type { IconName } from '../../base/icon-names.ts'
import { useLocalize, type LocalizedText, type LocalizeFunction } from '../base/language.tsx'
import { useListSavedViews } from './list-scope.tsx'
import { words } from '../base/list-words.ts'
import { useScreenSize } from '../base/screen.ts'
import { toast } from '../base/toast.ts'
import type { SavedView, SavedViewsOfList } from './use-views.ts'
import '../row/list-work.css'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

type Mode = 'new' | 'edit'

/** Menu that shows the current saved view, switches views, and saves, edits or removes them. */
export default function SavedViewChooser() {
  const t = useLocalize()
  const views = useListSavedViews()
  const isPhone = useScreenSize() === 0
  const [mode, setMode] = useState<Mode>()
  const { current, isChanged } = views
  const [act, setAct] = useState<SavedViewAction>()
  const acts = useActs(!!current)
  const run = {
    ...useViewActions(views, setMode),
    ...Object.fromEntries(acts.map((one) => [one.key, () => setAct(one)])),
  }

  return (
    <div className="kit-views">
      {current && isChanged && current.mayChange && (
        <Button type="link" size="small" onClick={run.save}>
          {t(words.viewSave)}
        </Button>
      )}
      <Dropdown
        autoFocus
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [...choices(views, t), { type: 'divider', key: '·line' }, ...rowActions(views, t, acts)],
          selectedKeys: [current?.id ?? 'all'],
          onClick: ({ key }) => (run[key] ? run[key]() : views.choose(key)),
        }}
      >
        <Button size={isPhone ? 'large' : 'middle'} icon={<Icon name="layout" />} aria-label={t(words.view)}>
          <span>
            {current ? current.name : t(words.view)}
            {current && isChanged && <span className="kit-quiet"> · {t(words.viewChanged)}</span>}
          </span>{' '}
          <Icon name="down" />
        </Button>
      </Dropdown>
      {act && current && (
        <Suspense>
          <act.Dialog view={current} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
      {mode && (
        <Suspense>
          <ViewDialog views={views} view={mode === 'edit' ? current : undefined} onClose={() => setMode(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** Returns the actions modules add for the current view that the user may take. */
function useActs(isOnView: boolean): SavedViewAction[] {
  const permissions = useSession((session) => session.permissions)
  const acts = useSlotContents(savedViewActionsSlot) ?? []
  return isOnView ? acts.filter(({ can }) => permissions[can] === true) : []
}

/** Returns what the menu entries other than views do, by key. */
function useViewActions(views: SavedViewsOfList, setMode: (mode: Mode) => void): Record<string, () => void> {
  const t = useLocalize()
  const { modal } = App.useApp()
  const { current } = views
  if (!current) return { new: () => setMode('new') }
  const { id, version, name, roleId } = current
  return {
    save: () =>
      void views.save({ id, version, name, roleId }).then(
        () => toast.success(t(words.viewSaved)),
        (reason: Error) => toast.error(reason.message),
      ),
    new: () => setMode('new'),
    edit: () => setMode('edit'),
    reset: () => views.choose(id),
    default: () => views.setDefault(id === views.defaultId ? undefined : id),
    remove: () =>
      modal.confirm({
        title: t(words.viewRemove),
        content: t(words.viewRemoveAsk, { name }),
        okButtonProps: { danger: true },
        onOk: () => views.remove(id),
      }),
  }
}

function choices({ all, defaultId }: SavedViewsOfList, t: LocalizeFunction) {
  const item = ({ id, name, roleName }: SavedView) => ({
    key: id,
    label: (
      <>
        {name}
        {id === defaultId && <span className="kit-quiet"> · {t(words.default)}</span>}
        {roleName && <span className="kit-quiet"> · {roleName}</span>}
      </>
    ),
  })
  const group = (key: string, label: LocalizedText, views: SavedView[]) =>
    views.length ? [{ type: 'group' as const, key, label: t(label), children: views.map(item) }] : []
  return [
    { key: 'all', label: t(words.viewAll) },
    ...group(
      '·own',
      words.viewMine,
      all.filter((view) => !view.roleId),
    ),
    ...group(
      '·shared',
      words.viewShared,
      all.filter((view) => view.roleId),
    ),
  ]
}

function rowActions(
  { current, isChanged, defaultId }: SavedViewsOfList,
  t: LocalizeFunction,
  acts: readonly SavedViewAction[],
) {
  const action = (key: string, label: LocalizedText, icon: IconName, danger?: boolean) => ({
    key,
    label: t(label),
    icon: <Icon name={icon} />,
    ...(danger && { danger }),
  })
  if (!current) return [action('new', words.viewSaveAs, 'plus')]
  const { mayChange } = current
  return [
    ...(isChanged && mayChange ? [action('save', words.viewSave, 'save')] : []),
    ...(isChanged ? [action('reset', words.viewReset, 'undo')] : []),
    action('new', words.viewSaveAs, 'plus'),
    ...(mayChange ? [action('edit', words.viewEdit, 'edit')] : []),
    action('default', current.id === defaultId ? words.viewNoDefault : words.viewDefault, 'pushpin'),
    ...acts.map(({ key, label, icon }) => action(key, label, icon)),
    ...(mayChange ? [action('remove', words.viewRemove, 'delete', true)] : []),
  ]
}
