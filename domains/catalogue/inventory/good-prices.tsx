import { Link } from 'react-router'
import { goodPriceLog } from '#domains/catalogue/products/index.ts'
import { priceTag } from '#domains/devices/shelf-labels/index.ts'
import { hasShownTagContent, TagPicture } from '#domains/devices/shelf-labels/ui.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { isPriceKnown, words } from './good-words.ts'
import './stock.css'

type PartProps = { title: LocalizedText; more?: { to: string; label: LocalizedText }; children: React.ReactNode }

function Part({ title, more, children }: PartProps) {
  const t = useLocalize()
  return (
    <div className="goods-card">
      <section className="goods-part">
        <h3>
          {t(title)}
          <span className="kit-grow" />
          {more && <Link to={more.to}>{t(more.label)}</Link>}
        </h3>
        {children}
      </section>
    </div>
  )
}

/** The electronic price tags of a product and the price each of them shows. */
export function GoodPriceTags({ goodId }: { goodId: string }) {
  const t = useLocalize()
  const path = useResourcePath('priceTag')
  const { rows, isPending } = useResourceList(priceTag, {
    inAddress: false,
    fixed: { goodId, size: 20, ascs: 'tagId' },
    enabled: !!path,
  })
  if (!path) return null
  return (
    <Part title={words.tags} more={{ to: `${path}?view=tags&goodId=${goodId}`, label: words.allTags }}>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : t(words.noTags)}</p>}
      <ul className="kit-rows">
        {rows.map((tag) => (
          <li key={String(tag.id)}>
            <span>
              {String(tag.tagId)}
              <small>
                {isPriceKnown(tag.shownPrice) && tag.shownPrice !== tag.wantedPrice ? (
                  t(words.shows, { shown: `¥${String(tag.shownPrice)}`, wanted: `¥${String(tag.wantedPrice)}` })
                ) : tag.lastSyncTime ? (
                  <RelativeTime at={String(tag.lastSyncTime)} />
                ) : (
                  '—'
                )}
              </small>
            </span>
            {hasShownTagContent(tag.shownContent) && (
              <TagPicture template={String(tag.template)} content={tag.shownContent} model={String(tag.model)} />
            )}
            <span>
              <DictTag code="price_tag_status" value={tag.status} label={String(tag.statusName ?? '')} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The latest price changes of a product. */
export function GoodPriceHistory({ goodId }: { goodId: string }) {
  const t = useLocalize()
  const path = useResourcePath('goodPriceLog')
  const { rows, isPending } = useResourceList(goodPriceLog, {
    inAddress: false,
    fixed: { goodId, size: 8 },
    enabled: !!path,
  })
  if (!path) return null

  const pair = (was: unknown, now: unknown) => (
    <>
      {isPriceKnown(was) ? <Money value={was} /> : '—'} → {isPriceKnown(now) ? <Money value={now} /> : '—'}
    </>
  )
  const changes = [
    ['oldPrice', 'newPrice', words.price],
    ['oldVipPrice', 'newVipPrice', words.vipPrice],
    ['oldCostPrice', 'newCostPrice', words.costPrice],
  ] as const

  return (
    <Part title={words.prices}>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : t(words.noPrices)}</p>}
      <ul className="kit-rows">
        {rows.map((row) => {
          const isFirst = !isPriceKnown(row.oldPrice)
          return (
            <li key={String(row.id)}>
              <span>
                <RelativeTime at={String(row.createTime)} />
                <small>{isFirst ? t(words.first) : String(row.operatorName ?? '')}</small>
              </span>
              <span>
                {changes
                  .filter(([was, now]) => (isFirst ? isPriceKnown(row[now]) : row[was] !== row[now]))
                  .map(([was, now, label]) => (
                    <span key={now} className="goods-price-line">
                      <span className="kit-quiet">{t(label)}</span>{' '}
                      {isFirst ? <Money value={row[now]} /> : pair(row[was], row[now])}
                    </span>
                  ))}
              </span>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}
