import { Tag } from 'antd'
import { Link } from 'react-router'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { words } from './parity-words.ts'

export type ParityShop = {
  id: string
  shopId: string
  shopName: string
  name: string
  platform: string
  family: string
  papers: string
  isThere: boolean
  isOpen: boolean
  openLabel: string
  reviewLabel: string
  pausedTime: string
  pausedWhy: string
  syncError: string
  until: string
  daysLeft: number | ''
}

/** Licences that expire within this many days are marked. */
const SOON_DAYS = 30

/** The shops at the platforms: whether each is open, why one is paused, and when its licences expire. */
export function ParityShops({ shops }: { shops: ParityShop[] }) {
  return (
    <ul className="parity-shops">
      {shops.map((shop) => (
        <Shop key={shop.id} shop={shop} />
      ))}
    </ul>
  )
}

function Shop({ shop }: { shop: ParityShop }) {
  const t = useLocalize()
  const openState = shop.isThere ? shop.openLabel || shop.reviewLabel : t(words.notThere)
  return (
    <li className={shop.pausedTime ? 'parity-paused' : undefined}>
      <span className="parity-shop">
        <b>
          <RowLink to={shop.family} id={shop.id}>
            {shop.shopName || shop.name}
          </RowLink>
        </b>
        <span className="kit-quiet">{t(words[`on_${shop.platform}` as 'on_ele'])}</span>
        <Tag className="kit-tag" color={shop.isOpen ? 'success' : 'default'}>
          {openState}
        </Tag>
      </span>
      {shop.pausedTime && (
        <p>
          <Icon name="pause-circle" /> {t(words.paused)}
          {t({ zh: '：', en: ': ' })}
          {shop.pausedWhy}{' '}
          <small className="kit-quiet">
            {t(words.since)} <RelativeTime at={shop.pausedTime} /> · {t(words.again)}
          </small>
        </p>
      )}
      {shop.syncError && <p className="parity-why">{shop.syncError}</p>}
      <Papers shop={shop} />
    </li>
  )
}

function Papers({ shop: { id, papers, daysLeft } }: { shop: ParityShop }) {
  const t = useLocalize()
  const path = useResourcePath(papers)
  if (daysLeft === '' || daysLeft > SOON_DAYS) return null
  const text = daysLeft < 0 ? t(words.papersOver, { days: -daysLeft }) : t(words.papers, { days: daysLeft })
  return <p className="parity-why">{path ? <Link to={`${path}/${id}`}>{text}</Link> : text}</p>
}
