import { Alert, Button, Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { centsOf, yuan } from '#kit/fields/money/cents.ts'
import { useSay } from '#kit/web/language.tsx'
import { amount, Money } from '#kit/web/parts/money.tsx'
import { StateNote } from '#kit/web/parts/states.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { Line } from './supplier-cart-line.tsx'
import { words } from './supplier-cart-words.ts'
import { useCartOrder, type CartOrder as Order, type Goods } from './use-cart-order.ts'
import { useCartSend } from './use-cart-send.ts'
import './suppliers.css'

const ConfirmDialog = lazy(() => import('#kit/web/form/confirm-dialog.tsx'))

/** What to order for one shop: line by line, and then all of it at once. */
export function CartOrder({ shopId, shopName, goods }: { shopId: string; shopName: string; goods: Goods[] }) {
  const say = useSay()
  const order = useCartOrder(goods)
  const { send, isSending, problem } = useCartSend(shopId, order)
  const mayKeep = useCan('supplierCart_add')
  const [isAsked, setAsked] = useState(false)
  if (!goods.length) return <StateNote icon="product" title={say(words.none)} hint={say(words.noneHint)} />
  const place = () =>
    send(true).catch((reason: unknown) => {
      setAsked(false)
      throw reason
    })
  return (
    <>
      <Looks order={order} />
      {!order.groups.length && <StateNote icon="check-circle" title={say(words.calm)} hint={say(words.calmHint)} />}
      {order.groups.map((group) => (
        <Group key={group[0]!.supplierId} group={group} order={order} />
      ))}
      {problem && <Alert type="error" showIcon title={problem} className="supplier-problem" />}
      {mayKeep && (
        <Foot
          order={order}
          isSending={isSending}
          onKeep={() => void send(false).catch(() => {})}
          onPlace={() => setAsked(true)}
        />
      )}
      <Suspense>
        {isAsked && <Sure shopName={shopName} order={order} run={place} onClose={() => setAsked(false)} />}
      </Suspense>
    </>
  )
}

function Looks({ order: { look, setLook, chosen } }: { order: Order }) {
  const say = useSay()
  return (
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
  )
}

function Group({ group, order }: { group: Goods[]; order: Order }) {
  const say = useSay()
  return (
    <section className="supplier-group">
      <h2>
        {group[0]!.supplierName}
        <span className="kit-quiet">{say(words.kinds, { count: group.length })}</span>
        <Short order={order.orders.find((one) => one.supplierId === group[0]!.supplierId)} />
        <Money value={yuan(order.sumOf(group))} />
      </h2>
      <ul>
        {group.map((one) => (
          <Line
            key={one.supplierGoodsId}
            goods={one}
            count={order.countOf(one)}
            onCount={(count) => order.setCount(one, count)}
          />
        ))}
      </ul>
    </section>
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

type FootProps = { order: Order; isSending: boolean; onKeep: () => void; onPlace: () => void }

function Foot({ order, isSending, onKeep, onPlace }: FootProps) {
  const say = useSay()
  const mayPlace = useCan('supplierCart_place')
  const { wrong, chosen, lines, sumOf } = order
  return (
    <footer className="supplier-foot">
      {wrong.length > 0 && (
        <Button type="link" danger role="alert" className="supplier-fix" onClick={order.showFirstWrong}>
          {say(words.fix, { count: wrong.length })}
        </Button>
      )}
      <Button size="large" disabled={!lines.length} loading={isSending} onClick={onKeep}>
        {say(words.keep)}
      </Button>
      {mayPlace && (
        <Button
          size="large"
          type="primary"
          disabled={!chosen.length || wrong.length > 0}
          loading={isSending}
          onClick={onPlace}
        >
          {say(words.place, { amount: amount(yuan(sumOf(chosen))) })}
        </Button>
      )}
    </footer>
  )
}

type SureProps = { shopName: string; order: Order; run: () => Promise<void>; onClose: () => void }

function Sure({ shopName, order: { orders }, run, onClose }: SureProps) {
  const say = useSay()
  return (
    <ConfirmDialog
      title={words.placeTitle}
      text={say(words.will, { shop: shopName, count: orders.length })}
      run={run}
      success={words.ordered}
      onClose={onClose}
      names={orders.map(
        (one) =>
          say(words.willLine, { supplier: one.supplierName, kinds: one.kinds, amount: amount(yuan(one.sum)) }) +
          (Number(one.freight) ? say(words.withFreight, { freight: amount(one.freight) }) : '') +
          (one.sum < centsOf(one.minAmount) ? say(words.belowMin, { min: amount(one.minAmount) }) : ''),
      )}
    />
  )
}
