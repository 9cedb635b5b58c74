import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from './desk-words.ts'
import { riskTone } from './desk-queue.tsx'
import type { DeskOverview } from './use-desk.ts'

type Props = { desk: DeskOverview; value: string; onChange: (shopId: string) => void }

/** Filter by shop: shows the shops with cases or offline, the riskiest first; choosing one filters the queue. */
export function DeskShopFilter({ desk, value, onChange }: Props) {
  const t = useLocalize()
  const busy = desk.shops
    .map((shop) => {
      const cases = desk.cases.filter((one) => one.shopId === shop.id)
      return { ...shop, count: cases.length, risk: Math.max(0, ...cases.map(({ risk }) => risk)) }
    })
    .filter(({ count, isOffline, id }) => count > 0 || isOffline || id === value)
    .toSorted((a, b) => b.risk - a.risk || b.count - a.count)
  return (
    <section
      className="guard-shops"
      aria-label={t(words.shops, { busy: busy.length, calm: desk.shops.length - busy.length })}
    >
      <span className="kit-quiet">{t(words.shops, { busy: busy.length, calm: desk.shops.length - busy.length })}</span>
      <button type="button" aria-pressed={!value} onClick={() => onChange('')}>
        {t(words.allShops)}
      </button>
      {busy.map((shop) => (
        <button
          key={shop.id}
          type="button"
          aria-pressed={shop.id === value}
          data-tone={riskTone(shop.risk)}
          onClick={() => onChange(shop.id === value ? '' : shop.id)}
        >
          {shop.name}
          {shop.count > 0 && <b>{shop.count}</b>}
          {shop.isOffline && <small>{t(words.away)}</small>}
        </button>
      ))}
    </section>
  )
}
