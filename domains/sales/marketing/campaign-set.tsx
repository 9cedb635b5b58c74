import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import { Button } from 'antd'
import { wireYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { RuleForm } from './campaign-amount.tsx'
import { ITEMS_MAX, type BundleItem } from './campaign-rules.ts'
import { toReferenceText, EligibleGoodsPicker, useEligibleGoods } from './goods-choice.tsx'
import { BasketQuantityInput } from './quantity-of.tsx'
import './marketing.css'

const words = {
  addGoods: { zh: '按名称或条码加商品', en: 'Add products by name or barcode' },
  dropGoods: { zh: '去掉 {name}', en: 'Remove {name}' },
  apart: { zh: '分开买', en: 'Bought separately' },
} satisfies Record<string, LocalizedText>

/** Input for the products of a bundle; shows what they cost separately. */
export function BundleGoodsInput({ form: { rules, set, values, id, problems } }: { form: RuleForm }) {
  const t = useLocalize()
  const language = useLanguage()
  const items = (Array.isArray(rules.items) ? rules.items : []) as BundleItem[]
  const put = (next: BundleItem[]) => set({ items: next, named: true })
  const wrong = problems.find(({ at }) => at.startsWith('items'))
  return (
    <div className="campaign-set">
      {items.length > 0 && <Items items={items} onChange={put} tenantId={toReferenceText(values.tenantId)} />}
      {items.length < ITEMS_MAX && (
        <EligibleGoodsPicker
          key={items.length}
          id={id}
          invalid={!!wrong}
          values={values}
          placeholder={t(words.addGoods)}
          onPick={(one) =>
            !items.some((item) => isSameBarcode(item.upc, one.upc)) &&
            put([...items, { upc: one.upc, quantity: 1, name: one.name }])
          }
        />
      )}
      {wrong && (
        <span className="kit-error" role="alert">
          {fieldProblemSentence(wrong.problem, wrong, language)}
        </span>
      )}
    </div>
  )
}

type ItemsProps = { items: BundleItem[]; tenantId: string; onChange: (next: BundleItem[]) => void }

function Items({ items, tenantId, onChange }: ItemsProps) {
  const t = useLocalize()
  const { data = [] } = useEligibleGoods({ upcs: items.map((item) => item.upc).join(','), tenantId })
  const priceOf = (upc: string) => data.find((one) => isSameBarcode(one.upc, upc))?.price
  const apart = items.reduce((sum, item) => sum + wireYuanToCents(priceOf(item.upc)) * (item.quantity || 0), 0)
  return (
    <ul className="campaign-lines">
      {items.map((item, at) => (
        <li key={item.upc}>
          <span>
            {item.name ?? item.upc}
            <small>{item.upc}</small>
          </span>
          <BasketQuantityInput
            name={item.name ?? item.upc}
            value={item.quantity}
            onChange={(quantity) => onChange(items.map((one, n) => (n === at ? { ...one, quantity } : one)))}
          />
          <span>
            {priceOf(item.upc) && <Money value={priceOf(item.upc)} />}
            <Button
              type="text"
              icon={<Icon name="close" label={t(words.dropGoods, { name: item.name ?? item.upc })} />}
              onClick={() => onChange(items.filter((_one, n) => n !== at))}
            />
          </span>
        </li>
      ))}
      {apart > 0 && (
        <li>
          <span className="kit-quiet">{t(words.apart)}</span>
          <span />
          <span>
            <Money value={formatYuan(apart)} />
          </span>
        </li>
      )}
    </ul>
  )
}
