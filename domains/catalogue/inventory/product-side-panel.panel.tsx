import type { WireRow } from '#kit/resource/index.ts'
import type { goodInfo } from '#domains/catalogue/products/index.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useHasPermission } from '#kit/web/session/can.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { Link } from 'react-router'
import { ExpiryText } from './expiry.tsx'
import { storageBatch } from './storage-batch.resource.ts'
import { storageLog } from './storage-log.resource.ts'
import { useSales } from './use-sales.ts'
import './stock.css'

type Row = WireRow<typeof goodInfo>

const ReceiveDialog = lazy(() => import('./receive.panel.tsx'))

const words = {
  sales: { zh: '近 30 天销量', en: 'Sales in the last 30 days' },
  sold: { zh: '{count} 件，有货时日均 {average}', en: '{count}, {average} per day while in stock' },
  day: { zh: '{date} 售出 {count}', en: '{date}: {count} sold' },
  batches: { zh: '库存批次', en: 'Stock by batch' },
  batchHint: { zh: '先到期先出', en: 'first expired, first out' },
  noBatches: { zh: '没有库存批次', en: 'No stock batches' },
  left: { zh: '剩 {left} / {all}', en: '{left} of {all} left' },
  ledger: { zh: '库存流水', en: 'Stock movements' },
  all: { zh: '全部流水', en: 'All movements' },
  after: { zh: '余 {after}', en: '{after} after' },
  none: { zh: '还没有变动', en: 'No movements yet' },
  receive: { zh: '入库', en: 'Receive stock' },
  page: { zh: '打开商品页', en: 'Open product page' },
}

/** Side panel of a product: its sales, its batches with pieces left and its latest stock movements. */
export default function ProductSidePanel({ good }: { good: Row }) {
  const t = useLocalize()
  const may = {
    batches: !!useResourcePath('storageBatch'),
    ledger: !!useResourcePath('storageLog'),
    receive: useHasPermission('storageBatch_add'),
  }
  const [isReceiving, setReceiving] = useState(false)
  return (
    <div className="goods-beside">
      <Sales goodId={String(good.id)} />
      {may.batches && <GoodBatches goodId={String(good.id)} />}
      {may.receive && (
        <Button icon={<Icon name="import" />} onClick={() => setReceiving(true)}>
          {t(words.receive)}
        </Button>
      )}
      <Link to={`/goods/good/${String(good.id)}`}>{t(words.page)}</Link>
      {may.ledger && <GoodStockLedger goodId={String(good.id)} />}
      <Suspense>{isReceiving && <ReceiveDialog good={good} onClose={() => setReceiving(false)} />}</Suspense>
    </div>
  )
}

function Sales({ goodId }: { goodId: string }) {
  const t = useLocalize()
  const { data } = useSales(goodId)
  const most = Math.max(1, ...(data?.days.map(({ sold }) => sold) ?? []))
  return (
    <section>
      <h3>
        {t(words.sales)}
        {data && (
          <span className="kit-quiet">
            {t(words.sold, { count: data.total, average: data.rate.perDay.toFixed(1) })}
          </span>
        )}
      </h3>
      <div
        className="goods-days"
        role="img"
        aria-label={
          data
            ? `${t(words.sales)}: ` + `${t(words.sold, { count: data.total, average: data.rate.perDay.toFixed(1) })}`
            : t(words.sales)
        }
      >
        {data?.days.map(({ date, sold }) => (
          <i
            key={date}
            data-none={sold <= 0}
            style={{ height: `${Math.max(3, (sold / most) * 100)}%` }}
            data-tip={t(words.day, { date, count: sold })}
          />
        ))}
      </div>
      <p className="kit-quiet">
        <span>{data?.days[0]?.date.slice(5)}</span>
        <span>{data?.days.at(-1)?.date.slice(5)}</span>
      </p>
    </section>
  )
}

/** The batches of a product that are not empty, first expired first. */
export function GoodBatches({ goodId }: { goodId: string }) {
  const t = useLocalize()
  const { rows, isPending } = useResourceList(storageBatch, {
    inAddress: false,
    fixed: { goodId, ascs: 'expiryDate', size: 50, remaining_notequal: '0' },
    follows: 'goodInfo',
  })
  return (
    <section>
      <h3>
        {t(words.batches)}
        <span className="kit-quiet">{t(words.batchHint)}</span>
      </h3>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : t(words.noBatches)}</p>}
      <ul className="kit-rows">
        {rows.map((row) => (
          <li key={String(row.id)}>
            <span>
              <RowLink to="storageBatch" id={String(row.id)}>
                {String(row.batchNo)}
              </RowLink>
              <small>{row.expiryDate ? <ExpiryText date={String(row.expiryDate)} /> : '—'}</small>
            </span>
            <span>{t(words.left, { left: row.remaining, all: row.quantity })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Names of the resources of the rows that moved stock, to link to them. */
const ORIGINS: Record<string, string> = {
  order: 'shoppingOrder',
  refund: 'refunds',
  supplierOrder: 'supplierOrder',
  return: 'returnLog',
  transfer: 'stockTransfer',
  stocktake: 'stocktake',
}

/** The latest stock movements of a product. */
export function GoodStockLedger({ goodId }: { goodId: string }) {
  const t = useLocalize()
  const path = useResourcePath('storageLog')
  const { rows, isPending } = useResourceList(storageLog, {
    inAddress: false,
    fixed: { goodId, descs: 'seq' },
    follows: 'goodInfo',
  })
  return (
    <section>
      <h3>
        {t(words.ledger)}
        <span className="kit-grow" />
        {path && <Link to={`${path}?goodId=${goodId}`}>{t(words.all)}</Link>}
      </h3>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : t(words.none)}</p>}
      <ul className="kit-rows">
        {rows.map((row) => (
          <li key={String(row.id)}>
            <span>
              <DictTag code="stock_type" value={row.type} label={String(row.typeName ?? '')} />
              <small>
                {ORIGINS[String(row.refType)] && row.refId ? (
                  <RowLink to={ORIGINS[String(row.refType)]!} id={String(row.refId)}>
                    {String(row.refTypeName ?? row.refType)}
                  </RowLink>
                ) : (
                  ''
                )}{' '}
                {String(row.batchNo ?? '')} <RelativeTime at={String(row.createTime)} />
              </small>
            </span>
            <span className={Number(row.change) > 0 ? 'kit-yes' : undefined}>
              {Number(row.change) > 0 ? `+${String(row.change)}` : `−${String(-Number(row.change))}`}
              <small>{t(words.after, { after: row.after })}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
