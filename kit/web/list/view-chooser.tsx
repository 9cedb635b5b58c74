import { App, Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../theme/icon.tsx'
import { useSay } from '../language.tsx'
import { words } from './list-words.ts'
import { useScreen } from '../screen.ts'
import { toast } from '../parts/toast.ts'
import type { View, Views } from './use-views.ts'
import './list-work.css'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

type Mode = 'new' | 'edit'

/** Which saved view the list shows, and what can be done with views. */
export default function ViewChooser({ views }: { views: Views }) {
  const say = useSay()
  const { modal } = App.useApp()
  const isPhone = useScreen() === 0
  const [mode, setMode] = useState<Mode>()
  const { current, isChanged, all } = views
  const item = (view: View) => ({
    key: view.id,
    label: (
      <>
        {view.name}
        {view.id === views.defaultId && <span className="kit-quiet"> · {say(words.default)}</span>}
        {view.roleName && <span className="kit-quiet"> · {view.roleName}</span>}
      </>
    ),
  })
  const own = all.filter((view) => !view.roleId).map(item)
  const shared = all.filter((view) => view.roleId).map(item)
  const saveCurrent = () =>
    void views.save({ id: current!.id, version: current!.version, name: current!.name, roleId: current!.roleId }).then(
      () => toast.success(say(words.viewSaved)),
      (reason: Error) => toast.error(reason.message),
    )
  const run: Record<string, () => void> = {
    ...Object.fromEntries([...all.map(({ id }) => id), 'all'].map((id) => [id, () => views.choose(id)])),
    save: saveCurrent,
    new: () => setMode('new'),
    edit: () => setMode('edit'),
    reset: () => views.choose(current!.id),
    default: () => views.setDefault(current!.id === views.defaultId ? undefined : current!.id),
    remove: () =>
      modal.confirm({
        title: say(words.viewRemove),
        content: say(words.viewRemoveAsk, { name: current!.name }),
        okButtonProps: { danger: true },
        onOk: () => views.remove(current!.id),
      }),
  }
  const items = [
    { key: 'all', label: say(words.viewAll) },
    ...(own.length ? [{ type: 'group' as const, key: '·own', label: say(words.viewMine), children: own }] : []),
    ...(shared.length
      ? [{ type: 'group' as const, key: '·shared', label: say(words.viewShared), children: shared }]
      : []),
    { type: 'divider' as const, key: '·line' },
    ...(current && isChanged && current.mayChange
      ? [{ key: 'save', label: say(words.viewSave), icon: <Icon name="save" /> }]
      : []),
    ...(current && isChanged ? [{ key: 'reset', label: say(words.viewReset), icon: <Icon name="undo" /> }] : []),
    { key: 'new', label: say(words.viewSaveAs), icon: <Icon name="plus" /> },
    ...(current?.mayChange ? [{ key: 'edit', label: say(words.viewEdit), icon: <Icon name="edit" /> }] : []),
    ...(current
      ? [
          {
            key: 'default',
            label: say(current.id === views.defaultId ? words.viewNoDefault : words.viewDefault),
            icon: <Icon name="pushpin" />,
          },
        ]
      : []),
    ...(current?.mayChange
      ? [{ key: 'remove', label: say(words.viewRemove), icon: <Icon name="delete" />, danger: true }]
      : []),
  ]
  return (
    <div className="kit-views">
      {current && isChanged && current.mayChange && (
        <Button type="link" size="small" onClick={saveCurrent}>
          {say(words.viewSave)}
        </Button>
      )}
      <Dropdown
        autoFocus
        trigger={['click']}
        placement="bottomRight"
        menu={{ items, selectedKeys: [current?.id ?? 'all'], onClick: ({ key }) => run[key]?.() }}
      >
        <Button size={isPhone ? 'large' : 'middle'} icon={<Icon name="layout" />} aria-label={say(words.view)}>
          <span>
            {current ? current.name : say(words.view)}
            {current && isChanged && <span className="kit-quiet"> · {say(words.viewChanged)}</span>}
          </span>{' '}
          <Icon name="down" />
        </Button>
      </Dropdown>
      {mode && (
        <Suspense>
          <ViewDialog views={views} view={mode === 'edit' ? current : undefined} onClose={() => setMode(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
