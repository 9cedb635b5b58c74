import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useUrlFlag } from '#kit/web/live/use-query-flag.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { GoodsBarcodeInput } from '#domains/catalogue/products/ui.ts'
import './stock.css'

type Row = WireRow<typeof goodInfo>

const ReceiveDialog = lazy(() => import('./receive.panel.tsx'))
const ProductSidePanel = lazy(() => import('./product-side-panel.panel.tsx'))

const words = {
  intro: {
    zh: '门店在卖的商品；库存由入库、销售、盘点自动变动',
    en: 'Products sold in the stores. Stock changes automatically with receipts, sales and counts.',
  },
  receive: { zh: '入库', en: 'Receive' },
  all: { zh: '全部商品', en: 'All products' },
  low: { zh: '库存不足', en: 'Low stock' },
  lowTip: { zh: '不高于预警值 {low}', en: 'At or below {low}' },
  show: { zh: '显示', en: 'Show' },
}

function NameCell({ row, place }: CellProps<Row>) {
  const name = String(row.name)
  if (place === 'detail') return <>{name}</>
  return (
    <span className="goods-name">
      {row.picture ? (
        <img className="goods-picture" src={String(row.picture).split(',')[0]} alt="" loading="lazy" decoding="async" />
      ) : (
        <span className="goods-picture" aria-hidden>
          {name.slice(0, 1)}
        </span>
      )}
      <span data-tip-cut={name}>{name}</span>
    </span>
  )
}

function StockCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  const stock = Number(row.stock ?? 0)
  const isLow = stock <= Number(row.lowStock ?? 0)
  if (!isLow) return <span className="kit-number">{stock}</span>
  return (
    <span className="kit-number goods-low" data-tip={t(words.lowTip, { low: row.lowStock })}>
      <Icon name="exclamation-circle" label={t(words.low)} />
      {stock}
    </span>
  )
}

const cells = {
  name: (props: CellProps<Row>) => <NameCell {...props} />,
  stock: (props: CellProps<Row>) => <StockCell {...props} />,
}

const inputs = { upc: GoodsBarcodeInput }

// The picture is shown beside the name and not in a column of its own.
const resource = {
  ...goodInfo,
  fields: { ...goodInfo.fields, name: { ...goodInfo.fields.name, width: 250 } },
  list: {
    ...goodInfo.list,
    columns: [
      'name',
      'salePrice',
      'stock',
      'lowStock',
      'shopId',
      'upc',
      'goodTypeId',
      'spec',
      'vipPrice',
      'onSale',
      'shelfNo',
    ],
  },
}

/** List of products with price and stock; highlights low stock. */
export default function GoodInfoPage() {
  const t = useLocalize()
  const go = useNavigate()
  const mayReceive = useHasPermission('storageBatch_add')
  const [isLow, setLow] = useUrlFlag('isLow')
  const [receiving, setReceiving] = useState<Row>()

  const rowActions = (row: Row): RowAction[] =>
    mayReceive ? [{ key: 'receive', label: words.receive, icon: 'import', run: () => setReceiving(row) }] : []
  const order = ['edit', 'receive', 'stocktake', 'view']
  const transformActions = (list: RowAction[]) => list.toSorted((a, b) => rank(order, a) - rank(order, b))

  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          inputs,
          rowActions,
          transformActions,
          onRow: (row) => void go(`/goods/good/${String(row.id)}`),
          fixed: isLow ? { isLow: 'true' } : undefined,
          isNarrowed: isLow,
          head: () => (
            <div className="kit-tabs">
              <Segmented
                value={isLow ? 'low' : 'all'}
                onChange={(next) => setLow(next === 'low')}
                options={[
                  { value: 'all', label: t(words.all) },
                  { value: 'low', label: t(words.low) },
                ]}
                aria-label={t(words.show)}
              />
            </div>
          ),
          beside: (row) => (
            <Suspense fallback={<span className="kit-skeleton" aria-label={t(kit.loading)} />}>
              <ProductSidePanel good={row} />
            </Suspense>
          ),
        }}
      />
      <Suspense>{receiving && <ReceiveDialog good={receiving} onClose={() => setReceiving(undefined)} />}</Suspense>
    </>
  )
}

const rank = (order: string[], action: RowAction) => (action.danger ? 99 : order.indexOf(action.key) + 1 || 50)
