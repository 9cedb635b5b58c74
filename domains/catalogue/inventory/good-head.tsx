import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { goodInfo, isLowStock } from '#domains/catalogue/products/index.ts'
import { GoodsBarcodeInput } from '#domains/catalogue/products/ui.ts'
import { RowHistoryButton } from '#kit/web/detail/history-button.tsx'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { isPriceKnown, words } from './good-words.ts'
import { daysOfStockLeft } from './sales-rate.ts'
import { useSales } from './use-sales.ts'
import './stock.css'

type Row = WireRow<typeof goodInfo>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const inputs = { upc: GoodsBarcodeInput }
const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))
const ReceiveDialog = lazy(() => import('./receive.panel.tsx'))

type Props = { good: Row }

/** Head of a product page: name, picture, prices and stock, with the actions on them. */
export function GoodHead({ good }: Props) {
  const t = useLocalize()
  const picture = String(good.picture ?? '').split(',')[0]
  return (
    <header className="goods-card goods-head">
      <PersonAvatar link={picture} name={good.name} className="goods-portrait" />
      <div className="goods-title">
        <h1>
          {String(good.name)} {good.onSale === false && <span className="kit-quiet">{t(words.offSale)}</span>}
        </h1>
        <p className="kit-quiet">
          <span>{[good.brand, good.spec, good.goodTypeName].filter(Boolean).join(' · ')}</span>
          <CopyableText text={String(good.upc)} />
          <RowLink to="basicShopInfo" id={String(good.shopId)}>
            {String(good.shopName)}
          </RowLink>
          {!!good.shelfNo && <span>{String(good.shelfNo)}</span>}
        </p>
      </div>
      <Figures good={good} />
      <Actions good={good} />
    </header>
  )
}

function Figures({ good }: Props) {
  const t = useLocalize()
  const [price, cost] = [Number(good.salePrice), Number(good.costPrice)]
  return (
    <dl className="goods-figures">
      <div>
        <dt>{t(words.price)}</dt>
        <dd>
          <Money value={good.salePrice} />
        </dd>
        <small>
          {isPriceKnown(good.vipPrice) && (
            <>
              {t(words.vipPrice)} <Money value={good.vipPrice} />
            </>
          )}
        </small>
      </div>
      {isPriceKnown(good.costPrice) && (
        <div>
          <dt>{t(words.costPrice)}</dt>
          <dd>
            <Money value={good.costPrice} />
          </dd>
          <small>{price > 0 && t(words.margin, { margin: (((price - cost) / price) * 100).toFixed(1) })}</small>
        </div>
      )}
      <InStock good={good} />
    </dl>
  )
}

function InStock({ good }: Props) {
  const t = useLocalize()
  const { data: sold } = useSales(String(good.id))
  const stock = Number(good.stock ?? 0)
  const hasFew = isLowStock(stock, Number(good.lowStock))
  const days = sold ? daysOfStockLeft(stock, sold.rate) : null
  return (
    <div>
      <dt>{t(words.stock)}</dt>
      <dd className={hasFew ? 'goods-low' : undefined}>
        {stock} <small>{String(good.unit ?? '')}</small>
      </dd>
      <small>
        {hasFew ? (
          <span className="goods-low">
            <Icon name="exclamation-circle" />
            {t(words.isLow)} · {t(words.low, { low: good.lowStock })}
          </span>
        ) : days !== null ? (
          t(words.lasts, { days })
        ) : (
          // Without a warning line (-1 on the wire) no line is shown.
          Number(good.lowStock) >= 0 && t(words.low, { low: good.lowStock })
        )}
      </small>
    </div>
  )
}

function Actions({ good }: Props) {
  const t = useLocalize()
  const may = useResourcePermissions(goodInfo)
  const mayReceive = useHasPermission('storageBatch_add')
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const [dialog, setDialog] = useState<'receive' | 'edit'>()
  return (
    <>
      <div className="goods-actions">
        {mayReceive && (
          <Button type="primary" icon={<Icon name="import" />} onClick={() => setDialog('receive')}>
            {t(words.receive)}
          </Button>
        )}
        {may.edit && (
          <Button icon={<Icon name="edit" />} onClick={() => setDialog('edit')}>
            {t(kit.edit)}
          </Button>
        )}
        {(['stocktake', 'copyTo', 'correct', 'loss'] as const)
          .filter((name) => may.act(name))
          .map((name) => (
            <Button
              key={name}
              danger={name === 'loss'}
              onClick={() => setActionRequest({ name, action: goodInfo.actions[name], rows: [good] })}
            >
              {t(goodInfo.actions[name].label)}
            </Button>
          ))}
        <RowHistoryButton resource={goodInfo} row={good} />
      </div>
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={goodInfo} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
        {dialog === 'receive' && <ReceiveDialog good={good} onClose={() => setDialog(undefined)} />}
        {dialog === 'edit' && (
          <EditDialog resource={goodInfo} id={String(good.id)} inputs={inputs} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </>
  )
}
