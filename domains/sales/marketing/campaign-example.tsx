import { wireYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import { NAME_SEPARATOR, type LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { missedOfferText } from './benefit-text.tsx'
import type { CampaignRule } from './campaign-rules.ts'
import { createCampaignExample } from './example.ts'
import { toReferenceText, useEligibleGoods, toCampaignScopeParams } from './goods-choice.tsx'
import type { MissedOffer } from './basket.ts'
import './marketing.css'

const words = {
  example: { zh: '举个例子', en: 'For example' },
  and: NAME_SEPARATOR,
  colon: { zh: '：', en: ': ' },
  saves: { zh: '省', en: 'saves' },
  noGain: { zh: '这样买没有优惠', en: 'no discount' },
  loss: { zh: '低于进价', en: 'below cost by' },
} satisfies Record<string, LocalizedText>

const money = (cents: number) => <Money value={formatYuan(cents)} />

/** Shows what a basket of real products would cost under the rule, computed by the engine that prices sales. */
export function CampaignRuleExample({ rule, values }: { rule: CampaignRule; values: Record<string, unknown> }) {
  const t = useLocalize()
  const isSet = rule.type === 'bundle' && rule.items.length > 0
  const { data } = useEligibleGoods(
    isSet
      ? { upcs: rule.items.map((item) => item.upc).join(','), ...toCampaignScopeParams(values) }
      : {
          goodIds: toReferenceText(values.goodIds),
          goodTypeIds: toReferenceText(values.goodTypeIds),
          ...toCampaignScopeParams(values),
        },
  )
  const found =
    data &&
    createCampaignExample(
      rule,
      data.map((one) => ({
        upc: one.upc,
        name: one.name,
        price: wireYuanToCents(one.price),
        cost: wireYuanToCents(one.cost),
      })),
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

/** Text that says why the example basket gets no discount. */
function NoGain({ missed }: { missed: MissedOffer | undefined }) {
  const t = useLocalize()
  if (!missed) return t(words.noGain)
  const lacking = missed.why === 'threshold' ? formatYuan(missed.lacking ?? 0) : (missed.lacking ?? '')
  return t(missedOfferText({ kind: 'campaign', refId: '', name: '', why: missed.why, lacking }))
}
