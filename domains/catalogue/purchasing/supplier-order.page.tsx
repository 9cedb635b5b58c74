import type { WireRow } from '#kit/resource/index.ts'
import { wireYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Progress, Segmented, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Field } from '#kit/fields/base/field-kind.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { createMoneyTotals } from '#kit/web/row/money-totals.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { SUPPLIER_ORDER_STATE } from './dictionaries.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { supplierOrderDetail } from './supplier-order-detail.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'
import './suppliers.css'

type Row = WireRow<typeof supplierOrder>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const ReceiveDrawer = lazy(() => import('./receive.panel.tsx'))

const words = {
  intro: {
    zh: '从下单到结算：确认、发货、分批收货入库、按实收付款',
    en: 'From order to payment: confirm, ship, receive in parts and pay for what arrived',
  },
  all: { zh: '全部', en: 'All' },
  lines: { zh: '商品', en: 'Products' },
  fromCart: { zh: '去进货车下单', en: 'Order from cart' },
  ordered: { zh: '订 {quantity} {unit}', en: '{quantity} {unit} ordered' },
  came: { zh: '订 {quantity} {unit}，已收 {received}', en: '{received} of {quantity} {unit} received' },
  sumOrdered: { zh: '订货金额', en: 'Ordered amount' },
  sumCame: { zh: '已收货', en: 'Received' },
  dueThen: { zh: '收齐后应付', en: 'Due when fully received' },
  due: { zh: '应付', en: 'Due' },
  paid: { zh: '实付', en: 'Paid' },
}

/** Cell with the received pieces of an order, in the list with a progress bar. */
function CameCell({ row, place }: CellProps<Row>) {
  const [came, of] = [Number(row.receivedQuantity), Number(row.quantity)]
  if (place === 'detail') return <span className="kit-number">{came}</span>
  return (
    <span className="supplier-came">
      <span className="kit-number">
        {came} / {of}
      </span>
      <Progress
        percent={of ? Math.round((came / of) * 100) : 0}
        size="small"
        showInfo={false}
        aria-label={`${came} / ${of}`}
      />
    </span>
  )
}

const cells = { receivedQuantity: (props: CellProps<Row>) => <CameCell {...props} /> }
const resource = {
  ...supplierOrder,
  list: { ...supplierOrder.list, columns: supplierOrder.list.columns.filter((key) => key !== 'quantity') },
}
const totals = createMoneyTotals(['amount', 'freight'])

/** List of purchase orders. */
export default function SupplierOrderPage() {
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const [receiving, setReceiving] = useState<Row>()

  const transformActions = (rowActions: RowAction[], row: Row): RowAction[] =>
    rowActions
      .filter(({ key, disabled }) => !(key in supplierOrder.actions) || !disabled)
      .map((action) => {
        if (action.key === 'receive') return { ...action, run: () => setReceiving(row) }
        if (action.key === 'confirm')
          return {
            ...action,
            run: () =>
              setActionRequest({
                name: 'confirm',
                rows: [row],
                action: withStart(supplierOrder.actions.confirm, { expectDate: row.expectDate, freight: row.freight }),
              }),
          }
        if (action.key === 'settle')
          return {
            ...action,
            run: () =>
              setActionRequest({
                name: 'settle',
                rows: [row],
                action: withStart(supplierOrder.actions.settle, { settledAmount: withFreight(kept(row), row) }),
              }),
          }
        return action
      })
      .toSorted((a, b) => Number(b.key in supplierOrder.actions) - Number(a.key in supplierOrder.actions))

  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          transformActions,
          cells,
          totals,
          head: (list) => <States list={list} />,
          toolbar: () => <FromCart />,
          beside: (row) => <Lines order={row} />,
        }}
      />
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={supplierOrder} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
        {receiving && <ReceiveDrawer order={receiving} onClose={() => setReceiving(undefined)} />}
      </Suspense>
    </>
  )
}

/** Returns the action with known values as defaults of its inputs. */
const withStart = (action: Action, values: Record<string, unknown>): Action => ({
  ...action,
  input: Object.fromEntries(
    Object.entries(action.input as Record<string, Field>).map(([key, field]) => [
      key,
      { ...field, default: values[key] || undefined },
    ]),
  ),
})
/** Amount received less the amount returned, in yuan. */
const kept = (order: Row) => Math.max(0, Number(order.receivedAmount) - Number(order.returnedAmount || 0))
const withFreight = (sum: unknown, order: Row) => formatYuan(wireYuanToCents(sum) + wireYuanToCents(order.freight))

/** Button to the cart, where new orders are made. */
function FromCart() {
  const t = useLocalize()
  const navigate = useNavigate()
  const path = useResourcePath(supplierCart.name)
  if (!path) return null
  return (
    <Button type="primary" icon={<Icon name="shopping-cart" />} onClick={() => void navigate(path)}>
      {t(words.fromCart)}
    </Button>
  )
}

function States({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const { choices } = useDictionary('supplier_order_status')
  return (
    <div className="supplier-tabs">
      <Segmented
        value={list.state.filters.status ?? ''}
        aria-label={t(supplierOrder.fields.status.label)}
        onChange={(next) => list.set((before) => withListFilters(before, { status: String(next) }))}
        options={[{ value: '', label: t(words.all) }, ...choices.map(({ key, label }) => ({ value: key, label }))]}
      />
    </div>
  )
}

type Line = {
  id: string
  name: string
  spec: string
  price: string
  quantity: number
  amount: string
  receivedQuantity: number
  receivedAmount: string
  unit: string
}

/** Loads the lines of an order; again when its version changes. */
export function useSupplierOrderLines(order: Row) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['list', supplierOrderDetail.name, 'of', order.id, order.version, language],
    queryFn: ({ signal }) =>
      apiGet<{ records: Line[] }>(
        `${supplierOrderDetail.path}/list`,
        { orderId: order.id, size: 200, ascs: 'sort' },
        { quiet: true, signal },
      ),
  })
}

function Lines({ order }: { order: Row }) {
  const t = useLocalize()
  const { data, error, refetch } = useSupplierOrderLines(order)
  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />

  const hasCome = Number(order.receivedQuantity) > 0
  const isDone = [SUPPLIER_ORDER_STATE.received, SUPPLIER_ORDER_STATE.settled].includes(Number(order.status) as 3 | 4)
  return (
    <section className="supplier-lines">
      <h3>{t(words.lines)}</h3>
      <ul className="kit-rows">
        {data.records.map((line) => (
          <li key={line.id}>
            <span>
              {line.name}
              <small>
                {line.spec} · <Money value={line.price} />
              </small>
            </span>
            <span className="kit-number">
              {t(hasCome ? words.came : words.ordered, {
                received: line.receivedQuantity,
                quantity: line.quantity,
                unit: line.unit,
              })}
              <small>
                <Money value={hasCome || isDone ? line.receivedAmount : line.amount} />
              </small>
            </span>
          </li>
        ))}
        <Sum label={words.sumOrdered} value={order.amount} />
        {(hasCome || isDone) && <Sum label={words.sumCame} value={order.receivedAmount} />}
        {Number(order.returnedAmount) > 0 && (
          <Sum
            label={supplierOrder.fields.returnedAmount.label}
            value={formatYuan(-wireYuanToCents(order.returnedAmount))}
          />
        )}
        {Number(order.freight) > 0 && <Sum label={supplierOrder.fields.freight.label} value={order.freight} />}
        {Number(order.status) !== SUPPLIER_ORDER_STATE.cancelled && (
          <Sum
            label={isDone ? words.due : words.dueThen}
            value={withFreight(isDone ? kept(order) : order.amount, order)}
            isMain
          />
        )}
        {Number(order.status) === SUPPLIER_ORDER_STATE.settled && (
          <Sum label={words.paid} value={order.settledAmount} isMain />
        )}
      </ul>
    </section>
  )
}

function Sum({ label, value, isMain }: { label: LocalizedText; value: unknown; isMain?: boolean }) {
  return (
    <li className={isMain ? 'supplier-due' : 'kit-quiet'}>
      <span>{useLocalize()(label)}</span>
      <Money value={value} />
    </li>
  )
}
