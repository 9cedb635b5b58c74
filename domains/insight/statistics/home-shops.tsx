import { formatAmount } from '#kit/fields/money/cents.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useHasPermission } from '#kit/web/session/can.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath, useRowPath } from '#kit/web/inputs/row-link.tsx'
import { MaybeLink, formatChangePercent } from './home-parts.tsx'
import { homeWords as words } from './home-words.ts'
import { isOpenShopOffline, hasShopCoordinates, isShopNeedingAttention, SHOP_STATUS_OPEN } from './shop-state.ts'
import type { HomeShop } from './use-home.ts'

const ShopMap = lazy(() => import('./shop-map.panel.tsx'))

const MANY = 12
type View = 'attention' | 'all' | 'map'

/** List of shops with their state, as cards or a map; those with problems first. */
export function HomeShopList({ shops, hasOrders }: { shops: HomeShop[]; hasOrders: boolean }) {
  const uneasy = shops.filter(isShopNeedingAttention)
  const [chosen, setView] = useState<View>()
  const view = chosen ?? (shops.length > MANY && uneasy.length ? 'attention' : 'all')
  const rows = (view === 'attention' ? uneasy : shops).toSorted(
    (a, b) => Number(isShopNeedingAttention(b)) - Number(isShopNeedingAttention(a)),
  )
  return (
    <section className="home-shops">
      <Bar shops={shops} view={view} onView={setView} />
      {!shops.length && <NoShops />}
      {view === 'map' ? (
        <Suspense
          fallback={
            <div className="home-card home-map">
              <span className="kit-skeleton" />
            </div>
          }
        >
          <ShopMap shops={shops} hasOrders={hasOrders} />
        </Suspense>
      ) : (
        <ul>
          {rows.map((shop) => (
            <li key={shop.id}>
              <ShopCard shop={shop} hasOrders={hasOrders} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Returns the views that make sense: problems, all, or the map. */
function viewsOf(shops: HomeShop[]): View[] {
  const uneasy = shops.filter(isShopNeedingAttention).length
  return [
    ...(uneasy && uneasy < shops.length ? ['attention' as const] : []),
    'all',
    ...(shops.filter(hasShopCoordinates).length > 1 ? ['map' as const] : []),
  ]
}

type BarProps = { shops: HomeShop[]; view: View; onView: (view: View) => void }

function Bar({ shops, view, onView }: BarProps) {
  const t = useLocalize()
  const open = shops.filter((shop) => shop.status === SHOP_STATUS_OPEN)
  const views = viewsOf(shops)
  const counts = { attention: ` ${shops.filter(isShopNeedingAttention).length}`, all: ` ${shops.length}`, map: '' }
  return (
    <div className="home-bar">
      <h2>
        {t(words.shops)}
        <small className="kit-quiet">
          {t(words.shopCount, { open: open.length, online: open.filter((shop) => shop.online).length })}
        </small>
      </h2>
      {views.length > 1 && (
        <Segmented
          value={view}
          onChange={onView}
          aria-label={t(words.shops)}
          options={views.map((one) => ({ value: one, label: `${t(words[`shops_${one}`])}${counts[one]}` }))}
        />
      )}
    </div>
  )
}

function NoShops() {
  const t = useLocalize()
  const path = useResourcePath('basicShopInfo')
  const mayAdd = useHasPermission('basicShopInfo_add')
  return (
    <p className="home-card kit-quiet">
      {t(words.noShops)}. {t(words.noShopsHint)}
      {mayAdd && path && (
        <>
          {' '}
          <Link to={path}>{t(words.addShop)}</Link>
        </>
      )}
    </p>
  )
}

/**
 * Card of a shop: name, whether it is online, today's sales compared with yesterday, and its to-do items unless they
 * are shown elsewhere.
 */
export function ShopCard({
  shop,
  hasOrders,
  hasNeeds = true,
}: {
  shop: HomeShop
  hasOrders: boolean
  hasNeeds?: boolean
}) {
  const t = useLocalize()
  const path = useRowPath('basicShopInfo', shop.id)
  const [now, then] = [Number(shop.today.sales), Number(shop.yesterdaySoFar.sales)]

  return (
    <MaybeLink className={`home-card home-shop${isOpenShopOffline(shop) ? ' home-shop-off' : ''}`} to={path}>
      <header>
        <strong>{shop.shopName}</strong>
        <ShopState shop={shop} />
      </header>
      {hasOrders && (
        <p>
          <strong key={shop.today.sales} className="home-value">
            ¥{formatAmount(shop.today.sales)}
          </strong>
          <span className="kit-quiet">{t(words.shopOrders, { count: shop.today.orders })}</span>
          {now !== then && (
            <span
              className={now > then ? 'home-good' : 'home-bad'}
              data-tip={t(words.wasByNow, {
                day: t(words.yesterday),
                value: `¥${formatAmount(shop.yesterdaySoFar.sales)}`,
              })}
            >
              <Icon
                name={now > then ? 'arrow-up' : 'arrow-down'}
                label={t(now > then ? words.up : words.down, { share: '' })}
              />
              {then ? formatChangePercent((now - then) / then) : t(words.fromNone)}
            </span>
          )}
        </p>
      )}
      {hasNeeds && (
        <footer>
          {shop.needs.length ? (
            shop.needs.map((need) => (
              <span key={need.key} data-tone={need.tone}>
                {need.label} {need.count}
              </span>
            ))
          ) : (
            <span className="home-fine">
              <Icon name="check" />
              {t(words.calm)}
            </span>
          )}
        </footer>
      )}
    </MaybeLink>
  )
}

function ShopState({ shop }: { shop: HomeShop }) {
  const t = useLocalize()
  if (shop.status !== SHOP_STATUS_OPEN) return <DictTag code="shop_status" value={shop.status} />
  return (
    <span className={shop.online ? 'home-on' : 'home-off'}>
      <i aria-hidden />
      {t(shop.online ? words.online : words.offline)}
    </span>
  )
}
