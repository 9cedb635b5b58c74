import { Alert, Button, Switch } from 'antd'
import { useState } from 'react'
import { wireYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { BenefitText, missedOfferText, type PricedBasketWire } from './benefit-text.tsx'
import { BasketQuantityInput } from './quantity-of.tsx'
import { useBasketPreview, type BasketPreview } from './use-preview.ts'
import './marketing.css'

const words = {
  try: { zh: '拿一篮商品试一试', en: 'Try it with a sample cart' },
  shop: { zh: '选一家门店', en: 'Select a store' },
  goods: { zh: '选几样商品', en: 'Select products' },
  member: { zh: '会员', en: 'Member' },
  others: { zh: '与进行中的活动一起算', en: 'Combine with active promotions' },
  shelf: { zh: '原价', en: 'List price' },
  saved: { zh: '优惠', en: 'Discount' },
  pay: { zh: '应付', en: 'Total' },
} satisfies Record<string, LocalizedText>

type Props = { values: Record<string, unknown> }

/** Lets the user put together a basket and shows what it would cost with the campaign. */
export function CampaignSampleBasket({ values }: Props) {
  const t = useLocalize()
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Basket values={values} />
  return (
    <Button icon={<Icon name="shopping-cart" />} onClick={() => setOpen(true)}>
      {t(words.try)}
    </Button>
  )
}

function Basket({ values }: Props) {
  const t = useLocalize()
  const preview = useBasketPreview(values)
  const { lines, answer, problem } = preview
  return (
    <section className="campaign-basket">
      <h4>{t(words.try)}</h4>
      <Goods preview={preview} />
      <Flags preview={preview} />
      {problem && <Alert type="warning" showIcon title={problem} />}
      {lines.length > 0 && <Lines preview={preview} />}
      {answer && lines.length > 0 && <Sums answer={answer} />}
      {answer?.missed
        .filter((one) => one.refId === '0')
        .map((one) => (
          <p key={one.why} className="kit-quiet">
            {t(missedOfferText(one))}
          </p>
        ))}
    </section>
  )
}

type PartProps = { preview: BasketPreview }

function Goods({ preview: { shopId, setShop, chosen, setGoods } }: PartProps) {
  const t = useLocalize()
  return (
    <div className="campaign-pick">
      <RowPicker to="basicShopInfo" value={shopId} onChange={setShop} placeholder={t(words.shop)} />
      {shopId && (
        <RowPicker
          to="goodInfo"
          multiple
          value={chosen}
          filter={{ shopId }}
          placeholder={t(words.goods)}
          onChange={setGoods}
        />
      )}
    </div>
  )
}

function Flags({ preview: { isMember, setMember, withOthers, setOthers } }: PartProps) {
  const t = useLocalize()
  return (
    <div className="campaign-flags">
      <label>
        <Switch size="small" checked={isMember} onChange={setMember} /> {t(words.member)}
      </label>
      <label>
        <Switch size="small" checked={withOthers} onChange={setOthers} /> {t(words.others)}
      </label>
    </div>
  )
}

const Lines = ({ preview: { lines, answer, setQuantity } }: PartProps) => (
  <ul className="campaign-lines">
    {lines.map((line) => {
      const priced = answer?.lines.find((one) => one.upc === line.upc)
      return (
        <li key={line.upc}>
          <span>
            {line.name}
            {priced?.benefits.map((one, at) => (
              <small key={at}>
                <BenefitText benefit={one} />
              </small>
            ))}
          </span>
          <BasketQuantityInput
            name={line.name}
            value={line.quantity}
            onChange={(quantity) => setQuantity(line.upc, quantity)}
          />
          <Money value={priced?.amount ?? ''} />
        </li>
      )
    })}
  </ul>
)

function Sums({ answer }: { answer: PricedBasketWire }) {
  const t = useLocalize()
  return (
    <dl className="campaign-sums">
      <div>
        <dt>{t(words.shelf)}</dt>
        <dd>
          <Money value={answer.goodsAmount} />
        </dd>
      </div>
      <div>
        <dt>{t(words.saved)}</dt>
        <dd>
          <Money value={formatYuan(wireYuanToCents(answer.goodsAmount) - wireYuanToCents(answer.payAmount))} />
        </dd>
      </div>
      <div>
        <dt>{t(words.pay)}</dt>
        <dd>
          <Money value={answer.payAmount} />
        </dd>
      </div>
    </dl>
  )
}
