import type { IconName } from '#kit/resource/index.ts'
import { useEffect, useState } from 'react'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { campaignTypes, validateCampaignRule, campaignPromiseText, type CampaignType } from './campaign-rules.ts'
import { CampaignSampleBasket } from './campaign-basket.tsx'
import { CampaignRuleExample } from './campaign-example.tsx'
import { CampaignRuleNumbers } from './campaign-numbers.tsx'
import './marketing.css'

const words = {
  reads: { zh: '顾客会看到', en: 'Shown to customers' },
  unfinished: { zh: '填完数值后，这里会写成一句话', en: 'Enter the values to see the sentence here' },
} satisfies Record<string, LocalizedText>

const plain: Record<CampaignType, { title: LocalizedText; text: LocalizedText; icon: IconName; start: object }> = {
  fullReduction: {
    icon: 'wallet',
    title: { zh: '满减', en: 'Spend and save' },
    text: {
      zh: '买够一定金额，减一笔钱。适合提升客单价。',
      en: 'Spend a certain amount and get money off. Raises the average order value.',
    },
    start: { tiers: [{ over: '30.00', off: '5.00' }], repeat: false },
  },
  percentage: {
    icon: 'percentage',
    title: { zh: '打折', en: 'Percentage off' },
    text: {
      zh: '商品统一打折。适合清库存、处理临期。',
      en: 'The same discount for all products. Good for clearance and expiring stock.',
    },
    start: { rate: '80.00', cap: '' },
  },
  fixedPrice: {
    icon: 'tag',
    title: { zh: '特价', en: 'Fixed price' },
    text: {
      zh: '商品卖一个固定价。适合爆款引流。',
      en: 'One fixed price for the selected products. Good for attracting customers.',
    },
    start: { price: '3.90', maxPieces: '' },
  },
  nthPiece: {
    icon: 'ordered-list',
    title: { zh: '第 N 件优惠', en: 'Nth item' },
    text: {
      zh: '第二件半价、买三送一。适合让人多拿一件。',
      en: 'Second at half price, buy three get one free. Encourages one more item.',
    },
    start: { n: 2, rate: '50.00', mixed: true },
  },
  bundle: {
    icon: 'gift',
    title: { zh: '组合价', en: 'Bundle' },
    text: {
      zh: '任选几件一口价。适合零食、饮料搭着卖。',
      en: 'Any few items for one price. Good for selling snacks and drinks together.',
    },
    start: { pieces: 3, price: '10.00', items: [] },
  },
}

/** Radio group of campaign types, each explained in a sentence. */
export function TypeInput({ value, onChange, id, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  return (
    <div
      className="campaign-types"
      role="radiogroup"
      id={id}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-required={isRequired}
    >
      {campaignTypes.map((type) => (
        <button key={type} type="button" role="radio" aria-checked={value === type} onClick={() => onChange(type)}>
          <Icon name={plain[type].icon} />
          <strong>{t(plain[type].title)}</strong>
          <small>{t(plain[type].text)}</small>
        </button>
      ))}
    </div>
  )
}

export const parseRulesJson = (value: unknown): Record<string, any> => {
  try {
    return (typeof value === 'string' ? JSON.parse(value || '{}') : value) as Record<string, any>
  } catch {
    return {}
  }
}

/** Editor of a rule: its numbers, the sentence they make, an example, and a basket to try it on. */
export function RulesInput({ value, onChange, values, id, invalid }: InputProps) {
  const t = useLocalize()
  const type = values.type as CampaignType | ''
  const [of, setOf] = useState(type)
  const rules = parseRulesJson(value)
  const set = (change: object) => onChange(JSON.stringify({ ...rules, ...change }))
  useEffect(() => {
    if (type && type !== of) {
      setOf(type)
      onChange(JSON.stringify(plain[type].start))
    } else if (type && !Object.keys(parseRulesJson(value)).length) {
      onChange(JSON.stringify(plain[type].start))
    }
  }, [type, of, value, onChange])
  if (!type)
    return (
      <p className="kit-quiet" id={id}>
        {t(words.unfinished)}
      </p>
    )
  const found = validateCampaignRule(type, rules)
  // An empty number is no problem before saving.
  const problems = 'rule' in found ? [] : found.problems.filter(({ problem }) => invalid || problem.code !== 'required')
  return (
    <div className="campaign-rules">
      <div className="campaign-numbers">
        <CampaignRuleNumbers form={{ type, rules, set, values, id, problems }} />
      </div>
      <div className="campaign-promise" aria-live="polite">
        <p>
          <span>{t(words.reads)}</span>
          {'rule' in found ? t(campaignPromiseText(found.rule)) : t(words.unfinished)}
        </p>
        {'rule' in found && <CampaignRuleExample rule={found.rule} values={values} />}
      </div>
      {'rule' in found && <CampaignSampleBasket values={{ ...values, rules }} />}
    </div>
  )
}
