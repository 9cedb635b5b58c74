import { Alert, Button, Checkbox, Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { wireYuanToCents, formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { SupplierCartLine } from './supplier-cart-line.tsx'
import { words } from './supplier-cart-words.ts'
import { useCartOrder, type SupplierCartState as Order, type SupplierCartGoods } from './use-cart-order.ts'
import { useCartSend } from './use-cart-send.ts'
import './suppliers.css'

const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

/** The purchase cart of one shop: quantities by line, ordered together from all suppliers or only the ticked ones. */
export function SupplierCartOrder({
  shopId,
  shopName,
  goods,
}: {
  shopId: string
  shopName: string
  goods: SupplierCartGoods[]
}) {
  const t = useLocalize()
  const order = useCartOrder(goods)
  const { send, isSending, problem } = useCartSend(shopId, order)
  const mayKeep = useHasPermission('supplierCart_add')
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  if (!goods.length) return <EmptyStateNote icon="product" title={t(words.none)} hint={t(words.noneHint)} />
  const place = () =>
    send(true).catch((reason: unknown) => {
      setConfirmOpen(false)
      throw reason
    })
  return (
    <>
      <Looks order={order} />
      {!order.groups.length && <EmptyStateNote icon="check-circle" title={t(words.calm)} hint={t(words.calmHint)} />}
      {order.groups.map((group) => (
        <Group key={group[0]!.supplierId} group={group} order={order} />
      ))}
      {problem && <Alert type="error" showIcon title={problem} className="supplier-problem" />}
      {mayKeep && (
        <Foot
          order={order}
          isSending={isSending}
          onKeep={() => void send(false).catch(() => {})}
          onPlace={() => setConfirmOpen(true)}
        />
      )}
      <Suspense>
        {isConfirmOpen && <Sure shopName={shopName} order={order} run={place} onClose={() => setConfirmOpen(false)} />}
      </Suspense>
    </>
  )
}

function Looks({ order: { look, setLook, chosen } }: { order: Order }) {
  const t = useLocalize()
  return (
    <div className="supplier-tabs">
      <Segmented
        value={look}
        onChange={setLook}
        aria-label={t(words.show)}
        options={(['needed', 'all', 'chosen'] as const).map((value) => ({
          value,
          label: value === 'chosen' ? `${t(words.chosen)} ${chosen.length}` : t(words[value]),
        }))}
      />
    </div>
  )
}

function Group({ group, order }: { group: SupplierCartGoods[]; order: Order }) {
  return (
    <section className="supplier-group">
      <Heading group={group} order={order} />
      <ul>
        {group.map((one) => (
          <SupplierCartLine
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

/** Heading of a supplier's lines with a checkbox whether to order from that supplier now. */
function Heading({ group, order }: { group: SupplierCartGoods[]; order: Order }) {
  const t = useLocalize()
  const { supplierId, supplierName: supplier } = group[0]!
  const own = order.orders.find((one) => one.supplierId === supplierId)
  const isNow = order.isOrdered(group[0]!)
  const isChoice = own && order.orders.length > 1
  return (
    <h2>
      {isChoice ? (
        <Checkbox
          checked={isNow}
          aria-label={t(words.from, { supplier })}
          onChange={({ target }) => order.setOrdered(supplierId, target.checked)}
        >
          {supplier}
        </Checkbox>
      ) : (
        <span>{supplier}</span>
      )}
      <span className="kit-quiet">{isNow ? t(words.kinds, { count: group.length }) : t(words.notNow)}</span>
      {isNow && <Short order={own} />}
      {isChoice && <Only order={order} supplierId={supplierId} isNow={isNow} />}
      <Money value={formatYuan(order.sumOf(group))} />
    </h2>
  )
}

/** Button that orders from this supplier alone, or again from all. */
function Only({ order, supplierId, isNow }: { order: Order; supplierId: string; isNow: boolean }) {
  const t = useLocalize()
  const isAlone = isNow && order.orders.filter(order.isOrdered).length === 1
  return (
    <Button type="link" size="small" onClick={() => order.orderOnly(isAlone ? undefined : supplierId)}>
      {t(isAlone ? words.everyone : words.only)}
    </Button>
  )
}

/** Shows the amount an order lacks to the supplier's minimum. */
function Short({ order }: { order: { sum: number; minAmount: string } | undefined }) {
  const t = useLocalize()
  if (!order || order.sum >= wireYuanToCents(order.minAmount)) return null
  return (
    <span className="supplier-short">
      <Icon name="warning" />{' '}
      {t(words.short, {
        min: formatAmount(order.minAmount),
        lacking: formatAmount(formatYuan(wireYuanToCents(order.minAmount) - order.sum)),
      })}
    </span>
  )
}

type FootProps = { order: Order; isSending: boolean; onKeep: () => void; onPlace: () => void }

function Foot({ order, isSending, onKeep, onPlace }: FootProps) {
  const t = useLocalize()
  const mayPlace = useHasPermission('supplierCart_place')
  const { wrong, ordered, sumOf } = order
  return (
    <footer className="supplier-foot">
      {wrong.length > 0 && (
        <Button type="link" danger role="alert" className="supplier-fix" onClick={order.showFirstWrong}>
          {t(words.fix, { count: wrong.length })}
        </Button>
      )}
      <Button size="large" disabled={!order.linesToKeep(false).length} loading={isSending} onClick={onKeep}>
        {t(words.keep)}
      </Button>
      {mayPlace && (
        <Button
          size="large"
          type="primary"
          disabled={!ordered.length || wrong.length > 0}
          loading={isSending}
          onClick={onPlace}
        >
          {t(words.place, { amount: formatAmount(formatYuan(sumOf(ordered))) })}
        </Button>
      )}
    </footer>
  )
}

type SureProps = { shopName: string; order: Order; run: () => Promise<void>; onClose: () => void }

function Sure({ shopName, order: { orders, isOrdered }, run, onClose }: SureProps) {
  const t = useLocalize()
  const now = orders.filter(isOrdered)
  const left = orders.length - now.length
  return (
    <ConfirmDialog
      title={words.placeTitle}
      text={t(words.will, { shop: shopName, count: now.length })}
      run={run}
      success={left ? words.orderedPart : words.ordered}
      onClose={onClose}
      names={now.map(
        (one) =>
          t(words.willLine, {
            supplier: one.supplierName,
            kinds: one.kinds,
            amount: formatAmount(formatYuan(one.sum)),
          }) +
          (Number(one.freight) ? t(words.withFreight, { freight: formatAmount(one.freight) }) : '') +
          (one.sum < wireYuanToCents(one.minAmount) ? t(words.belowMin, { min: formatAmount(one.minAmount) }) : ''),
      )}
    >
      {left > 0 && <p className="kit-quiet">{t(words.willLeave, { count: left })}</p>}
    </ConfirmDialog>
  )
}
