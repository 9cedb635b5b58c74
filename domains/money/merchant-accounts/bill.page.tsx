import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { TenantInput, useIsPlatformUser } from '#kit/web/page/for-tenant.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { createMoneyTotals } from '#kit/web/row/money-totals.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { bill } from './bill.resource.ts'
import { BillSidePanel } from './bill-side-panel.tsx'
import './merchants.css'

type Row = WireRow<typeof bill>

const words = {
  intro: {
    zh: '每天、每月按订单和退款自动生成，与支付平台的对账单逐笔核对',
    en: 'Generated daily and monthly from orders and refunds and compared line by line with the platform statement',
  },
  all: { zh: '全部', en: 'All' },
  period: { zh: '账期', en: 'Period' },
} satisfies Record<string, LocalizedText>

const DifferenceCell = ({ value, row }: CellProps<Row>) =>
  row.statementTime ? (
    <span className={`kit-number ${Number(value) ? 'merchant-bad' : ''}`}>{String(value)}</span>
  ) : (
    <span className="kit-quiet">—</span>
  )
/** Cell with the day or month of a bill. */
const PeriodCell = ({ row, place }: CellProps<Row>) => (
  <span className="kit-number">
    {place === 'detail'
      ? String(row.periodStart)
      : row.billType === 'month'
        ? String(row.periodStart).slice(0, 7)
        : String(row.periodStart)}
  </span>
)
const cells = {
  differences: (props: CellProps<Row>) => <DifferenceCell {...props} />,
  periodStart: (props: CellProps<Row>) => <PeriodCell {...props} />,
}
const inputs = { tenantId: TenantInput }
const { generate } = bill.actions
const { tenantId, ...ownInput } = generate.input
const { periodStart } = bill.fields
const shown = { ...bill, fields: { ...bill.fields, periodStart: { ...periodStart, label: words.period } } }
const forPlatform = {
  ...shown,
  actions: {
    ...bill.actions,
    generate: { ...generate, input: { tenantId: { ...tenantId, required: true }, ...ownInput } },
  },
}
const forTenant = { ...shown, actions: { ...bill.actions, generate: { ...generate, input: ownInput } } }

const sums = createMoneyTotals(['income', 'refund', 'fee', 'shareOut', 'net', 'orderAmount'])
// Monthly bills contain the daily ones, so only bills of one type are added up.
const totals = (rows: Row[]) => (new Set(rows.map((row) => row.billType)).size === 1 ? sums(rows) : undefined)

/** List of bills: income, net amount and differences. */
export default function BillPage() {
  const resource = useIsPlatformUser() ? forPlatform : forTenant
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        inputs,
        totals,
        head: (list) => <States list={list} />,
        beside: (row) => <BillSidePanel key={String(row.id)} row={row} />,
      }}
    />
  )
}

function States({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const { choices } = useDictionary('bill_status')
  const { choices: types } = useDictionary('bill_type')
  const pick = (key: string, options: { key: string; label: string }[], label: LocalizedText) => (
    <Segmented
      value={list.state.filters[key] ?? ''}
      aria-label={t(label)}
      onChange={(next) => list.set((before) => withListFilters(before, { [key]: String(next) }))}
      options={[{ value: '', label: t(words.all) }, ...options.map((one) => ({ value: one.key, label: one.label }))]}
    />
  )
  return (
    <div className="merchant-tabs">
      {pick('billType', types, bill.fields.billType.label)}
      {pick('status', choices, bill.fields.status.label)}
    </div>
  )
}
