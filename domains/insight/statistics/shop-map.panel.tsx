import { useRef } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useElementWidth } from '#kit/web/list/use-width.ts'
import { layOutShopMap, type ShopMapLayout, type MapPoint } from './on-map.ts'
import { homeWords as words } from './home-words.ts'
import { hasShopCoordinates } from './shop-state.ts'
import type { HomeShop } from './use-home.ts'
import { ShopMapMarker, SHOP_MAP_STATES, formatSalesYuan } from './shop-spot.tsx'

const HEIGHT = 420

/** Map of the shops: shape and colour show the state, a small number the problems. */
export default function ShopMap({ shops, hasOrders }: { shops: HomeShop[]; hasOrders: boolean }) {
  const t = useLocalize()
  const box = useRef<HTMLDivElement>(null)
  const width = useElementWidth(box) ?? 0
  const placed = shops.filter(hasShopCoordinates)
  const { spots, scale } = layOutShopMap(placesOf(placed, hasOrders), Math.max(width, 200), HEIGHT)
  return (
    <div className="home-card home-map">
      <div ref={box}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="group" aria-label={t(words.shops_map)}>
            <defs>
              <pattern id="home-map-grid" width={scale.width} height={scale.width} patternUnits="userSpaceOnUse">
                <path className="home-map-grid" d={`M ${scale.width} 0 H 0 V ${scale.width}`} />
              </pattern>
            </defs>
            <rect width={width} height={HEIGHT} fill="url(#home-map-grid)" />
            {spots.map((spot, at) => (
              <ShopMapMarker key={spot.id} spot={spot} shop={placed[at]!} hasOrders={hasOrders} />
            ))}
            <Scale scale={scale} />
          </svg>
        )}
      </div>
      <Legend notPlaced={shops.length - placed.length} />
    </div>
  )
}

const placesOf = (placed: HomeShop[], hasOrders: boolean): MapPoint[] =>
  placed.map(({ id, shopName, longitude, latitude, today }) => ({
    id,
    name: shopName,
    note: hasOrders ? formatSalesYuan(today.sales) : undefined,
    longitude: longitude!,
    latitude: latitude!,
  }))

function Scale({ scale: { metres, width } }: Pick<ShopMapLayout, 'scale'>) {
  const t = useLocalize()
  return (
    <g className="home-map-scale" transform={`translate(8 ${HEIGHT - 10})`}>
      <path d={`M0 -5 V0 H${width} V-5`} />
      <text x={width + 8} y="0">
        {metres >= 1000 ? t(words.kilometres, { count: metres / 1000 }) : t(words.metres, { count: metres })}
      </text>
    </g>
  )
}

function Legend({ notPlaced }: { notPlaced: number }) {
  const t = useLocalize()
  return (
    <footer>
      {SHOP_MAP_STATES.map((state) => (
        <span key={state} data-state={state}>
          <i aria-hidden />
          {t(words[`map_${state}`])}
        </span>
      ))}
      {notPlaced > 0 && <span className="kit-quiet">{t(words.notPlaced, { count: notPlaced })}</span>}
    </footer>
  )
}
