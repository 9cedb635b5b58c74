import { Link } from 'react-router'
import { useLocalize } from '#kit/web/language.tsx'
import { countText, usePlacedViews, type PlacedView } from '#kit/web/list/placed-views.ts'
import { usePathFinder } from '#kit/web/list/row-link.tsx'
import { amount } from '#kit/web/parts/money.tsx'
import { homeWords as words } from './home-words.ts'
import { Hears, useHomeChanged } from './use-home.ts'

/** Saved views on the home page: how many rows each finds now, what they come to, and the way to them. */
export function ViewTiles() {
  const t = useLocalize()
  const pathOf = usePathFinder()
  const { data: views = [], refetch } = usePlacedViews('tile')
  const changed = useHomeChanged(() => void refetch())
  const shown = views.flatMap((view) => {
    const path = pathOf(view.resource)
    return path ? [{ view, to: `${path}?view=${view.id}` }] : []
  })
  if (!shown.length) return null
  return (
    <nav className="home-views" aria-label={t(words.views)}>
      {[...new Set(shown.map(({ view }) => view.resource))].map((resource) => (
        <Hears key={resource} resource={resource} onChange={changed} />
      ))}
      {shown.map(({ view, to }) => (
        <Tile key={view.id} view={view} to={to} />
      ))}
    </nav>
  )
}

function Tile({ view, to }: { view: PlacedView; to: string }) {
  const { name, label, amountLabel } = view
  return (
    <Link className="home-card home-view" to={to}>
      <span className="home-label">
        {name}
        <small>{label}</small>
      </span>
      <strong className="home-value">{countText(view) || '—'}</strong>
      {view.amount !== undefined && (
        <span className="home-against">
          <span className="kit-quiet">{amountLabel}</span> <span className="kit-number">¥{amount(view.amount)}</span>
        </span>
      )}
    </Link>
  )
}
