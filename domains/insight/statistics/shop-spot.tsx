import { formatAmount } from '#kit/fields/money/cents.ts'
import { Link } from 'react-router'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { homeWords as words } from './home-words.ts'
import type { MapLabelSide, ShopMapSpot as SpotAt } from './on-map.ts'
import { isOpenShopOffline, SHOP_STATUS_OPEN } from './shop-state.ts'
import type { HomeShop } from './use-home.ts'

/** Position of a label's first line of two; a single line is placed half a line lower. */
const NAME: Record<MapLabelSide, { dx: number; dy: number; anchor: 'start' | 'end' | 'middle' }> = {
  right: { dx: 20, dy: -3, anchor: 'start' },
  left: { dx: -14, dy: -3, anchor: 'end' },
  above: { dx: 0, dy: -32, anchor: 'middle' },
  below: { dx: 0, dy: 25, anchor: 'middle' },
}
const LINE = 17
export const SHOP_MAP_STATES = ['on', 'off', 'shut'] as const
const stateOf = (shop: HomeShop) => (shop.status !== SHOP_STATUS_OPEN ? 'shut' : isOpenShopOffline(shop) ? 'off' : 'on')

export const formatSalesYuan = (sales: string) => `¥${formatAmount(sales)}`

type Props = { spot: SpotAt; shop: HomeShop; hasOrders: boolean }

/** Marker of a shop on the map, a link to its page for people who may see it; also has a text for screen readers. */
export function ShopMapMarker({ spot: { x, y, side }, shop, hasOrders }: Props) {
  const t = useLocalize()
  const path = useResourcePath('basicShopInfo')
  const state = stateOf(shop)
  const wrong = shop.needs.filter(({ tone }) => tone === 'bad').reduce((sum, { count }) => sum + count, 0)
  const tooltip = [
    shop.shopName,
    t(words[`map_${state}`]),
    hasOrders && formatSalesYuan(shop.today.sales),
    wrong > 0 && t(words.mapWrong, { count: wrong }),
  ]
    .filter(Boolean)
    .join(t(words.and))
  const mark = (
    <>
      <circle r="22" className="home-map-touch" />
      {state === 'shut' ? <rect x="-6" y="-6" width="12" height="12" rx="2" /> : <circle r="7" />}
      {wrong > 0 && <Badge count={wrong} />}
      {side && <Name shop={shop} side={side} hasOrders={hasOrders} />}
    </>
  )
  return (
    <g transform={`translate(${x} ${y})`} data-state={state} data-tip={tooltip}>
      {path ? (
        <Link to={`${path}/${shop.id}`} aria-label={tooltip}>
          {mark}
        </Link>
      ) : (
        mark
      )}
    </g>
  )
}

const Badge = ({ count }: { count: number }) => (
  <>
    <circle cx="9" cy="-9" r="8" className="home-map-badge" />
    <text x="9" y="-5.5" textAnchor="middle" className="home-map-count">
      {count > 9 ? '9+' : count}
    </text>
  </>
)

type NameProps = { shop: HomeShop; side: MapLabelSide; hasOrders: boolean }

const Name = ({ shop, side, hasOrders }: NameProps) => (
  <text y={NAME[side].dy + (hasOrders ? 0 : LINE / 2)} textAnchor={NAME[side].anchor}>
    <tspan x={NAME[side].dx}>{shop.shopName}</tspan>
    {hasOrders && (
      <tspan x={NAME[side].dx} dy={LINE} className="home-map-sales">
        {formatSalesYuan(shop.today.sales)}
      </tspan>
    )}
  </text>
)
