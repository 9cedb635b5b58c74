import { useQuery } from '@tanstack/react-query'
import { Progress, Segmented, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Asked } from '#kit/web/action-dialog.tsx'
import type { Row } from '#kit/web/form-values.ts'
import { get } from '#kit/web/http.ts'
import { useLang, useSay } from '#kit/web/language.tsx'
import { withFilters } from '#kit/web/list-state.ts'
import { Money } from '#kit/web/money.tsx'
import { moneyTotals } from '#kit/web/money-totals.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import type { Deed } from '#kit/web/row-buttons.tsx'
import { ErrorNote } from '#kit/web/states.tsx'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import type { List } from '#kit/web/use-list.ts'
import { supplierOrderDetail } from './supplier-order-detail.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'
import './suppliers.css'

const ActionDialog = lazy(() => import('#kit/web/action-dialog.tsx'))
const ReceiveDrawer = lazy(() => import('./receive.panel.tsx'))

const words = {
  intro: { zh: '从下单到结算：确认、发货、分批收货入库、按实收付款', en: 'From the order to the payment: confirm, ship, receive in parts, pay what came' },
  all: { zh: '全部', en: 'All' },
  lines: { zh: '商品', en: 'Goods' },
  came: { zh: '收 {received} / {quantity}', en: '{received} of {quantity} came' },
  due: { zh: '应付', en: 'Due' },
}

/** How much of an order has come. */
function CameCell({ row, place }: CellProps) {
  const [came, of] = [Number(row.receivedQuantity), Number(row.quantity)]
  if (place === 'detail') return <span className="kit-number">{came}</span>
  return <span className="supplier-came"><span className="kit-number">{came} / {of}</span><Progress percent={of ? Math.round((came / of) * 100) : 0} size="small" showInfo={false} /></span>
}

const cells = { receivedQuantity: (props: CellProps) => <CameCell {...props} /> }
const resource = { ...supplierOrder, list: { ...supplierOrder.list, columns: supplierOrder.list.columns.filter((key) => key !== 'quantity') } }
const totals = moneyTotals(['amount', 'freight'])

/** Purchase orders on their way. */
export default function SupplierOrderPage() {
  const [asked, setAsked] = useState<Asked>()
  const [receiving, setReceiving] = useState<Row>()
  const tame = (deeds: Deed[], row: Row): Deed[] => deeds
    .filter(({ key, disabled }) => !(key in supplierOrder.actions) || !disabled)
    .map((deed) => {
      if (deed.key === 'receive') return { ...deed, run: () => setReceiving(row) }
      if (deed.key !== 'settle') return deed
      const { settle } = supplierOrder.actions
      const due = (Number(row.receivedAmount) + Number(row.freight || 0)).toFixed(2)
      return { ...deed, run: () => setAsked({ name: 'settle', rows: [row], action: { ...settle, input: { ...settle.input, settledAmount: { ...settle.input.settledAmount, default: due } } } }) }
    })
    .toSorted((a, b) => Number(b.key in supplierOrder.actions) - Number(a.key in supplierOrder.actions))
  return (
    <>
      <ResourcePage resource={resource} page={{ intro: words.intro, tame, cells, totals, head: (list) => <States list={list} />, beside: (row) => <Lines order={row} /> }} />
      <Suspense>
        {asked && <ActionDialog resource={supplierOrder} asked={asked} onClose={() => setAsked(undefined)} />}
        {receiving && <ReceiveDrawer order={receiving} onClose={() => setReceiving(undefined)} />}
      </Suspense>
    </>
  )
}

function States({ list }: { list: List }) {
  const say = useSay()
  const { choices } = useDictionary('supplier_order_status')
  return (
    <div className="supplier-tabs">
      <Segmented
        value={list.state.filters.status ?? ''} aria-label={say(supplierOrder.fields.status.label)}
        onChange={(next) => list.set((before) => withFilters(before, { status: String(next) }))}
        options={[{ value: '', label: say(words.all) }, ...choices.map(({ key, label }) => ({ value: key, label }))]}
      />
    </div>
  )
}

type Line = { id: string, name: string, spec: string, price: string, quantity: number, receivedQuantity: number, receivedAmount: string, unit: string }

/** Lines of an order, fresh as long as it is on screen. */
export function useLines(order: Row) {
  const language = useLang()
  return useQuery({
    queryKey: ['list', supplierOrderDetail.name, 'of', order.id, order.version, language],
    queryFn: ({ signal }) => get<{ records: Line[] }>(`${supplierOrderDetail.path}/list`, { orderId: order.id as string, size: 200, ascs: 'sort' }, { quiet: true, signal }),
  })
}

function Lines({ order }: { order: Row }) {
  const say = useSay()
  const { data, error, refetch } = useLines(order)
  if (error) return <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />
  return (
    <section className="supplier-lines">
      <h3>{say(words.lines)}</h3>
      <ul className="kit-rows">
        {data.records.map((line) => (
          <li key={line.id}>
            <span>{line.name}<small>{line.spec} · <Money value={line.price} /></small></span>
            <span className={line.receivedQuantity < line.quantity ? 'kit-number' : 'kit-number kit-quiet'}>{say(words.came, { received: line.receivedQuantity, quantity: line.quantity })}<small><Money value={line.receivedAmount} /></small></span>
          </li>
        ))}
        <li className="supplier-due"><span>{say(words.due)}</span><Money value={(Number(order.receivedAmount) + Number(order.freight || 0)).toFixed(2)} /></li>
      </ul>
    </section>
  )
}
