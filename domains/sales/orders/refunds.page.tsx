import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import type { BulkOperationRequest, BulkPreview } from '#kit/web/list/bulk-dialog.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { createMoneyTotals, sumCentsOfColumn } from '#kit/web/row/money-totals.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { createRefundAction } from './refund-words.ts'
import { refunds } from './refunds.resource.ts'
import { useRefundApproval } from './use-may-sign.ts'
import './orders.css'

type Row = WireRow<typeof refunds>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const OrderDetail = lazy(() => import('./order-detail.panel.tsx'))

const words = {
  intro: {
    zh: '先处理待审核的；同意后资金原路退回，失败的可以重试',
    en: 'Review pending refunds first. Approved refunds go to the original payment method. Failed ones can be retried.',
  },
  all: { zh: '全部', en: 'All' },
  mine: { zh: '待我审核', en: 'Awaiting my approval' },
  waitsSecond: { zh: '待第二人审核', en: 'Awaiting second approval' },
  wouldSend: {
    zh: '将退款 {count} 笔，共 ¥{amount}',
    en: '{count} {count|refund|refunds} will be made, ¥{amount} in total',
  },
  wouldReject: {
    zh: '将拒绝 {count} 笔，共 ¥{amount}',
    en: '{count} {count|refund|refunds} will be rejected, ¥{amount} in total',
  },
  stays: { zh: '其余 {count} 笔 ¥{amount} 不变', en: 'the other {count} (¥{amount}) stay unchanged' },
  aboveLimit: { zh: '超出您的额度', en: 'Above your limit' },
}

type RefundedLine = { detailId: string; name: string; quantity: number; amount: string }

/** Lines of a refund: names in the list, a table in the detail. */
function LinesCell({ value, place }: CellProps<Row>) {
  const t = useLocalize()
  const lines = (Array.isArray(value) ? value : []) as RefundedLine[]
  if (place !== 'detail')
    return (
      <span className="kit-line">{lines.map((line) => `${line.name} ×${line.quantity}`).join(t(NAME_SEPARATOR))}</span>
    )
  return (
    <ul className="kit-rows">
      {lines.map((line) => (
        <li key={line.detailId}>
          <span>{line.name}</span>
          <span className="order-right kit-number">
            ×{line.quantity} <Money value={line.amount} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Link to the page of the refund's order. */
const OrderCell = ({ value, row }: CellProps<Row>) => (
  <Link
    to={`/order/shoppingOrder/${String(value)}`}
    onClick={(event) => event.stopPropagation()}
    className="kit-number"
  >
    {String(row.orderNo || value)}
  </Link>
)

/** The state, and why the reader cannot approve it. */
function StatusCell({ value, row }: CellProps<Row>) {
  const t = useLocalize()
  const hindrance = useRefundApproval().hindrance(row)
  const waitsForSecond = Number(value) === REFUND_STATE.applied && row.auditUser
  return (
    <span className="refund-state">
      <DictTag code="refund_status" value={value} />
      {(waitsForSecond || hindrance === 'limit') && (
        <small className="order-odd">{t(waitsForSecond ? words.waitsSecond : words.aboveLimit)}</small>
      )}
    </span>
  )
}

const totals = createMoneyTotals(['amount'])
const cells = {
  status: (props: CellProps<Row>) => <StatusCell {...props} />,
  lines: (props: CellProps<Row>) => <LinesCell {...props} />,
  orderId: (props: CellProps<Row>) => <OrderCell {...props} />,
}

/** By default the page shows refunds waiting for a decision. */
const WAITING = { status: String(REFUND_STATE.applied) }

type Sum = { count: number; amount: string }

/** Sum of the refunds a bulk action would decide. If more than were tried out, the server adds them up. */
function BulkMoney({ ask, preview }: { ask: BulkOperationRequest; preview: BulkPreview }) {
  const t = useLocalize()
  const isTried = preview.dryRunCount === preview.count
  const key = ask.operation === 'approve' ? 'mine' : ask.operation === 'retry' ? 'failed' : 'waiting'
  const { data } = useQuery({
    queryKey: ['refund-sum', ask.filter],
    queryFn: ({ signal }) =>
      apiGet<Record<typeof key, Sum>>(`${refunds.path}/sum`, ask.filter, { quiet: true, signal }),
    enabled: !isTried && !!ask.filter,
    gcTime: 0,
  })
  const refused = new Set(preview.rows.filter(({ isDone }) => !isDone).map(({ id }) => id))
  const rows = isTried ? preview.rows.map(({ was }) => was) : ask.rows
  const done = rows.filter((row) => !refused.has(String(row.id)))
  const sum: Sum | undefined =
    isTried || !ask.filter ? { count: done.length, amount: formatYuan(sumCentsOfColumn(done, 'amount')) } : data?.[key]
  const left = rows.filter((row) => refused.has(String(row.id)))
  if (!sum) return null
  return (
    <p className="refund-bulk">
      <strong>
        {t(ask.operation === 'reject' ? words.wouldReject : words.wouldSend, {
          count: sum.count,
          amount: formatAmount(sum.amount),
        })}
      </strong>
      {isTried && left.length > 0 && (
        <span className="kit-quiet">
          {' '}
          · {t(words.stays, { count: left.length, amount: formatAmount(formatYuan(sumCentsOfColumn(left, 'amount'))) })}
        </span>
      )}
    </p>
  )
}

/** Refunds: decided, on their way, failed. */
export default function RefundsPage() {
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const [isMine, setMine] = useState(false)
  const { hindrance } = useRefundApproval()
  const transformActions = (rowActions: RowAction[], row: Row): RowAction[] =>
    rowActions
      .filter(({ key, disabled }) => !(key in refunds.actions) || (!disabled && !(key === 'approve' && hindrance(row))))
      .map((one) => {
        if (!(one.key in refunds.actions)) return one
        const action: Action = createRefundAction(one.key as keyof typeof refunds.actions, row)
        return { ...one, run: () => setActionRequest({ name: one.key, action, rows: [row] }) }
      })
      // Actions that decide a refund come first.
      .toSorted((a, b) => Number(b.key in refunds.actions) - Number(a.key in refunds.actions))
  return (
    <>
      <ResourcePage
        resource={refunds}
        page={{
          intro: words.intro,
          cells,
          transformActions,
          totals,
          ...(isMine ? { fixed: { sign: 'mine' }, isNarrowed: true } : {}),
          start: WAITING,
          bulkNote: (ask, preview) => <BulkMoney ask={ask} preview={preview} />,
          head: (list) => <States list={list} isMine={isMine} onMine={setMine} />,
          beside: (row) => (
            <Suspense>
              <OrderDetail id={String(row.orderId)} />
            </Suspense>
          ),
        }}
      />
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={refunds} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
      </Suspense>
    </>
  )
}

const MINE = 'mine'

/** Tabs of the states; refunds the reader should approve come first. */
function States({ list, isMine, onMine }: { list: ResourceList; isMine: boolean; onMine: (isMine: boolean) => void }) {
  const t = useLocalize()
  const maySign = useHasPermission('refunds_approve')
  const { choices } = useDictionary('refund_status')
  return (
    <div className="order-tabs">
      <Segmented
        value={isMine ? MINE : (list.state.filters.status ?? '')}
        onChange={(next) => {
          onMine(next === MINE)
          list.set((before) => withListFilters(before, { status: next === MINE ? '' : String(next) }))
        }}
        options={[
          ...(maySign ? [{ value: MINE, label: t(words.mine) }] : []),
          { value: '', label: t(words.all) },
          ...choices.map(({ key, label }) => ({ value: key, label })),
        ]}
        aria-label={t(refunds.fields.status.label)}
      />
    </div>
  )
}
