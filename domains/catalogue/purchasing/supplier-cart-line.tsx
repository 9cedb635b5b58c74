import { Button, InputNumber } from 'antd'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Popup } from '#kit/web/parts/popup.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { ReorderReason } from './suggest.ts'
import { words } from './supplier-cart-words.ts'
import { cartQuantityInputId, findQuantityProblem, type SupplierCartGoods } from './use-cart-order.ts'
import './suppliers.css'

const reasonWords: Record<ReorderReason['code'], LocalizedText> = {
  sales: { zh: '未来 {days} 天预计卖出 {amount}', en: 'Expected sales for {days} {days|day|days}: {amount}' },
  reserve: { zh: '加上库存预警 {amount}', en: 'Plus low-stock reserve: {amount}' },
  stock: { zh: '减去现有库存 {amount}', en: 'Minus stock on hand: {amount}' },
  onOrder: { zh: '减去在途 {amount}', en: 'Minus on order: {amount}' },
  shelfLife: {
    zh: '保质期 {days} 天，最多订能卖完的量',
    en: 'Shelf life {days} {days|day|days}: limited to what sells in that time',
  },
  minOrder: { zh: '起订量 {amount}', en: 'Minimum order: {amount}' },
  box: { zh: '按整箱 {amount} 凑整', en: 'Rounded to full boxes of {amount}' },
  available: { zh: '供应商只有 {amount}', en: 'The supplier has only {amount}' },
}

type Props = { goods: SupplierCartGoods; count: number; onCount: (count: number) => void }

/** One product in the purchase cart: its sales, its price, and the suggested quantity with the reasons. */
export function SupplierCartLine({ goods, count, onCount }: Props) {
  const t = useLocalize()
  const { name, spec, price, boxQty, stock, onOrder, perDay, lastsDays, otherOffers } = goods
  return (
    <li>
      <div className="supplier-what">
        <strong>{name}</strong> <span className="kit-quiet">{spec}</span>
        <small>
          {t(words.stock, { stock })}
          {onOrder > 0 && ` · ${t(words.onOrder, { onOrder })}`} · {t(words.perDay, { perDay })}
          {lastsDays !== '' && ` · ${t(words.lasts, { days: lastsDays })}`}
        </small>
      </div>
      <div className="supplier-price">
        <Money value={price} />
        <small>
          {boxQty > 1 && t(words.box, { box: boxQty })}
          {otherOffers > 0 && ` ${t(words.other, { count: otherOffers })}`}
        </small>
      </div>
      <Count goods={goods} count={count} onCount={onCount} />
    </li>
  )
}

function Count({ goods, count, onCount }: Props) {
  const t = useLocalize()
  const { name, boxQty } = goods
  const wrong = findQuantityProblem(goods, count)
  return (
    <div className="supplier-count">
      <InputNumber
        id={cartQuantityInputId(goods)}
        size="large"
        min={0}
        max={1_000_000}
        step={boxQty}
        precision={0}
        inputMode="numeric"
        value={count}
        status={wrong && 'error'}
        onChange={(next) => onCount(next ?? 0)}
        aria-label={t(words.quantity, { name })}
      />
      <Why goods={goods} />
      {wrong && (
        <span className="kit-error" role="alert">
          {t(wrong.words, wrong.values)}
        </span>
      )}
    </div>
  )
}

function Why({ goods: { quantity, reasons } }: Pick<Props, 'goods'>) {
  const t = useLocalize()
  return (
    <Popup
      label={t(words.why, { quantity })}
      title={t(words.why, { quantity })}
      content={
        <ol className="supplier-reasons">
          {reasons.map((reason, at) => (
            <li key={at}>
              <span>{t(reasonWords[reason.code], { amount: reason.amount, days: reason.days ?? '' })}</span>
              <span className="kit-number">= {reason.after}</span>
            </li>
          ))}
        </ol>
      }
    >
      <Button type="link" size="small" icon={<Icon name="question-circle" />}>
        {t(words.suggested, { quantity })}
      </Button>
    </Popup>
  )
}
