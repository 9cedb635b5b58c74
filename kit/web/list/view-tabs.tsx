import { useEffect } from 'react'
import { useLocalize } from '../base/language.tsx'
import { useLiveRefetch } from '../live/live.ts'
import { setStoredValue, getStoredValue } from '../base/storage.ts'
import { useListDefinition, useListRows, useListSavedViews, useCurrentList } from './list-scope.tsx'
import { initialListState } from './list-state.ts'
import { words } from '../base/list-words.ts'
import { viewCountText, usePlacedSavedViews } from './placed-views.ts'
import { changedTopicOf } from '../../resource/topic.ts'
import '../row/list-work.css'

/** Saved views as tabs above their list, each with its number of rows; nothing if there are none. */
export default function SavedViewTabs() {
  const t = useLocalize()
  const { resource } = useListDefinition()
  const { isPending } = useListRows()
  const { current } = useListSavedViews()
  const { set } = useCurrentList()
  const known = `view-tabs/${resource.name}`
  const { data: views, refetch } = usePlacedSavedViews('tab', { family: resource.name, enabled: !isPending })
  useLiveRefetch(changedTopicOf(resource), () => void (views?.length && refetch()))
  const hasTabs = views && views.length > 0
  useEffect(() => {
    if (views) setStoredValue(known, hasTabs)
  }, [views, hasTabs, known])
  // If there were tabs last time, keeps room for them, so that the rows do not move when they load.
  if (!views) return getStoredValue<boolean>(known) ? <div className="kit-view-tabs" /> : null
  if (!hasTabs) return null
  const choose = (id?: string) => set(({ detail }) => ({ ...initialListState(), detail, ...(id && { view: { id } }) }))
  return (
    <nav className="kit-view-tabs" aria-label={t(words.view)}>
      <button type="button" aria-current={!current} onClick={() => choose()}>
        {t(words.viewAll)}
      </button>
      {views.map((view) => (
        <button key={view.id} type="button" aria-current={current?.id === view.id} onClick={() => choose(view.id)}>
          {view.name} <span className="kit-view-count">{viewCountText(view)}</span>
        </button>
      ))}
    </nav>
  )
}
