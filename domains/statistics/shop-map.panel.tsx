import { useRef } from 'react'
import { Link } from 'react-router'
import { useSay } from '#kit/web/language.tsx'
import { amount } from '#kit/web/parts/money.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { useWidth } from '#kit/web/list/use-width.ts'
import { homeWords as words } from './home-words.ts'
import { onMap, type Side } from './on-map.ts'
import { isOff, isPlaced, TAKES_MONEY } from './shop-state.ts'
import type { HomeShop } from './use-home.ts'

const HEIGHT = 420
/** Where the first line of two begins; one line alone stands half a line lower. */
const NAME: Record<Side, { dx: number; dy: number; anchor: 'start' | 'end' | 'middle' }> = {
  right: { dx: 20, dy: -3, anchor: 'start' },
  left: { dx: -14, dy: -3, anchor: 'end' },
  above: { dx: 0, dy: -32, anchor: 'middle' },
  below: { dx: 0, dy: 25, anchor: 'middle' },
}
const LINE = 17
const states = ['on', 'off', 'shut'] as const
const stateOf = (shop: HomeShop) => (shop.status !== TAKES_MONEY ? 'shut' : isOff(shop) ? 'off' : 'on')

/** Where the shops lie and how they are: shape and colour say the state, a small number what went wrong there. */
export default function ShopMap({ shops, hasOrders }: { shops: HomeShop[]; hasOrders: boolean }) {
  const say = useSay()
  const path = usePathOf('basicShopInfo')
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box) ?? 0
  const placed = shops.filter(isPlaced)
  const noteOf = (sales: string) => (hasOrders ? `¥${amount(sales)}` : undefined)
  const { spots, scale } = onMap(
    placed.map(({ id, shopName, longitude, latitude, today }) => ({
      id,
      name: shopName,
      note: noteOf(today.sales),
      longitude: longitude!,
      latitude: latitude!,
    })),
    Math.max(width, 200),
    HEIGHT,
  )
  const distance =
    scale.metres >= 1000
      ? say(words.kilometres, { count: scale.metres / 1000 })
      : say(words.metres, { count: scale.metres })
  return (
    <div className="home-card home-map">
      <div ref={box}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="group" aria-label={say(words.shops_map)}>
            <defs>
              <pattern id="home-map-grid" width={scale.width} height={scale.width} patternUnits="userSpaceOnUse">
                <path className="home-map-grid" d={`M ${scale.width} 0 H 0 V ${scale.width}`} />
              </pattern>
            </defs>
            <rect width={width} height={HEIGHT} fill="url(#home-map-grid)" />
            {spots.map(({ id, x, y, side }, at) => {
              const shop = placed[at]!
              const state = stateOf(shop)
              const wrong = shop.needs.filter(({ tone }) => tone === 'bad').reduce((sum, { count }) => sum + count, 0)
              const said = [
                shop.shopName,
                say(words[`map_${state}`]),
                noteOf(shop.today.sales),
                wrong > 0 && say(words.mapWrong, { count: wrong }),
              ]
                .filter(Boolean)
                .join(say(words.and))
              const mark = (
                <>
                  <circle r="22" className="home-map-touch" />
                  {state === 'shut' ? <rect x="-6" y="-6" width="12" height="12" rx="2" /> : <circle r="7" />}
                  {wrong > 0 && (
                    <>
                      <circle cx="9" cy="-9" r="8" className="home-map-badge" />
                      <text x="9" y="-5.5" textAnchor="middle" className="home-map-count">
                        {wrong > 9 ? '9+' : wrong}
                      </text>
                    </>
                  )}
                  {side && (
                    <text y={NAME[side].dy + (hasOrders ? 0 : LINE / 2)} textAnchor={NAME[side].anchor}>
                      <tspan x={NAME[side].dx}>{shop.shopName}</tspan>
                      {hasOrders && (
                        <tspan x={NAME[side].dx} dy={LINE} className="home-map-sales">
                          {noteOf(shop.today.sales)}
                        </tspan>
                      )}
                    </text>
                  )}
                </>
              )
              return (
                <g key={id} transform={`translate(${x} ${y})`} data-state={state} data-tip={said}>
                  {path ? (
                    <Link to={`${path}/${id}`} aria-label={said}>
                      {mark}
                    </Link>
                  ) : (
                    mark
                  )}
                </g>
              )
            })}
            <g className="home-map-scale" transform={`translate(8 ${HEIGHT - 10})`}>
              <path d={`M0 -5 V0 H${scale.width} V-5`} />
              <text x={scale.width + 8} y="0">
                {distance}
              </text>
            </g>
          </svg>
        )}
      </div>
      <footer>
        {states.map((state) => (
          <span key={state} data-state={state}>
            <i aria-hidden />
            {say(words[`map_${state}`])}
          </span>
        ))}
        {placed.length < shops.length && (
          <span className="kit-quiet">{say(words.notPlaced, { count: shops.length - placed.length })}</span>
        )}
      </footer>
    </div>
  )
}
