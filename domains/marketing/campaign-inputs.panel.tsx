import type { IconName } from '#kit/resource/index.ts'
import { centsOf, yuan } from '#kit/fields/money/cents.ts'
import { Alert, Button, Checkbox, InputNumber, Segmented, Switch } from 'antd'
import { useEffect, useId, useState } from 'react'
import { problemSentence } from '#kit/fields/problems.ts'
import { useRequired } from '#kit/fields/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { Words } from '#kit/resource/words.ts'
import { post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLang, useSay } from '#kit/web/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Picker } from '#kit/web/form/picker.tsx'
import {
  campaignTypes,
  ITEMS_MAX,
  readRules,
  ruleParts,
  rulePromise,
  TIERS_MAX,
  type BundleItem,
  type CampaignRule,
  type CampaignType,
  type RuleProblem,
} from './campaign-rules.ts'
import { BenefitText, missedText, type PricedWire } from './benefit-text.tsx'
import { discountConf } from './discount-conf.resource.ts'
import { exampleOf } from './example.ts'
import { given, GoodsPick, useCampaignGoods, whereOf } from './goods-choice.tsx'
import './marketing.css'

const words = {
  addTier: { zh: '加一档', en: 'Add a step' },
  drop: { zh: '去掉这一档', en: 'Remove this step' },
  repeat: { zh: '每满都减（上不封顶）', en: 'Again for every such amount' },
  optional: { zh: '选填', en: 'optional' },
  rateHint: { zh: '80 就是 8 折', en: '80 takes 20% off' },
  nthHint: { zh: '0 就是免费', en: '0 is free' },
  mixed: { zh: '范围内的商品可以任意搭配', en: 'Goods may be mixed' },
  way: { zh: '怎么组合', en: 'What goes together' },
  any: { zh: '范围内任选几件', en: 'Any few of the goods' },
  named: { zh: '指定商品组合', en: 'A set of named goods' },
  addGoods: { zh: '按名称或条码加商品', en: 'Add goods by name or barcode' },
  dropGoods: { zh: '去掉 {name}', en: 'Remove {name}' },
  apart: { zh: '分开买', en: 'Bought apart' },
  example: { zh: '举个例子', en: 'For example' },
  and: { zh: '、', en: ', ' },
  colon: { zh: '：', en: ': ' },
  saves: { zh: '省', en: 'saves' },
  noGain: { zh: '这样买没有优惠', en: 'nothing is gained' },
  loss: { zh: '低于进价', en: 'below cost by' },
  reads: { zh: '顾客会看到', en: 'Customers read' },
  unfinished: { zh: '填完数值后，这里会写成一句话', en: 'Fill in the numbers and this becomes a sentence' },
  try: { zh: '拿一篮商品试一试', en: 'Try it on a basket' },
  shop: { zh: '选一家门店', en: 'Choose a shop' },
  goods: { zh: '选几样商品', en: 'Choose goods' },
  member: { zh: '会员', en: 'A member' },
  others: { zh: '与进行中的活动一起算', en: 'With the campaigns that run' },
  count: { zh: '{name} 数量', en: 'How many of {name}' },
  shelf: { zh: '原价', en: 'Shelf price' },
  saved: { zh: '优惠', en: 'Saved' },
  pay: { zh: '应付', en: 'To pay' },
} satisfies Record<string, Words>

const plain: Record<CampaignType, { title: Words; text: Words; icon: IconName; start: object }> = {
  fullReduction: {
    icon: 'wallet',
    title: { zh: '满减', en: 'Money off' },
    text: {
      zh: '买够一定金额，减一笔钱。适合提升客单价。',
      en: 'Buy for an amount, get money off. Makes baskets larger.',
    },
    start: { tiers: [{ over: '30.00', off: '5.00' }], repeat: false },
  },
  percentage: {
    icon: 'percentage',
    title: { zh: '打折', en: 'Per cent off' },
    text: { zh: '商品统一打折。适合清库存、处理临期。', en: 'Everything chosen for less. Clears shelves.' },
    start: { rate: '80.00', cap: '' },
  },
  fixedPrice: {
    icon: 'tag',
    title: { zh: '特价', en: 'Fixed price' },
    text: { zh: '商品卖一个固定价。适合爆款引流。', en: 'One price for what is chosen. Brings people in.' },
    start: { price: '3.90', maxPieces: '' },
  },
  nthPiece: {
    icon: 'ordered-list',
    title: { zh: '第 N 件优惠', en: 'Nth piece' },
    text: {
      zh: '第二件半价、买三送一。适合让人多拿一件。',
      en: 'Second at half price, third free. One more in the basket.',
    },
    start: { n: 2, rate: '50.00', mixed: true },
  },
  bundle: {
    icon: 'gift',
    title: { zh: '组合价', en: 'Bundle' },
    text: { zh: '任选几件一口价。适合零食、饮料搭着卖。', en: 'Any few for one price. Sells things together.' },
    start: { pieces: 3, price: '10.00', items: [] },
  },
}

/** Kinds of campaigns, each in a plain sentence. */
export function TypeInput({ value, onChange, id, invalid, describedBy }: InputProps) {
  const isRequired = useRequired()
  const say = useSay()
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
          <strong>{say(plain[type].title)}</strong>
          <small>{say(plain[type].text)}</small>
        </button>
      ))}
    </div>
  )
}

/** A bundle is of named goods, or of any few. */
export const namesGoods = (rules: Record<string, any>): boolean =>
  rules.named === true || (Array.isArray(rules.items) && rules.items.length > 0)

export const read = (value: unknown): Record<string, any> => {
  try {
    return (typeof value === 'string' ? JSON.parse(value || '{}') : value) as Record<string, any>
  } catch {
    return {}
  }
}

/** The numbers of a rule by its kind, the sentence they make, an example of what it does, and a basket to try it on. */
export function RulesInput({ value, onChange, values, id, invalid }: InputProps) {
  const say = useSay()
  const type = values.type as CampaignType | ''
  const [of, setOf] = useState(type)
  const rules = read(value)
  const set = (change: object) => onChange(JSON.stringify({ ...rules, ...change }))
  useEffect(() => {
    if (type && type !== of) {
      setOf(type)
      onChange(JSON.stringify(plain[type].start))
    } else if (type && !Object.keys(read(value)).length) {
      onChange(JSON.stringify(plain[type].start))
    }
  }, [type, of, value, onChange])
  if (!type)
    return (
      <p className="kit-quiet" id={id}>
        {say(words.unfinished)}
      </p>
    )
  const found = readRules(type, rules)
  // What is not filled in yet is no mistake before somebody wants to save.
  const problems = 'rule' in found ? [] : found.problems.filter(({ problem }) => invalid || problem.code !== 'required')
  return (
    <div className="campaign-rules">
      <div className="campaign-numbers">
        <Numbers type={type} rules={rules} set={set} values={values} id={id} problems={problems} />
      </div>
      <div className="campaign-promise" aria-live="polite">
        <p>
          <span>{say(words.reads)}</span>
          {'rule' in found ? say(rulePromise(found.rule)) : say(words.unfinished)}
        </p>
        {'rule' in found && <ExampleLine rule={found.rule} values={values} />}
      </div>
      {'rule' in found && <Preview values={{ ...values, rules }} />}
    </div>
  )
}

const money = (cents: number) => <Money value={yuan(cents)} />

/** What a basket of real goods would cost, by the engine that prices every sale. */
function ExampleLine({ rule, values }: { rule: CampaignRule; values: Record<string, unknown> }) {
  const say = useSay()
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
  const { priced, cost } = found
  const saved = priced.goodsAmount - priced.payAmount
  const basket = found.lines.map((line) => `${line.name} ×${line.quantity}`).join(say(words.and))
  const [missed] = priced.missed
  const isLoss = saved > 0 && priced.payAmount < cost
  return (
    <p className="campaign-example">
      <span>{say(words.example)}</span>
      {basket}
      {say(words.colon)}
      {saved > 0 ? (
        <>
          <s className="kit-quiet">{money(priced.goodsAmount)}</s> <strong>{money(priced.payAmount)}</strong> ·{' '}
          {say(words.saves)} {money(saved)}
        </>
      ) : (
        <>
          {money(priced.goodsAmount)} ·{' '}
          {missed
            ? say(
                missedText({
                  kind: 'campaign',
                  refId: '',
                  name: '',
                  why: missed.why,
                  lacking: missed.why === 'threshold' ? yuan(missed.lacking ?? 0) : (missed.lacking ?? ''),
                }),
              )
            : say(words.noGain)}
        </>
      )}
      {isLoss && (
        <em className="rehearsal-warn">
          <Icon name="warning" /> {say(words.loss)} {money(cost - priced.payAmount)}
        </em>
      )}
    </p>
  )
}

type AmountProps = {
  label: Words
  hint?: Words
  at: string
  value: unknown
  onChange: (value: string | number) => void
  unit?: '¥' | '%'
  decimals?: number
  problems: RuleProblem[]
  id?: string
}

/** A number of the rule with what is wrong about it below. */
function Amount({ label, hint, at, value, onChange, unit, decimals = 2, problems, id }: AmountProps) {
  const say = useSay()
  const language = useLang()
  const wrong = problems.find((one) => one.at === at)
  const own = useId()
  return (
    <div className="campaign-number">
      <label htmlFor={id ?? own}>
        {say(label)}
        {hint && <span className="kit-quiet"> {say(hint)}</span>}
      </label>
      <InputNumber<string>
        stringMode
        id={id ?? own}
        min="0"
        precision={decimals}
        value={value === '' || value === undefined || value === null ? null : String(value)}
        status={wrong && 'error'}
        aria-invalid={!!wrong}
        aria-describedby={wrong && `${own}-wrong`}
        prefix={unit === '¥' ? '¥' : undefined}
        suffix={unit === '%' ? '%' : undefined}
        onChange={(next) => onChange(next === null ? '' : decimals ? next : Number(next))}
      />
      {wrong && (
        <span id={`${own}-wrong`} className="kit-error" role="alert">
          {problemSentence(wrong.problem, wrong, language)}
        </span>
      )}
    </div>
  )
}

type Tier = { over: string; off: string }
type NumbersProps = {
  type: CampaignType
  rules: Record<string, any>
  set: (change: object) => void
  values: Record<string, unknown>
  id: string
  problems: RuleProblem[]
}

function Numbers({ type, rules, set, values, id, problems }: NumbersProps) {
  const say = useSay()
  if (type === 'fullReduction') {
    const tiers = (Array.isArray(rules.tiers) ? rules.tiers : []) as Tier[]
    const change = (at: number, patch: Partial<Tier>) =>
      set({ tiers: tiers.map((tier, n) => (n === at ? { ...tier, ...patch } : tier)) })
    return (
      <>
        {tiers.map((tier, at) => (
          <div key={at} className="campaign-tier">
            <Amount
              id={at ? undefined : id}
              label={ruleParts.over}
              at={`tiers.${at}.over`}
              unit="¥"
              value={tier.over}
              problems={problems}
              onChange={(over) => change(at, { over: String(over) })}
            />
            <Amount
              label={ruleParts.off}
              at={`tiers.${at}.off`}
              unit="¥"
              value={tier.off}
              problems={problems}
              onChange={(off) => change(at, { off: String(off) })}
            />
            {tiers.length > 1 && (
              <Button
                type="text"
                icon={<Icon name="close" label={say(words.drop)} />}
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
            {say(words.addTier)}
          </Button>
        )}
        {tiers.length === 1 && (
          <Checkbox checked={rules.repeat === true} onChange={(event) => set({ repeat: event.target.checked })}>
            {say(words.repeat)}
          </Checkbox>
        )}
      </>
    )
  }
  if (type === 'percentage')
    return (
      <>
        <Amount
          id={id}
          label={ruleParts.rate}
          hint={words.rateHint}
          at="rate"
          unit="%"
          value={rules.rate}
          problems={problems}
          onChange={(rate) => set({ rate })}
        />
        <Amount
          label={ruleParts.cap}
          hint={words.optional}
          at="cap"
          unit="¥"
          value={rules.cap}
          problems={problems}
          onChange={(cap) => set({ cap })}
        />
      </>
    )
  if (type === 'fixedPrice')
    return (
      <>
        <Amount
          id={id}
          label={ruleParts.unitPrice}
          at="price"
          unit="¥"
          value={rules.price}
          problems={problems}
          onChange={(price) => set({ price })}
        />
        <Amount
          label={ruleParts.maxPieces}
          hint={words.optional}
          at="maxPieces"
          value={rules.maxPieces}
          decimals={0}
          problems={problems}
          onChange={(maxPieces) => set({ maxPieces })}
        />
      </>
    )
  if (type === 'nthPiece')
    return (
      <>
        <Amount
          id={id}
          label={ruleParts.n}
          at="n"
          value={rules.n}
          decimals={0}
          problems={problems}
          onChange={(n) => set({ n })}
        />
        <Amount
          label={ruleParts.nthRate}
          hint={words.nthHint}
          at="rate"
          unit="%"
          value={rules.rate}
          problems={problems}
          onChange={(rate) => set({ rate })}
        />
        <Checkbox checked={rules.mixed === true} onChange={(event) => set({ mixed: event.target.checked })}>
          {say(words.mixed)}
        </Checkbox>
      </>
    )
  const isNamed = namesGoods(rules)
  return (
    <>
      <Segmented
        className="campaign-way"
        value={isNamed ? 'named' : 'any'}
        aria-label={say(words.way)}
        onChange={(way) =>
          set(way === 'named' ? { named: true } : { named: false, items: [], pieces: rules.pieces || 3 })
        }
        options={[
          { value: 'any', label: say(words.any) },
          { value: 'named', label: say(words.named) },
        ]}
      />
      {isNamed ? (
        <SetOfGoods rules={rules} set={set} values={values} id={id} problems={problems} />
      ) : (
        <Amount
          id={id}
          label={ruleParts.pieces}
          at="pieces"
          value={rules.pieces}
          decimals={0}
          problems={problems}
          onChange={(pieces) => set({ pieces })}
        />
      )}
      <Amount
        label={ruleParts.price}
        at="price"
        unit="¥"
        value={rules.price}
        problems={problems}
        onChange={(price) => set({ price })}
      />
    </>
  )
}

/** Named goods that are cheaper together, and what they cost apart. */
function SetOfGoods({ rules, set, values, id, problems }: Omit<NumbersProps, 'type'>) {
  const say = useSay()
  const language = useLang()
  const items = (Array.isArray(rules.items) ? rules.items : []) as BundleItem[]
  const { data = [] } = useCampaignGoods(
    items.length ? { upcs: items.map((item) => item.upc).join(','), tenantId: given(values.tenantId) } : undefined,
  )
  const priceOf = (upc: string) => data.find((one) => one.upc === upc)?.price
  const put = (next: BundleItem[]) => set({ items: next, named: true })
  const apart = items.reduce((sum, item) => sum + centsOf(priceOf(item.upc) ?? '0') * (item.quantity || 0), 0)
  const wrong = problems.find(({ at }) => at.startsWith('items'))
  return (
    <div className="campaign-set">
      {items.length > 0 && (
        <ul className="campaign-lines">
          {items.map((item, at) => (
            <li key={item.upc}>
              <span>
                {item.name ?? item.upc}
                <small>{item.upc}</small>
              </span>
              <InputNumber
                min={1}
                max={99}
                precision={0}
                value={item.quantity}
                aria-label={say(words.count, { name: item.name ?? item.upc })}
                onChange={(quantity) =>
                  put(items.map((one, n) => (n === at ? { ...one, quantity: quantity ?? 1 } : one)))
                }
              />
              <span>
                {priceOf(item.upc) && <Money value={priceOf(item.upc)} />}
                <Button
                  type="text"
                  icon={<Icon name="close" label={say(words.dropGoods, { name: item.name ?? item.upc })} />}
                  onClick={() => put(items.filter((_one, n) => n !== at))}
                />
              </span>
            </li>
          ))}
          {apart > 0 && (
            <li>
              <span className="kit-quiet">{say(words.apart)}</span>
              <span />
              <span>{money(apart)}</span>
            </li>
          )}
        </ul>
      )}
      {items.length < ITEMS_MAX && (
        <GoodsPick
          key={items.length}
          id={id}
          invalid={!!wrong}
          values={values}
          placeholder={say(words.addGoods)}
          onPick={(one) =>
            !items.some((item) => item.upc === one.upc) &&
            put([...items, { upc: one.upc, quantity: 1, name: one.name }])
          }
        />
      )}
      {wrong && (
        <span className="kit-error" role="alert">
          {problemSentence(wrong.problem, wrong, language)}
        </span>
      )}
    </div>
  )
}

type Line = { upc: string; name: string; quantity: number }

/** A basket put together by hand, and what it would cost. */
function Preview({ values }: { values: Record<string, any> }) {
  const say = useSay()
  const [isOpen, setOpen] = useState(false)
  const [shopId, setShopId] = useState('')
  const [chosen, setChosen] = useState('')
  const [lines, setLines] = useState<Line[]>([])
  const [isMember, setMember] = useState(false)
  const [withOthers, setOthers] = useState(true)
  const [answer, setAnswer] = useState<PricedWire>()
  const [problem, setProblem] = useState('')
  const { type, rules, goodIds, goodTypeIds, membersOnly, stackable, withVip, withTicket, priority } = values
  const body = JSON.stringify({
    shopId,
    lines: lines.map(({ upc, quantity }) => ({ upc, quantity })),
    isMember,
    withOthers,
    type,
    rules,
    goodIds,
    goodTypeIds,
    membersOnly,
    stackable,
    withVip,
    withTicket,
    priority,
  })
  const isReady = isOpen && !!shopId && lines.length > 0
  useEffect(() => {
    if (!isReady) return undefined
    let isStale = false
    const timer = setTimeout(() => {
      post<PricedWire>(`${discountConf.path}/preview`, { body: JSON.parse(body) as object }, { quiet: true }).then(
        (priced) => {
          if (!isStale) {
            setAnswer(priced)
            setProblem('')
          }
        },
        (error: Error) => {
          if (!isStale) setProblem(error.message)
        },
      )
    }, 300)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [isReady, body])
  if (!isOpen)
    return (
      <Button icon={<Icon name="shopping-cart" />} onClick={() => setOpen(true)}>
        {say(words.try)}
      </Button>
    )
  return (
    <section className="campaign-basket">
      <h4>{say(words.try)}</h4>
      <div className="campaign-pick">
        <Picker
          to="basicShopInfo"
          value={shopId}
          onChange={(next) => {
            setShopId(next)
            setChosen('')
            setLines([])
            setAnswer(undefined)
          }}
          placeholder={say(words.shop)}
        />
        {shopId && (
          <Picker
            to="goodInfo"
            multiple
            value={chosen}
            filter={{ shopId }}
            placeholder={say(words.goods)}
            onChange={(next, options) => {
              setChosen(next)
              setLines((before) =>
                options.map((option) => ({
                  upc: option.code ?? '',
                  name: option.title,
                  quantity: before.find((line) => line.upc === option.code)?.quantity ?? 1,
                })),
              )
            }}
          />
        )}
      </div>
      <div className="campaign-flags">
        <label>
          <Switch size="small" checked={isMember} onChange={setMember} /> {say(words.member)}
        </label>
        <label>
          <Switch size="small" checked={withOthers} onChange={setOthers} /> {say(words.others)}
        </label>
      </div>
      {problem && <Alert type="warning" showIcon title={problem} />}
      {lines.length > 0 && (
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
                <InputNumber
                  min={1}
                  max={99}
                  value={line.quantity}
                  onChange={(quantity) =>
                    setLines(lines.map((one) => (one.upc === line.upc ? { ...one, quantity: quantity ?? 1 } : one)))
                  }
                  aria-label={say(words.count, { name: line.name })}
                />
                <Money value={priced?.amount ?? ''} />
              </li>
            )
          })}
        </ul>
      )}
      {answer && lines.length > 0 && (
        <dl className="campaign-sums">
          <div>
            <dt>{say(words.shelf)}</dt>
            <dd>
              <Money value={answer.goodsAmount} />
            </dd>
          </div>
          <div>
            <dt>{say(words.saved)}</dt>
            <dd>
              <Money value={yuan(centsOf(answer.goodsAmount) - centsOf(answer.payAmount))} />
            </dd>
          </div>
          <div>
            <dt>{say(words.pay)}</dt>
            <dd>
              <Money value={answer.payAmount} />
            </dd>
          </div>
        </dl>
      )}
      {answer?.missed
        .filter((one) => one.refId === '0')
        .map((one) => (
          <p key={one.why} className="kit-quiet">
            {say(missedText(one))}
          </p>
        ))}
    </section>
  )
}
