import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { Asked } from '#kit/web/action-dialog.tsx'
import type { Row } from '#kit/web/form-values.ts'
import { useSay } from '#kit/web/language.tsx'
import { withFilters } from '#kit/web/list-state.ts'
import { Money } from '#kit/web/money.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import type { Deed } from '#kit/web/row-buttons.tsx'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import type { List } from '#kit/web/use-list.ts'
import { refundAction } from './refund-words.ts'
import { refunds } from './refunds.resource.ts'
import './orders.css'

const ActionDialog = lazy(() => import('#kit/web/action-dialog.tsx'))
const OrderDetail = lazy(() => import('./order-detail.panel.tsx'))

const words = {
  intro: { zh: '先处理待审核的；同意后资金原路退回，失败的可以重试', en: 'Decide what waits; money goes back the way it came, and what failed can be sent again' },
  all: { zh: '全部', en: 'All' },
}

type RefundedLine = { detailId: string, name: string, quantity: number, amount: string }

/** The lines of a refund as people read them. */
function LinesCell({ value, place }: CellProps) {
  const lines = (Array.isArray(value) ? value : []) as RefundedLine[]
  if (place !== 'detail') return <span className="kit-line">{lines.map((line) => `${line.name} ×${line.quantity}`).join('、')}</span>
  return (
    <ul className="order-rows">
      {lines.map((line) => <li key={line.detailId}><span>{line.name}</span><span className="order-right kit-number">×{line.quantity} <Money value={line.amount} /></span></li>)}
    </ul>
  )
}

/** A refund leads to the page of its order. */
const OrderCell = ({ value, row }: CellProps) => <Link to={`/order/detail/${String(value)}`} onClick={(event) => event.stopPropagation()} className="kit-number">{String(row.orderNo || value)}</Link>

const cells = { lines: (props: CellProps) => <LinesCell {...props} />, orderId: (props: CellProps) => <OrderCell {...props} /> }

/** Refunds: decided, on their way, failed. */
export default function RefundsPage() {
  const [asked, setAsked] = useState<Asked>()
  const tame = (deeds: Deed[], row: Row): Deed[] => deeds
    .filter(({ key, disabled }) => !(key in refunds.actions) || !disabled)
    .map((deed) => {
      if (!(deed.key in refunds.actions)) return deed
      const action: Action = refundAction(deed.key as keyof typeof refunds.actions, row)
      return { ...deed, run: () => setAsked({ name: deed.key, action, rows: [row] }) }
    })
    // What waits for a decision stands first.
    .toSorted((a, b) => Number(b.key in refunds.actions) - Number(a.key in refunds.actions))
  return (
    <>
      <ResourcePage
        resource={refunds}
        page={{
          intro: words.intro, cells, tame,
          head: (list) => <States list={list} />,
          beside: (row) => <Suspense><OrderDetail id={String(row.orderId)} /></Suspense>,
        }}
      />
      <Suspense>{asked && <ActionDialog resource={refunds} asked={asked} onClose={() => setAsked(undefined)} />}</Suspense>
    </>
  )
}

/** The states as tabs. */
function States({ list }: { list: List }) {
  const say = useSay()
  const { choices } = useDictionary('refund_status')
  return (
    <div className="order-tabs">
      <Segmented
        value={list.state.filters.status ?? ''}
        onChange={(next) => list.set((before) => withFilters(before, { status: String(next) }))}
        options={[{ value: '', label: say(words.all) }, ...choices.map(({ key, label }) => ({ value: key, label }))]}
        aria-label={say(refunds.fields.status.label)}
      />
    </div>
  )
}
