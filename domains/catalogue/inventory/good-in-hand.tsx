import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { goodInfo, isLowStock } from '#domains/catalogue/products/index.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { GoodBatches } from './product-side-panel.panel.tsx'
import { GoodName } from './good-name.tsx'
import './stock.css'

type Row = WireRow<typeof goodInfo>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const ReceiveDialog = lazy(() => import('./receive.panel.tsx'))

export const receiveStockLabel: LocalizedText = { zh: '收货入库', en: 'Receive stock' }

const words = {
  stock: { zh: '库存', en: 'In stock' },
  price: { zh: '售价', en: 'Sale price' },
  shelf: { zh: '货架', en: 'Shelf' },
  page: { zh: '打开商品页', en: 'Open product page' },
} satisfies Record<string, LocalizedText>

export type StockAction = 'receive' | 'loss' | 'stocktake'

/** Shows a scanned product with its stock and actions; opens the action `aim` at once when it is given. */
export function ScannedGoodCard({ id, aim, onDone }: { id: string; aim?: StockAction; onDone: () => void }) {
  const { data: good } = useRowDetail(goodInfo, id)
  const mayReceive = useHasPermission('storageBatch_add')
  const mayBatches = useHasPermission('storageBatch_view')
  const may = useResourcePermissions(goodInfo)
  const [doing, setDoing] = useState(aim)
  if (!good)
    return (
      <section className="goods-card goods-wait">
        {[1, 2, 3].map((n) => (
          <span key={n} className="kit-skeleton" />
        ))}
      </section>
    )
  const close = () => {
    setDoing(undefined)
    onDone()
  }
  const actionRequest: ActionRequest | undefined =
    doing && doing !== 'receive' && may.act(doing)
      ? { name: doing, action: goodInfo.actions[doing], rows: [good] }
      : undefined
  return (
    <>
      <section className="goods-card count-good">
        <GoodName name={String(good.name)} picture={good.picture} facts={[good.spec, good.upc, good.shopName]} />
        <Figures good={good} />
        <Actions id={id} aim={aim} onAction={setDoing} />
      </section>
      {mayBatches && (
        <div className="goods-card">
          <GoodBatches goodId={id} />
        </div>
      )}
      <Suspense>
        {doing === 'receive' && mayReceive && <ReceiveDialog good={good} onClose={close} />}
        {actionRequest && <ActionDialog resource={goodInfo} asked={actionRequest} onClose={close} />}
      </Suspense>
    </>
  )
}

function Figures({ good }: { good: Row }) {
  const t = useLocalize()
  const hasFew = isLowStock(Number(good.stock), Number(good.lowStock))
  return (
    <dl className="goods-figures">
      <div>
        <dt>{t(words.stock)}</dt>
        <dd className={hasFew ? 'goods-low' : undefined}>
          {String(good.stock)} <small>{String(good.unit ?? '')}</small>
        </dd>
      </div>
      <div>
        <dt>{t(words.price)}</dt>
        <dd>
          <Money value={good.salePrice} />
        </dd>
      </div>
      {!!good.shelfNo && (
        <div>
          <dt>{t(words.shelf)}</dt>
          <dd>{String(good.shelfNo)}</dd>
        </div>
      )}
    </dl>
  )
}

function Actions({ id, aim, onAction }: { id: string; aim?: StockAction; onAction: (action: StockAction) => void }) {
  const t = useLocalize()
  const may = useResourcePermissions(goodInfo)
  const mayReceive = useHasPermission('storageBatch_add')
  return (
    <div className="goods-actions">
      {mayReceive && (
        <Button
          size="large"
          type={aim === 'loss' ? 'default' : 'primary'}
          icon={<Icon name="import" />}
          onClick={() => onAction('receive')}
        >
          {t(receiveStockLabel)}
        </Button>
      )}
      {(['stocktake', 'loss'] as const)
        .filter((name) => may.act(name))
        .map((name) => (
          <Button key={name} size="large" danger={name === 'loss'} onClick={() => onAction(name)}>
            {t(goodInfo.actions[name].label)}
          </Button>
        ))}
      <Link className="count-open" to={`/goods/good/${id}`}>
        {t(words.page)}
      </Link>
    </div>
  )
}
