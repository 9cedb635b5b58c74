import { Alert, Button, Checkbox, InputNumber, Switch } from 'antd'
import { useEffect, useState } from 'react'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { Words } from '#kit/resource/words.ts'
import { post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { Money } from '#kit/web/money.tsx'
import { Picker } from '#kit/web/picker.tsx'
import { campaignTypes, parseRules, rulePromise, TIERS_MAX, type CampaignType } from './campaign-rules.ts'
import { BenefitText, missedText, type PricedWire } from './benefit-text.tsx'
import { discountConf } from './discount-conf.resource.ts'
import './marketing.css'

const words = {
  over: { zh: '满', en: 'From' },
  off: { zh: '减', en: 'off' },
  addTier: { zh: '加一档', en: 'Add a step' },
  drop: { zh: '去掉这一档', en: 'Remove this step' },
  repeat: { zh: '每满都减（上不封顶）', en: 'Again for every such amount' },
  pays: { zh: '付原价的 %', en: 'Pays % of the price' },
  cap: { zh: '最多减（选填）', en: 'At most (optional)' },
  price: { zh: '特价', en: 'Price' },
  maxPieces: { zh: '每单限几件（选填）', en: 'Pieces per order (optional)' },
  n: { zh: '第几件', en: 'Which piece' },
  nthPays: { zh: '这件付 %（0 为免费）', en: 'It pays % (0: free)' },
  mixed: { zh: '范围内的商品可以任意搭配', en: 'Goods may be mixed' },
  pieces: { zh: '任选几件', en: 'Any pieces' },
  together: { zh: '一共', en: 'for' },
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

const plain: Record<CampaignType, { title: Words; text: Words; icon: string; start: object }> = {
  fullReduction: { icon: 'wallet', title: { zh: '满减', en: 'Money off' }, text: { zh: '买够一定金额，减一笔钱。适合提升客单价。', en: 'Buy for an amount, get money off. Makes baskets larger.' }, start: { tiers: [{ over: '30.00', off: '5.00' }], repeat: false } },
  percentage: { icon: 'percentage', title: { zh: '打折', en: 'Per cent off' }, text: { zh: '商品统一打折。适合清库存、处理临期。', en: 'Everything chosen for less. Clears shelves.' }, start: { rate: '80.00', cap: '' } },
  fixedPrice: { icon: 'tag', title: { zh: '特价', en: 'Fixed price' }, text: { zh: '商品卖一个固定价。适合爆款引流。', en: 'One price for what is chosen. Brings people in.' }, start: { price: '3.90', maxPieces: '' } },
  nthPiece: { icon: 'ordered-list', title: { zh: '第 N 件优惠', en: 'Nth piece' }, text: { zh: '第二件半价、买三送一。适合让人多拿一件。', en: 'Second at half price, third free. One more in the basket.' }, start: { n: 2, rate: '50.00', mixed: true } },
  bundle: { icon: 'gift', title: { zh: '组合价', en: 'Bundle' }, text: { zh: '任选几件一口价。适合零食、饮料搭着卖。', en: 'Any few for one price. Sells things together.' }, start: { pieces: 3, price: '10.00', items: [] } },
}

/** Kinds of campaigns, each in a plain sentence. */
export function TypeInput({ value, onChange, id, invalid, describedBy }: InputProps) {
  const say = useSay()
  return (
    <div className="campaign-types" role="radiogroup" id={id} aria-invalid={invalid} aria-describedby={describedBy}>
      {campaignTypes.map((type) => (
        <button key={type} type="button" role="radio" aria-checked={value === type} onClick={() => onChange(type)}>
          <Icon name={plain[type].icon} /><strong>{say(plain[type].title)}</strong><small>{say(plain[type].text)}</small>
        </button>
      ))}
    </div>
  )
}

const read = (value: unknown): Record<string, any> => {
  try {
    return (typeof value === 'string' ? JSON.parse(value || '{}') : value) as Record<string, any>
  } catch {
    return {}
  }
}

/** The numbers of a rule by its kind, the sentence they make, and a basket to try it on. */
export function RulesInput({ value, onChange, values, id }: InputProps) {
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
  if (!type) return <p className="kit-quiet" id={id}>{say(words.unfinished)}</p>
  const rule = parseRules(type, rules)
  return (
    <div className="campaign-rules" id={id}>
      <div className="campaign-numbers"><Numbers type={type} rules={rules} set={set} /></div>
      <p className="campaign-promise" aria-live="polite"><span>{say(words.reads)}</span>{rule ? say(rulePromise(rule)) : say(words.unfinished)}</p>
      {rule && <Preview values={{ ...values, rules }} />}
    </div>
  )
}

function Amount({ label, value, onChange, decimals = 2 }: { label: Words; value: unknown; onChange: (value: string | number) => void; decimals?: number }) {
  const say = useSay()
  return (
    <label>
      <span>{say(label)}</span>
      <InputNumber<string> stringMode min="0" precision={decimals} value={value === '' || value === undefined || value === null ? null : String(value)} onChange={(next) => onChange(next === null ? '' : decimals ? next : Number(next))} aria-label={say(label)} />
    </label>
  )
}

type Tier = { over: string; off: string }

function Numbers({ type, rules, set }: { type: CampaignType; rules: Record<string, any>; set: (change: object) => void }) {
  const say = useSay()
  if (type === 'fullReduction') {
    const tiers = (Array.isArray(rules.tiers) ? rules.tiers : []) as Tier[]
    const change = (at: number, patch: Partial<Tier>) => set({ tiers: tiers.map((tier, n) => (n === at ? { ...tier, ...patch } : tier)) })
    return (
      <>
        {tiers.map((tier, at) => (
          <div key={at} className="campaign-tier">
            <Amount label={words.over} value={tier.over} onChange={(over) => change(at, { over: String(over) })} />
            <Amount label={words.off} value={tier.off} onChange={(off) => change(at, { off: String(off) })} />
            {tiers.length > 1 && <Button type="text" icon={<Icon name="close" label={say(words.drop)} />} onClick={() => set({ tiers: tiers.filter((_tier, n) => n !== at) })} />}
          </div>
        ))}
        {tiers.length < TIERS_MAX && <Button icon={<Icon name="plus" />} onClick={() => set({ tiers: [...tiers, { over: '', off: '' }], repeat: false })}>{say(words.addTier)}</Button>}
        {tiers.length === 1 && <Checkbox checked={rules.repeat === true} onChange={(event) => set({ repeat: event.target.checked })}>{say(words.repeat)}</Checkbox>}
      </>
    )
  }
  if (type === 'percentage') return <><Amount label={words.pays} value={rules.rate} onChange={(rate) => set({ rate })} /><Amount label={words.cap} value={rules.cap} onChange={(cap) => set({ cap })} /></>
  if (type === 'fixedPrice') return <><Amount label={words.price} value={rules.price} onChange={(price) => set({ price })} /><Amount label={words.maxPieces} value={rules.maxPieces} decimals={0} onChange={(maxPieces) => set({ maxPieces })} /></>
  if (type === 'nthPiece') return (
    <>
      <Amount label={words.n} value={rules.n} decimals={0} onChange={(n) => set({ n })} />
      <Amount label={words.nthPays} value={rules.rate} onChange={(rate) => set({ rate })} />
      <Checkbox checked={rules.mixed === true} onChange={(event) => set({ mixed: event.target.checked })}>{say(words.mixed)}</Checkbox>
    </>
  )
  return <><Amount label={words.pieces} value={rules.pieces} decimals={0} onChange={(pieces) => set({ pieces })} /><Amount label={words.together} value={rules.price} onChange={(price) => set({ price })} /></>
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
  const body = JSON.stringify({ shopId, lines: lines.map(({ upc, quantity }) => ({ upc, quantity })), isMember, withOthers, type, rules, goodIds, goodTypeIds, membersOnly, stackable, withVip, withTicket, priority })
  const isReady = isOpen && !!shopId && lines.length > 0
  useEffect(() => {
    if (!isReady) return undefined
    let isStale = false
    const timer = setTimeout(() => {
      post<PricedWire>(`${discountConf.path}/preview`, { body: JSON.parse(body) as object }, { quiet: true }).then(
        (priced) => { if (!isStale) { setAnswer(priced); setProblem('') } },
        (error: Error) => { if (!isStale) setProblem(error.message) },
      )
    }, 300)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [isReady, body])
  if (!isOpen) return <Button icon={<Icon name="shopping-cart" />} onClick={() => setOpen(true)}>{say(words.try)}</Button>
  return (
    <section className="campaign-basket">
      <h4>{say(words.try)}</h4>
      <div className="campaign-pick">
        <Picker to="basicShopInfo" value={shopId} onChange={(next) => { setShopId(next); setChosen(''); setLines([]); setAnswer(undefined) }} placeholder={say(words.shop)} />
        {shopId && <Picker to="goodInfo" multiple value={chosen} filter={{ shopId }} placeholder={say(words.goods)} onChange={(next, options) => { setChosen(next); setLines((before) => options.map((option) => ({ upc: option.code ?? '', name: option.title, quantity: before.find((line) => line.upc === option.code)?.quantity ?? 1 }))) }} />}
      </div>
      <div className="campaign-flags">
        <label><Switch size="small" checked={isMember} onChange={setMember} /> {say(words.member)}</label>
        <label><Switch size="small" checked={withOthers} onChange={setOthers} /> {say(words.others)}</label>
      </div>
      {problem && <Alert type="warning" showIcon title={problem} />}
      {lines.length > 0 && (
        <ul className="campaign-lines">
          {lines.map((line) => {
            const priced = answer?.lines.find((one) => one.upc === line.upc)
            return (
              <li key={line.upc}>
                <span>{line.name}{priced?.benefits.map((one, at) => <small key={at}><BenefitText benefit={one} /></small>)}</span>
                <InputNumber min={1} max={99} value={line.quantity} onChange={(quantity) => setLines(lines.map((one) => (one.upc === line.upc ? { ...one, quantity: quantity ?? 1 } : one)))} aria-label={say(words.count, { name: line.name })} />
                <Money value={priced?.amount ?? ''} />
              </li>
            )
          })}
        </ul>
      )}
      {answer && lines.length > 0 && (
        <dl className="campaign-sums">
          <div><dt>{say(words.shelf)}</dt><dd><Money value={answer.goodsAmount} /></dd></div>
          <div><dt>{say(words.saved)}</dt><dd><Money value={(Number(answer.goodsAmount) - Number(answer.payAmount)).toFixed(2)} /></dd></div>
          <div><dt>{say(words.pay)}</dt><dd><Money value={answer.payAmount} /></dd></div>
        </dl>
      )}
      {answer?.missed.filter((one) => one.refId === '0').map((one) => <p key={one.why} className="kit-quiet">{say(missedText(one))}</p>)}
    </section>
  )
}
