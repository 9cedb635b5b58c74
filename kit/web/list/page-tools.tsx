import { lazy, Suspense } from 'react'
import type { IconName } from '#kit/base/icon-names.ts'
import { pluralOf } from '#kit/base/localized-text.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { Sheet } from '../parts/sheet.tsx'
import { Icon } from '../theme/icon.tsx'
import { useCurrentList, useListActions, useListDefinition, useListRows, useListSelection } from './list-scope.tsx'
import { useListExport, useCanSelectRows, useToolbarActions } from './list-toolbar.tsx'
import { formatListTotal } from './use-list.ts'

const ViewChooser = lazy(() => import('./view-chooser.tsx'))
const PhoneSettings = lazy(() => import('./phone-settings.tsx'))

type Tool = { icon: IconName; label: string; run: () => void }

/** Sheet with everything a list page offers beside its rows and filters. */
export default function PageTools({ onClose }: { onClose: () => void }) {
  const t = useLocalize()
  const { resource, page } = useListDefinition()
  const list = useCurrentList()
  const tools = useTools()
  return (
    <Sheet
      title={`${t(pluralOf(resource.label))} · ${t(words.total, { total: formatListTotal(list) })}`}
      isOpen
      onClose={onClose}
    >
      {page.intro && <p className="kit-quiet">{t(page.intro)}</p>}
      {page.toolbar && (
        <div className="kit-sheet-toolbar" onClick={onClose}>
          {page.toolbar(list)}
        </div>
      )}
      <ul className="kit-sheet-list">
        {tools.map(({ icon, label, run }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => {
                onClose()
                run()
              }}
            >
              <Icon name={icon} /> {label}
            </button>
          </li>
        ))}
      </ul>
      {!page.call && !page.embedded && (
        <Suspense>
          <ViewChooser />
        </Suspense>
      )}
      {!list.isTree && (
        <Suspense>
          <PhoneSettings />
        </Suspense>
      )}
    </Sheet>
  )
}

function useTools(): Tool[] {
  const t = useLocalize()
  const { resource, page, may } = useListDefinition()
  const { isTree, refetch } = useListRows()
  const { openBin, openImport, act } = useListActions()
  const { setChoosing } = useListSelection()
  const canSelect = useCanSelectRows(resource) || !!page.many
  const { run: exportRows } = useListExport()
  const declared = useToolbarActions().map(([name, action]): Tool => ({
    icon: action.icon ?? 'thunderbolt',
    label: t(action.label),
    run: () => act(name, action, []),
  }))
  const mayExport = page.onExport ? may.ownExport : may.export
  return [
    ...declared,
    ...(canSelect && !isTree
      ? [{ icon: 'select' as const, label: t(words.chooseMany), run: () => setChoosing(true) }]
      : []),
    ...(mayExport ? [{ icon: 'download' as const, label: t(words.exportHint), run: () => void exportRows() }] : []),
    ...(!page.embedded && may.import ? [{ icon: 'import' as const, label: t(words.import), run: openImport }] : []),
    ...(resource.restore && may.remove ? [{ icon: 'rest' as const, label: t(words.bin), run: openBin }] : []),
    { icon: 'reload', label: t(words.refresh), run: refetch },
  ]
}
