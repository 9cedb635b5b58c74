import { useQuery } from '@tanstack/react-query'
import { Switch } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { callApi } from '#kit/web/http/call.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { changedTopicOf } from '#kit/resource/index.ts'
import '#kit/web/base/kit.css'
import { priceTagLoopCall } from './price-loop.calls.ts'
import './registers.css'

const words = {
  title: { zh: '价格核对', en: 'Price audit' },
  intro: {
    zh: '后台售价、价签显示、收银机最近一笔实收单价，不一致的按差额排序',
    en: 'Listed price, ESL price and the last price charged at the register. Largest mismatch first.',
  },
  shop: { zh: '门店', en: 'Store' },
  allShops: { zh: '全部门店', en: 'All stores' },
  whole: { zh: '含一致的', en: 'Include matches' },
  differing: { zh: '{differing} 种价格不一致', en: '{differing} {differing|price differs|prices differ}' },
  good: { zh: '商品', en: 'Products' },
  file: { zh: '后台', en: 'Back office' },
  tag: { zh: '价签', en: 'ESL tag' },
  till: { zh: '收银机', en: 'Register' },
  difference: { zh: '差额', en: 'Difference' },
  behind: { zh: '{behind}/{tags} 个未更新', en: '{behind} of {tags} not updated' },
  none: { zh: '价格都一致', en: 'All prices match' },
  noneHint: { zh: '价签和收银机都按后台售价', en: 'ESL tags and registers match the listed price' },
}

type Row = {
  id: string
  name: string
  upc: string
  shopName: string
  filePrice: string
  fileTime: string
  tags: number
  tagLow: string
  tagHigh: string
  behind: number
  tagTime: string
  tillPrice: string
  tillTime: string
  difference: string
}

const AGAIN_MS = 20_000

/** Compares each product's stored price with its tags and the registers, with the age of each. */
export default function PriceAuditPage() {
  const t = useLocalize()
  const [shopId, setShop] = useState('')
  const [isWhole, setWhole] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['price-loop', shopId, isWhole],
    queryFn: () => callApi(priceTagLoopCall, { shopId: shopId || undefined, isWhole }, { quiet: true }),
    refetchInterval: AGAIN_MS,
  })
  useLiveRefetch(changedTopicOf('priceTag'), refetch)
  return (
    <div className="kit-page price-loop">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <div className="price-loop-bar">
        <div className="price-loop-shop">
          <RowPicker
            to="basicShopInfo"
            label={t(words.shop)}
            value={shopId}
            placeholder={t(words.allShops)}
            onChange={setShop}
          />
        </div>
        <label htmlFor="loop-whole">
          <Switch id="loop-whole" size="small" checked={isWhole} onChange={setWhole} /> {t(words.whole)}
        </label>
        {!!data?.differing && <strong>{t(words.differing, { differing: data.differing })}</strong>}
      </div>
      {error && <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />}
      {data && !data.rows.length && (
        <EmptyStateNote icon="check-circle" title={t(words.none)} hint={t(words.noneHint)} />
      )}
      {!!data?.rows.length && <Prices rows={data.rows} />}
    </div>
  )
}

function Prices({ rows }: { rows: readonly Row[] }) {
  const t = useLocalize()

  return (
    <table className="price-loop-table">
      <thead>
        <tr>
          {(['good', 'file', 'tag', 'till', 'difference'] as const).map((key) => (
            <th key={key} scope="col">
              {t(words[key])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <Link to={`/goods/good/${row.id}`}>{row.name}</Link>
              <small>
                {row.upc} · {row.shopName}
              </small>
            </th>
            <Price label={t(words.file)} at={row.fileTime}>
              <Money value={row.filePrice} />
            </Price>
            <Price label={t(words.tag)} at={row.tagTime} isOff={row.behind > 0}>
              {row.tagLow ? <Money value={row.tagLow} /> : '—'}
              {row.tagHigh !== row.tagLow && (
                <>
                  –<Money value={row.tagHigh} />
                </>
              )}
              {row.behind > 0 && <small>{t(words.behind, { behind: row.behind, tags: row.tags })}</small>}
            </Price>
            <Price
              label={t(words.till)}
              at={row.tillTime}
              isOff={row.tillTime > row.fileTime && row.tillPrice !== row.filePrice}
            >
              {row.tillPrice ? <Money value={row.tillPrice} /> : '—'}
            </Price>
            <td data-label={t(words.difference)} className="price-loop-money">
              <Money value={row.difference} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type PriceProps = { label: string; at: string; isOff?: boolean; children: ReactNode }

function Price({ label, at, isOff = false, children }: PriceProps) {
  return (
    <td data-label={label} data-off={isOff}>
      <span>{children}</span>
      <small>{at ? <RelativeTime at={at} /> : '—'}</small>
    </td>
  )
}
