import { centsOf, yuan } from '#kit/fields/money/cents.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, InputNumber, Segmented, Select, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Words } from '#kit/resource/words.ts'
import { useCan } from '#kit/web/session/can.ts'
import { get, post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLang, useSay } from '#kit/web/language.tsx'
import { amount, Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { Popup } from '#kit/web/parts/popup.tsx'
import { ErrorNote, StateNote } from '#kit/web/parts/states.tsx'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { unsavedWork, useUnsaved } from '#kit/web/form/unsaved.ts'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'
import type { Reason } from './suggest.ts'
import '#kit/web/kit.css'
import './suppliers.css'

const ConfirmDialog = lazy(() => import('#kit/web/form/confirm-dialog.tsx'))

const words = {
  intro: {
    zh: '按近四周每个星期几的销量、到货天数、箱规和保质期，算出每家店该订什么',
    en: 'What each shop should order, from four weeks of sales by weekday, lead time, box size and shelf life',
  },
  shop: { zh: '门店', en: 'Shop' },
  cover: { zh: '备货天数', en: 'Days to cover' },
  days: { zh: '{days} 天', en: '{days} days' },
  needed: { zh: '建议订货', en: 'Suggested' },
  all: { zh: '全部可订', en: 'Everything' },
  chosen: { zh: '已选', en: 'Chosen' },
  show: { zh: '显示', en: 'Show' },
  stock: { zh: '库存 {stock}', en: '{stock} in stock' },
  onOrder: { zh: '在途 {onOrder}', en: '{onOrder} coming' },
  perDay: { zh: '日销 {perDay}', en: '{perDay} a day' },
  lasts: { zh: '够卖 {days} 天', en: 'lasts {days} days' },
  box: { zh: '{box} 件/箱', en: '{box} a box' },
  why: { zh: '为什么订 {quantity}', en: 'Why {quantity}' },
  suggested: { zh: '建议 {quantity}', en: 'Suggested: {quantity}' },
  quantities: { zh: '订货数量', en: 'Quantities' },
  quantity: { zh: '{name} 订货数量', en: 'How many of {name}' },
  keep: { zh: '存入采购车', en: 'Keep in the cart' },
  place: { zh: '下单 ¥{amount}', en: 'Order for ¥{amount}' },
  placeTitle: { zh: '下单', en: 'Place the orders' },
  will: {
    zh: '为“{shop}”向 {count} 家供应商各下一张采购单：',
    en: 'One purchase order to each of {count} suppliers for {shop}:',
  },
  willLine: { zh: '{supplier}：{kinds} 种，¥{amount}', en: '{supplier}: {kinds} kinds, ¥{amount}' },
  withFreight: { zh: '，另加运费 ¥{freight}', en: ', and ¥{freight} freight' },
  belowMin: { zh: '；不到起送金额 ¥{min}', en: '; delivers from ¥{min} on' },
  short: { zh: '起送 ¥{min}，还差 ¥{lacking}', en: 'delivers from ¥{min}; ¥{lacking} lacking' },
  tooFew: { zh: '起订 {min}{unit}', en: 'From {min} {unit} on' },
  notBoxes: { zh: '整箱订，每箱 {box}{unit}', en: 'In boxes of {box} {unit}' },
  notEnough: { zh: '供应商只有 {stock}{unit}', en: 'The supplier has only {stock} {unit}' },
  fix: { zh: '{count} 种商品的数量还不能订', en: '{count} quantities cannot be ordered yet' },
  kept: { zh: '采购车已保存', en: 'The cart is saved' },
  ordered: { zh: '采购单已生成，等供应商确认', en: 'The orders are made and wait for the suppliers' },
  pickShop: { zh: '选择一家门店开始', en: 'Choose a shop to begin' },
  noShops: { zh: '还没有门店', en: 'There are no shops yet' },
  calm: { zh: '这家店现在不用订货', en: 'This shop needs nothing now' },
  calmHint: {
    zh: '库存和在途够卖；仍要订可看“全部可订”。',
    en: 'Stock and what is coming will do; "Everything" shows all that can be ordered.',
  },
  none: { zh: '没有供应商供这家店的商品', en: 'No supplier sells what this shop carries' },
  noneHint: { zh: '先在“供应商商品”里登记条码和价格。', en: "Enter barcodes and prices under Supplier's goods first." },
  other: { zh: '另有 {count} 家供货', en: '{count} more suppliers' },
  kinds: { zh: '{count} 种', en: '{count} kinds' },
} satisfies Record<string, Words>

const reasonWords: Record<Reason['code'], Words> = {
  sales: { zh: '未来 {days} 天预计卖出 {amount}', en: '{amount} are expected to sell in {days} days' },
  reserve: { zh: '加上库存预警 {amount}', en: 'plus a reserve of {amount}' },
  stock: { zh: '减去现有库存 {amount}', en: 'less {amount} in stock' },
  onOrder: { zh: '减去在途 {amount}', en: 'less {amount} on the way' },
  shelfLife: { zh: '保质期 {days} 天，最多订能卖完的量', en: 'no more than sells in a shelf life of {days} days' },
  minOrder: { zh: '起订量 {amount}', en: 'the smallest order is {amount}' },
  box: { zh: '按整箱 {amount} 凑整', en: 'in whole boxes of {amount}' },
  available: { zh: '供应商只有 {amount}', en: 'the supplier has only {amount}' },
}

type Goods = {
  supplierGoodsId: string
  supplierId: string
  supplierName: string
  goodId: string
  upc: string
  name: string
  spec: string
  unit: string
  picture: string
  price: string
  minAmount: string
  freight: string
  available: number | ''
  boxQty: number
  minOrder: number
  stock: number
  onOrder: number
  inCart: number
  otherOffers: number
  quantity: number
  perDay: number
  lastsDays: number | ''
  reasons: Reason[]
}
type Shop = { id: string; shopName: string }
type Look = 'needed' | 'all' | 'chosen'

const countId = (goods: Goods) => `count-${goods.supplierGoodsId}`
/** Why a quantity cannot be ordered, as the server would say it. */
function wrongOf(
  { minOrder, boxQty, available, unit }: Goods,
  count: number,
): { words: Words; values: Record<string, unknown> } | undefined {
  if (!count) return undefined
  if (available !== '' && count > available) return { words: words.notEnough, values: { stock: available, unit } }
  if (count < minOrder) return { words: words.tooFew, values: { min: minOrder, unit } }
  return count % boxQty ? { words: words.notBoxes, values: { box: boxQty, unit } } : undefined
}

/** What to order, shop by shop: suggestions with their reasons, quantities to change, orders made at once. */
export default function SupplierCartPage() {
  const say = useSay()
  const language = useLang()
  const { modal } = App.useApp()
  const { key: tab } = useTab()
  const [search, setSearch] = useSearchParams()
  const shopId = search.get('shopId') ?? ''
  const days = Number(search.get('coverDays')) || 7
  const set = (changes: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [key, value] of Object.entries(changes)) next.set(key, value)
        return next
      },
      { replace: true },
    )
  // Quantities are typed for one shop.
  const askFirst = (go: () => void) =>
    unsavedWork(tab).length
      ? void modal.confirm({
          title: say(kit.unsaved),
          content: say(kit.unsavedHint, { fields: say(words.quantities) }),
          okText: say(kit.discard),
          cancelText: say(kit.keepEditing),
          okButtonProps: { danger: true },
          onOk: go,
        })
      : go()
  const shops = useQuery({
    queryKey: ['shops', 'mine'],
    queryFn: () => get<Shop[]>('/api/shop/basicShopInfo/query', undefined, { quiet: true }),
  })
  const first = shops.data?.[0]?.id
  useEffect(() => {
    if (!shopId && first) set({ shopId: first })
  })
  const goods = useQuery({
    queryKey: ['list', supplierCart.name, 'suggest', shopId, days, language],
    enabled: !!shopId,
    staleTime: 0,
    queryFn: ({ signal }) =>
      get<Goods[]>(`${supplierCart.path}/suggest`, { shopId, coverDays: days }, { quiet: true, signal }),
    // Other days change what is suggested, not what was typed: the lines stay on screen meanwhile.
    placeholderData: (before, query) => (query?.queryKey[3] === shopId ? before : undefined),
  })
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{say(supplierCart.label)}</h1>
        <p>{say(words.intro)}</p>
      </header>
      <div className="supplier-bar">
        <Select
          size="large"
          showSearch
          optionFilterProp="label"
          value={shopId || undefined}
          placeholder={say(words.shop)}
          aria-label={say(words.shop)}
          loading={shops.isPending}
          options={(shops.data ?? []).map(({ id, shopName }) => ({ value: id, label: shopName }))}
          onChange={(id) => askFirst(() => set({ shopId: id }))}
        />
        <Select
          size="large"
          value={days}
          aria-label={say(words.cover)}
          options={[3, 7, 14, 30].map((one) => ({
            value: one,
            label: `${say(words.cover)} ${say(words.days, { days: one })}`,
          }))}
          onChange={(one) => set({ coverDays: String(one) })}
        />
      </div>
      {shops.data && !shops.data.length ? (
        <StateNote icon="shop" title={say(words.noShops)} />
      ) : goods.data ? (
        <Order
          key={shopId}
          shopId={shopId}
          shopName={shops.data?.find(({ id }) => id === shopId)?.shopName ?? ''}
          goods={goods.data}
        />
      ) : goods.error ? (
        <ErrorNote title={say(kit.failedList)} error={goods.error} retry={() => void goods.refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 10 }} />
      )}
    </div>
  )
}

function Order({ shopId, shopName, goods }: { shopId: string; shopName: string; goods: Goods[] }) {
  const say = useSay()
  const navigate = useNavigate()
  const renew = useRenew()
  const mayKeep = useCan('supplierCart_add')
  const mayPlace = useCan('supplierCart_place') && mayKeep
  const [look, setLook] = useState<Look>('needed')
  const [typed, setTyped] = useState<Record<string, number>>({})
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isAsked, setAsked] = useState(false)
  // What stands in the cart goes before what is suggested, what was typed before both.
  const countOf = (one: Goods) => typed[one.supplierGoodsId] ?? (one.inCart || one.quantity)
  const chosen = goods.filter((one) => countOf(one) > 0)
  const shown = goods.filter(
    (one) =>
      look === 'all' ||
      (look === 'chosen'
        ? countOf(one) > 0
        : one.quantity > 0 || one.inCart > 0 || typed[one.supplierGoodsId] !== undefined),
  )
  const groups = useMemo(() => [...Map.groupBy(shown, (one) => one.supplierId).values()], [shown])
  const wrong = chosen.filter((one) => wrongOf(one, countOf(one)))
  const orders = [...Map.groupBy(chosen, (one) => one.supplierId).values()].map((lines) => ({
    ...lines[0]!,
    kinds: lines.length,
    sum: lines.reduce((sum, one) => sum + countOf(one) * centsOf(one.price), 0),
  }))
  const total = chosen.reduce((sum, one) => sum + countOf(one) * centsOf(one.price), 0)

  const { key: tab } = useTab()
  useUnsaved(Object.keys(typed).length > 0, say(supplierCart.label), tab)
  const fix = () => {
    setLook('chosen')
    setTimeout(() => document.getElementById(countId(wrong[0]!))?.focus())
  }

  const send = async (isOrder: boolean) => {
    if (isSending) return
    setSending(true)
    setProblem(undefined)
    try {
      const { ids } = await post<{ ids: string[] }>(
        `${supplierCart.path}/fill`,
        {
          body: {
            shopId,
            lines: goods
              .filter((one) => countOf(one) > 0 || one.inCart > 0)
              .map((one) => ({ supplierGoodsId: one.supplierGoodsId, quantity: countOf(one) })),
          },
        },
        { quiet: true },
      )
      if (!isOrder) {
        toast.success(say(words.kept))
      } else {
        await post(`${supplierCart.path}/place`, { query: { ids: ids.join(',') } }, { quiet: true })
      }
      await Promise.all([supplierCart, supplierOrder].map(renew))
      setTyped({})
      if (isOrder) void navigate(`/supplier/supplierOrder?shopId=${shopId}&status=0`)
    } catch (reason) {
      setProblem((reason as Error).message)
      if (isOrder) setAsked(false)
      throw reason
    } finally {
      setSending(false)
    }
  }
  if (!goods.length) return <StateNote icon="product" title={say(words.none)} hint={say(words.noneHint)} />
  return (
    <>
      <div className="supplier-tabs">
        <Segmented
          value={look}
          onChange={setLook}
          aria-label={say(words.show)}
          options={(['needed', 'all', 'chosen'] as const).map((value) => ({
            value,
            label: value === 'chosen' ? `${say(words.chosen)} ${chosen.length}` : say(words[value]),
          }))}
        />
      </div>
      {!shown.length && <StateNote icon="check-circle" title={say(words.calm)} hint={say(words.calmHint)} />}
      {groups.map((group) => (
        <section key={group[0]!.supplierId} className="supplier-group">
          <h2>
            {group[0]!.supplierName}
            <span className="kit-quiet">{say(words.kinds, { count: group.length })}</span>
            <Short order={orders.find((one) => one.supplierId === group[0]!.supplierId)} />
            <Money value={yuan(group.reduce((sum, one) => sum + countOf(one) * centsOf(one.price), 0))} />
          </h2>
          <ul>
            {group.map((one) => (
              <Line
                key={one.supplierGoodsId}
                goods={one}
                count={countOf(one)}
                onCount={(count) => setTyped({ ...typed, [one.supplierGoodsId]: count })}
              />
            ))}
          </ul>
        </section>
      ))}
      {problem && <Alert type="error" showIcon title={problem} className="supplier-problem" />}
      {mayKeep && (
        <footer className="supplier-foot">
          {wrong.length > 0 && (
            <Button type="link" danger role="alert" className="supplier-fix" onClick={fix}>
              {say(words.fix, { count: wrong.length })}
            </Button>
          )}
          <Button
            size="large"
            disabled={!chosen.length && !goods.some((one) => one.inCart > 0)}
            loading={isSending}
            onClick={() => void send(false).catch(() => {})}
          >
            {say(words.keep)}
          </Button>
          {mayPlace && (
            <Button
              size="large"
              type="primary"
              disabled={!chosen.length || wrong.length > 0}
              loading={isSending}
              onClick={() => setAsked(true)}
            >
              {say(words.place, { amount: amount(yuan(total)) })}
            </Button>
          )}
        </footer>
      )}
      <Suspense>
        {isAsked && (
          <ConfirmDialog
            title={words.placeTitle}
            text={say(words.will, { shop: shopName, count: orders.length })}
            run={() => send(true)}
            success={words.ordered}
            onClose={() => setAsked(false)}
            names={orders.map(
              (one) =>
                say(words.willLine, { supplier: one.supplierName, kinds: one.kinds, amount: amount(yuan(one.sum)) }) +
                (Number(one.freight) ? say(words.withFreight, { freight: amount(one.freight) }) : '') +
                (one.sum < centsOf(one.minAmount) ? say(words.belowMin, { min: amount(one.minAmount) }) : ''),
            )}
          />
        )}
      </Suspense>
    </>
  )
}

/** What an order lacks to be delivered. */
function Short({ order }: { order: { sum: number; minAmount: string } | undefined }) {
  const say = useSay()
  if (!order || order.sum >= centsOf(order.minAmount)) return null
  return (
    <span className="supplier-short">
      <Icon name="warning" />{' '}
      {say(words.short, { min: amount(order.minAmount), lacking: amount(yuan(centsOf(order.minAmount) - order.sum)) })}
    </span>
  )
}

function Line({ goods, count, onCount }: { goods: Goods; count: number; onCount: (count: number) => void }) {
  const say = useSay()
  const { name, spec, price, boxQty, stock, onOrder, perDay, lastsDays, quantity, reasons, otherOffers } = goods
  const wrong = wrongOf(goods, count)
  return (
    <li>
      <div className="supplier-what">
        <strong>{name}</strong> <span className="kit-quiet">{spec}</span>
        <small>
          {say(words.stock, { stock })}
          {onOrder > 0 && ` · ${say(words.onOrder, { onOrder })}`} · {say(words.perDay, { perDay })}
          {lastsDays !== '' && ` · ${say(words.lasts, { days: lastsDays })}`}
        </small>
      </div>
      <div className="supplier-price">
        <Money value={price} />
        <small>
          {boxQty > 1 && say(words.box, { box: boxQty })}
          {otherOffers > 0 && ` ${say(words.other, { count: otherOffers })}`}
        </small>
      </div>
      <div className="supplier-count">
        <InputNumber
          id={countId(goods)}
          size="large"
          min={0}
          max={1_000_000}
          step={boxQty}
          precision={0}
          inputMode="numeric"
          value={count}
          status={wrong && 'error'}
          onChange={(next) => onCount(next ?? 0)}
          aria-label={say(words.quantity, { name })}
        />
        <Popup
          label={say(words.why, { quantity })}
          title={say(words.why, { quantity })}
          content={
            <ol className="supplier-reasons">
              {reasons.map((reason, at) => (
                <li key={at}>
                  <span>{say(reasonWords[reason.code], { amount: reason.amount, days: reason.days ?? '' })}</span>
                  <span className="kit-number">= {reason.after}</span>
                </li>
              ))}
            </ol>
          }
        >
          <Button type="link" size="small" icon={<Icon name="question-circle" />}>
            {say(words.suggested, { quantity })}
          </Button>
        </Popup>
        {wrong && (
          <span className="kit-error" role="alert">
            {say(wrong.words, wrong.values)}
          </span>
        )}
      </div>
    </li>
  )
}
