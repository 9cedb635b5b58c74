import { centsOf, yuan } from '#kit/fields/money/cents.ts'
import { BETWEEN_NAMES, type LocalizedText } from '#kit/resource/localized-text.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { missedText } from './benefit-text.tsx'
import type { CampaignRule } from './campaign-rules.ts'
import { exampleOf } from './example.ts'
import { given, useCampaignGoods, whereOf } from './goods-choice.tsx'
import type { Missed } from './basket.ts'
import './marketing.css'

const words = {
  example: { zh: '举个例子', en: 'For example' },
  and: BETWEEN_NAMES,
  colon: { zh: '：', en: ': ' },
  saves: { zh: '省', en: 'saves' },
  noGain: { zh: '这样买没有优惠', en: 'no discount' },
  loss: { zh: '低于进价', en: 'below cost by' },
} satisfies Record<string, LocalizedText>

const money = (cents: number) => <Money value={yuan(cents)} />

/** What a basket of real goods would cost, by the engine that prices every sale. */
export function ExampleLine({ rule, values }: { rule: CampaignRule; values: Record<string, unknown> }) {
  const t = useLocalize()
  const isSet = rule.type === 'bundle' && rule.items.length > 0
  const { data } = useCampaignGoods(
    isSet
      ? { upcs: rule.items.map((item) => item.upc).join(','), ...whereOf(values) }
      : { goodIds: given(values.goodIds), goodTypeIds: given(values.goodTypeIds), ...whereOf(values) },
  )
  const found =
    data &&
    exampleOf(
      rule,
      data.map((one) => ({ upc: one.upc, name: one.name, price: centsOf(one.price), cost: centsOf(one.cost) })),
    )
  if (!found) return null
  const { lines, priced, cost } = found
  const saved = priced.goodsAmount - priced.payAmount
  return (
    <p className="campaign-example">
      <span>{t(words.example)}</span>
      {lines.map((line) => `${line.name} ×${line.quantity}`).join(t(words.and))}
      {t(words.colon)}
      {saved > 0 ? (
        <>
          <s className="kit-quiet">{money(priced.goodsAmount)}</s> <strong>{money(priced.payAmount)}</strong> ·{' '}
          {t(words.saves)} {money(saved)}
        </>
      ) : (
        <>
          {money(priced.goodsAmount)} · <NoGain missed={priced.missed[0]} />
        </>
      )}
      {saved > 0 && priced.payAmount < cost && (
        <em className="rehearsal-warn">
          <Icon name="warning" /> {t(words.loss)} {money(cost - priced.payAmount)}
        </em>
      )}
    </p>
  )
}

/** Why buying so takes nothing off. */
function NoGain({ missed }: { missed: Missed | undefined }) {
  const t = useLocalize()
  if (!missed) return t(words.noGain)
  const lacking = missed.why === 'threshold' ? yuan(missed.lacking ?? 0) : (missed.lacking ?? '')
  return t(missedText({ kind: 'campaign', refId: '', name: '', why: missed.why, lacking }))
}
