import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useCan } from '#kit/web/session/can.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { TenantInput, useIsPlatform } from '#kit/web/for-tenant.tsx'
import { get, upload } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLang, useSay, type Words } from '#kit/web/language.tsx'
import { withFilters } from '#kit/web/list/list-state.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { moneyTotals } from '#kit/web/list/money-totals.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { toast } from '#kit/web/parts/toast.ts'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import type { List } from '#kit/web/list/use-list.ts'
import { billDetail } from './bill-detail.resource.ts'
import { bill } from './bill.resource.ts'
import './merchants.css'

const words = {
  intro: {
    zh: '每天、每月按订单和退款自动生成，与支付平台的对账单逐笔核对',
    en: "Made by day and month from orders and refunds, compared line by line with the platform's statement",
  },
  all: { zh: '全部', en: 'All' },
  period: { zh: '账期', en: 'Period' },
  orders: { zh: '订单实付', en: 'Paid by orders' },
  offline: { zh: '不经平台（现金、余额、银行卡）', en: 'Beside the platform (cash, balance, card)' },
  net: { zh: '应结净额', en: 'Net' },
  read: { zh: '导入对账单', en: 'Read a statement' },
  readHint: { zh: '从支付平台下载的交易账单（CSV）', en: 'The trade bill downloaded from the payment platform (CSV)' },
  agreed: { zh: '已逐笔核对，全部一致', en: 'Compared line by line: all agree' },
  found: { zh: '发现 {count} 笔差异', en: '{count} lines do not agree' },
  unread: { zh: '还没有导入对账单', en: 'No statement has been read yet' },
  differences: { zh: '差异', en: 'Differences' },
  ours: { zh: '我方', en: 'Ours' },
  theirs: { zh: '平台', en: 'Platform' },
  noOrder: { zh: '（无订单）', en: '(no order)' },
  allLines: { zh: '全部明细', en: 'All lines' },
  fee: { zh: '手续费', en: 'Fee' },
} satisfies Record<string, Words>

const DifferenceCell = ({ value, row }: CellProps) =>
  row.statementTime ? (
    <span className={`kit-number ${Number(value) ? 'merchant-bad' : ''}`}>{String(value)}</span>
  ) : (
    <span className="kit-quiet">—</span>
  )
/** The day or the month a bill is about. */
const PeriodCell = ({ row, place }: CellProps) => (
  <span className="kit-number">
    {place === 'detail'
      ? String(row.periodStart)
      : row.billType === 'month'
        ? String(row.periodStart).slice(0, 7)
        : String(row.periodStart)}
  </span>
)
const cells = {
  differences: (props: CellProps) => <DifferenceCell {...props} />,
  periodStart: (props: CellProps) => <PeriodCell {...props} />,
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

const sums = moneyTotals(['income', 'refund', 'fee', 'shareOut', 'net', 'orderAmount'])
// A month's bill holds the days' again: only bills of one kind add up.
const totals = (rows: Row[]) => (new Set(rows.map((row) => row.billType)).size === 1 ? sums(rows) : undefined)

/** Bills: what was taken, what is left, and what does not agree. */
export default function BillPage() {
  const resource = useIsPlatform() ? forPlatform : forTenant
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        inputs,
        totals,
        head: (list) => <States list={list} />,
        beside: (row) => <Beside key={String(row.id)} row={row} />,
      }}
    />
  )
}

function States({ list }: { list: List }) {
  const say = useSay()
  const { choices } = useDictionary('bill_status')
  const { choices: types } = useDictionary('bill_type')
  const pick = (key: string, options: { key: string; label: string }[], label: Words) => (
    <Segmented
      value={list.state.filters[key] ?? ''}
      aria-label={say(label)}
      onChange={(next) => list.set((before) => withFilters(before, { [key]: String(next) }))}
      options={[{ value: '', label: say(words.all) }, ...options.map((one) => ({ value: one.key, label: one.label }))]}
    />
  )
  return (
    <div className="merchant-tabs">
      {pick('billType', types, bill.fields.billType.label)}
      {pick('status', choices, bill.fields.status.label)}
    </div>
  )
}

function Beside({ row }: { row: Row }) {
  const say = useSay()
  const renew = useRenew()
  const mayRead = useCan('bill_statement') && (String(row.status) === '0' || String(row.status) === '3')
  const input = useRef<HTMLInputElement>(null)
  const [isReading, setReading] = useState(false)
  const read = async (file: File | undefined) => {
    if (!file) return
    setReading(true)
    try {
      const { differences } = await upload<{ differences: number }>(`${bill.path}/statement`, file, {
        query: { id: row.id as string },
      })
      if (differences) toast.error(say(words.found, { count: differences }))
      else toast.success(say(words.agreed))
      await Promise.all([bill, billDetail].map(renew))
    } catch {
      // Said by a toast already.
    } finally {
      setReading(false)
      if (input.current) input.current.value = ''
    }
  }
  const sum = (label: Words, value: unknown, minus = false) => (
    <li>
      <span>{say(label)}</span>
      <span className="kit-number">
        {minus ? '− ' : ''}
        <Money value={value} />
      </span>
    </li>
  )
  return (
    <div className="merchant-beside">
      <ul className="kit-rows">
        {sum(words.orders, row.orderAmount)}
        {sum(words.offline, row.offlineAmount, true)}
        {sum(bill.fields.refund.label, row.refund, true)}
        {sum(bill.fields.fee.label, row.fee, true)}
        {sum(bill.fields.shareOut.label, row.shareOut, true)}
        <li className="merchant-net">
          <span>{say(words.net)}</span>
          <Money value={row.net} />
        </li>
      </ul>
      {!row.statementTime && <p className="kit-quiet">{say(words.unread)}</p>}
      {mayRead && (
        <p>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            hidden
            onChange={(event) => void read(event.target.files?.[0])}
          />
          <Button icon={<Icon name="upload" />} loading={isReading} onClick={() => input.current?.click()}>
            {say(words.read)}
          </Button>{' '}
          <span className="kit-quiet">{say(words.readHint)}</span>
        </p>
      )}
      {Boolean(row.statementTime) &&
        (Number(row.differences) ? (
          <Differences row={row} />
        ) : (
          <p className="merchant-good">
            <Icon name="check-circle" /> {say(words.agreed)}
          </p>
        ))}
      <Link to={`/merchant/billDetail?billId=${String(row.id)}`}>{say(words.allLines)}</Link>
    </div>
  )
}

type Line = Row & {
  id: string
  orderNo: string
  transactionNo: string
  kind: string
  amount: string
  refund: string
  fee: string
  channelAmount: string | number
  channelFee: string | number
  checkResult: string
  time: string
}

function Differences({ row }: { row: Row }) {
  const say = useSay()
  const orders = usePathOf('shoppingOrder')
  const language = useLang()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', billDetail.name, 'differences', row.id, row.version, language],
    queryFn: () =>
      get<{ records: Line[]; total: number }>(
        `${billDetail.path}/list`,
        { billId: row.id as string, checkResult_in: 'missingHere,missingThere,different', size: 50, ascs: 'time' },
        { quiet: true },
      ),
  })
  if (error) return <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />
  const amountOf = (value: unknown) =>
    value === '' || value === -1 || value === undefined ? '—' : <Money value={value} />
  return (
    <section>
      <h3>
        {say(words.differences)} <span className="kit-quiet">{data.total}</span>
      </h3>
      <ul className="merchant-differences">
        {data.records.map((line) => {
          const ours = line.checkResult === 'missingHere' ? '' : line.kind === 'refund' ? line.refund : line.amount
          return (
            <li key={line.id}>
              <div>
                <DictTag code="bill_check" value={line.checkResult} /> <span className="kit-quiet">{line.time}</span>
              </div>
              <div className="kit-number">
                {!line.orderNo ? (
                  say(words.noOrder)
                ) : orders && line.checkResult !== 'missingHere' ? (
                  <Link to={`${orders}?orderNo_equal=${encodeURIComponent(line.orderNo)}`}>{line.orderNo}</Link>
                ) : (
                  line.orderNo
                )}
              </div>
              <div className="merchant-pair">
                <span>
                  {say(words.ours)} {amountOf(ours)}
                </span>
                <span>
                  {say(words.theirs)} {amountOf(line.channelAmount)}
                </span>
                <span className="kit-quiet">
                  {say(words.fee)} {amountOf(line.checkResult === 'missingHere' ? '' : line.fee)} /{' '}
                  {amountOf(line.channelFee)}
                </span>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
