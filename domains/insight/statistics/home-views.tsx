import { formatAmount } from '#kit/fields/money/cents.ts'
import { Link } from 'react-router'
import { useLocalize } from '#kit/web/base/language.tsx'
import { viewCountText, usePlacedSavedViews, type PlacedSavedView } from '#kit/web/list/placed-views.ts'
import { useResourcePathFinder } from '#kit/web/inputs/row-link.tsx'
import { homeWords as words } from './home-words.ts'
import { ResourceChangeListener, useOnHomeChanged } from './use-home.ts'

/** Tiles of saved views on the home page: number of rows, sums and a link. */
export function SavedViewTiles() {
  const t = useLocalize()
  const pathOf = useResourcePathFinder()
  const { data: views = [], refetch } = usePlacedSavedViews('tile')
  const changed = useOnHomeChanged(() => void refetch())
  const shown = views.flatMap((view) => {
    const path = pathOf(view.resource)
    return path ? [{ view, to: `${path}?view=${view.id}` }] : []
  })
  if (!shown.length) return null
  return (
    <nav className="home-views" aria-label={t(words.views)}>
      {[...new Set(shown.map(({ view }) => view.resource))].map((resource) => (
        <ResourceChangeListener key={resource} resource={resource} onChange={changed} />
      ))}
      {shown.map(({ view, to }) => (
        <Tile key={view.id} view={view} to={to} />
      ))}
    </nav>
  )
}

function Tile({ view, to }: { view: PlacedSavedView; to: string }) {
  const { name, label, amountLabel } = view
  return (
    <Link className="home-card home-view" to={to}>
      <span className="home-label">
        {name}
        <small>{label}</small>
      </span>
      <strong className="home-value">{viewCountText(view) || '—'}</strong>
      {view.amount !== undefined && (
        <span className="home-against">
          <span className="kit-quiet">{amountLabel}</span>{' '}
          <span className="kit-number">¥{formatAmount(view.amount)}</span>
        </span>
      )}
    </Link>
  )
}
