import { Button, Checkbox, Segmented } from 'antd'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { RuleNumberInput, isBundleOfNamedGoods, type RuleNumberDefinition, type RuleForm } from './campaign-amount.tsx'
import { rulePartLabels, TIERS_MAX, type CampaignType } from './campaign-rules.ts'
import { BundleGoodsInput } from './campaign-set.tsx'
import './marketing.css'

const words = {
  addTier: { zh: '加一档', en: 'Add level' },
  drop: { zh: '去掉这一档', en: 'Remove level' },
  repeat: { zh: '每满都减（上不封顶）', en: 'Repeat for every multiple (no cap)' },
  optional: { zh: '选填', en: 'optional' },
  rateHint: { zh: '80 就是 8 折', en: '80 means 20% off' },
  nthHint: { zh: '0 就是免费', en: '0 is free' },
  mixed: { zh: '范围内的商品可以任意搭配', en: 'Products in scope can be mixed freely' },
  way: { zh: '怎么组合', en: 'Bundle type' },
  any: { zh: '范围内任选几件', en: 'Any items in scope' },
  named: { zh: '指定商品组合', en: 'Specific products' },
} satisfies Record<string, LocalizedText>

/** The numbers of each campaign type with a fixed set of them. */
const numbers = {
  percentage: [
    { at: 'rate', label: rulePartLabels.rate, hint: words.rateHint, unit: '%' },
    { at: 'cap', label: rulePartLabels.cap, hint: words.optional, unit: '¥' },
  ],
  fixedPrice: [
    { at: 'price', label: rulePartLabels.unitPrice, unit: '¥' },
    { at: 'maxPieces', label: rulePartLabels.maxPieces, hint: words.optional, decimals: 0 },
  ],
  nthPiece: [
    { at: 'n', label: rulePartLabels.n, decimals: 0 },
    { at: 'rate', label: rulePartLabels.nthRate, hint: words.nthHint, unit: '%' },
  ],
} satisfies Partial<Record<CampaignType, RuleNumberDefinition[]>>

/** Inputs for the rule of a campaign, by its type. */
export function CampaignRuleNumbers({ form }: { form: RuleForm }) {
  const { type, rules, set } = form
  const t = useLocalize()
  if (type === 'fullReduction') return <Tiers form={form} />
  if (type === 'bundle') return <Bundle form={form} />
  return (
    <>
      {numbers[type].map((number, n) => (
        <RuleNumberInput key={number.at} form={form} number={number} id={n ? undefined : form.id} />
      ))}
      {type === 'nthPiece' && (
        <Checkbox checked={rules.mixed === true} onChange={(event) => set({ mixed: event.target.checked })}>
          {t(words.mixed)}
        </Checkbox>
      )}
    </>
  )
}

type Tier = { over: string; off: string }

function Tiers({ form }: { form: RuleForm }) {
  const { rules, set, id } = form
  const t = useLocalize()
  const tiers = (Array.isArray(rules.tiers) ? rules.tiers : []) as Tier[]
  const change = (at: number, patch: Partial<Tier>) =>
    set({ tiers: tiers.map((tier, n) => (n === at ? { ...tier, ...patch } : tier)) })

  return (
    <>
      {tiers.map((tier, at) => (
        <div key={at} className="campaign-tier">
          <RuleNumberInput
            form={form}
            number={{ at: `tiers.${at}.over`, label: rulePartLabels.over, unit: '¥' }}
            id={at ? undefined : id}
            value={tier.over}
            onChange={(over) => change(at, { over: String(over) })}
          />
          <RuleNumberInput
            form={form}
            number={{ at: `tiers.${at}.off`, label: rulePartLabels.off, unit: '¥' }}
            value={tier.off}
            onChange={(off) => change(at, { off: String(off) })}
          />
          {tiers.length > 1 && (
            <Button
              type="text"
              icon={<Icon name="close" label={t(words.drop)} />}
              onClick={() => set({ tiers: tiers.filter((_tier, n) => n !== at) })}
            />
          )}
        </div>
      ))}
      {tiers.length < TIERS_MAX && (
        <Button
          icon={<Icon name="plus" />}
          onClick={() => set({ tiers: [...tiers, { over: '', off: '' }], repeat: false })}
        >
          {t(words.addTier)}
        </Button>
      )}
      {tiers.length === 1 && (
        <Checkbox checked={rules.repeat === true} onChange={(event) => set({ repeat: event.target.checked })}>
          {t(words.repeat)}
        </Checkbox>
      )}
    </>
  )
}

/** Inputs of a bundle with one price: any few products, or named ones. */
function Bundle({ form }: { form: RuleForm }) {
  const { rules, set, id } = form
  const t = useLocalize()
  const isNamed = isBundleOfNamedGoods(rules)
  return (
    <>
      <Segmented
        className="campaign-way"
        value={isNamed ? 'named' : 'any'}
        aria-label={t(words.way)}
        onChange={(mode) =>
          set(mode === 'named' ? { named: true } : { named: false, items: [], pieces: rules.pieces || 3 })
        }
        options={[
          { value: 'any', label: t(words.any) },
          { value: 'named', label: t(words.named) },
        ]}
      />
      {isNamed ? (
        <BundleGoodsInput form={form} />
      ) : (
        <RuleNumberInput form={form} number={{ at: 'pieces', label: rulePartLabels.pieces, decimals: 0 }} id={id} />
      )}
      <RuleNumberInput form={form} number={{ at: 'price', label: rulePartLabels.price, unit: '¥' }} />
    </>
  )
}
