import { formatAmount } from '#kit/fields/money/cents.ts'
import { Link } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useRowPath } from '#kit/web/inputs/row-link.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { NothingToDoNote, HomeFigures, MaybeLink, Shortcuts, useTodoListPath } from './home-parts.tsx'
import { ShopCard } from './home-shops.tsx'
import { SavedViewTiles } from './home-views.tsx'
import { homeWords as words } from './home-words.ts'
import type { HomeOverview, WaitingTodo, WaitingTodoLine } from './use-home.ts'

/** Home page of a clerk: shortcuts, the to-do items row by row, and the state of the shop. */
export function ClerkHome({ home, shopId, hasOrders }: { home: HomeOverview; shopId: string; hasOrders: boolean }) {
  const t = useLocalize()
  const shops = shopId ? home.shops.filter((shop) => shop.id === shopId) : home.shops
  return (
    <div className="home-clerk">
      <Shortcuts shortcuts={home.shortcuts} />
      <section className="home-todo">
        <h2>{t(words.todo)}</h2>
        {!home.needs.length && (
          <div className="home-card">
            <NothingToDoNote />
          </div>
        )}
        <div>
          {home.needs.map((need) => (
            <Todo key={need.key} need={need} />
          ))}
        </div>
      </section>
      <SavedViewTiles />
      {home.shops.length > 0 && (
        <section className="home-shops">
          <h2>{t(words.shopNow)}</h2>
          <ul>
            {shops.map((shop) => (
              <li key={shop.id}>
                <ShopCard shop={shop} hasOrders={hasOrders} hasNeeds={false} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {hasOrders && <HomeFigures home={home} shopId={shopId} />}
    </div>
  )
}

function Todo({ need }: { need: WaitingTodo }) {
  const t = useLocalize()
  const to = useTodoListPath(need)
  const rows = need.rows ?? []
  return (
    <section className={`home-card home-work home-${need.tone}`}>
      <MaybeLink to={to} className={`home-need home-${need.tone}`}>
        <Icon name={need.icon} />
        <span>
          {need.label}
          {need.amount && <small className="kit-quiet"> ¥{formatAmount(need.amount)}</small>}
        </span>
        <strong>{need.count}</strong>
        {to && <Icon name="right" />}
      </MaybeLink>
      {rows.length > 0 && (
        <ul>
          {rows.slice(0, SHOWN).map((row) => (
            <li key={row.id}>
              <TodoLine need={need} row={row} />
            </li>
          ))}
        </ul>
      )}
      {need.count > SHOWN && rows.length > SHOWN && to && (
        <Link className="home-rest" to={to}>
          {t(words.rest, { count: need.count - SHOWN })}
        </Link>
      )}
    </section>
  )
}

const SHOWN = 3

function TodoLine({ need, row }: { need: WaitingTodo; row: WaitingTodoLine }) {
  const t = useLocalize()
  const path = useRowPath(need.resource, row.id)
  const isDay = row.time.length === 10
  return (
    <MaybeLink className="home-line" to={row.to || path}>
      <span>
        <strong>{row.title}</strong>
        {row.notes && <small>{row.notes}</small>}
      </span>
      {row.time && (
        <span className={row.isLate ? 'home-bad' : 'kit-quiet'}>
          {row.isLate && <Icon name="clock-circle" label={t(words.late)} />}
          {isDay ? row.time : <RelativeTime at={row.time} />}
        </span>
      )}
    </MaybeLink>
  )
}
