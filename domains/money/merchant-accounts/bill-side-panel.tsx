import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { callUpload } from '#kit/web/http/call.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { billDetail } from './bill-detail.resource.ts'
import { bill } from './bill.resource.ts'
import { billStatementCall } from './merchants.calls.ts'
import './merchants.css'

type Row = WireRow<typeof bill>

const words = {
  orders: { zh: '订单实付', en: 'Order payments' },
  offline: {
    zh: '不经支付平台（现金、余额、银行卡、外卖平台等）',
    en: 'Outside the payment platform (cash, balance, bank card, delivery platforms)',
  },
  net: { zh: '应结净额', en: 'Net payable' },
  read: { zh: '导入对账单', en: 'Import statement' },
  readHint: {
    zh: '从支付平台下载的交易账单（CSV）；当天有几个特约商户号，就一起选几个文件',
    en:
      'Trade statements (CSV) downloaded from the payment platform. If the day has several sub-merchant ' +
      'IDs, select all files together.',
  },
  agreed: { zh: '已逐笔核对，全部一致', en: 'All lines match' },
  found: { zh: '发现 {count} 笔差异', en: '{count} {count|line does|lines do} not match' },
  unread: { zh: '还没有导入对账单', en: 'No statement imported yet' },
  differences: { zh: '差异', en: 'Discrepancies' },
  ours: { zh: '我方', en: 'Our records' },
  theirs: { zh: '平台', en: 'Platform' },
  noOrder: { zh: '（无订单）', en: '(no order)' },
  allLines: { zh: '全部明细', en: 'All lines' },
  fee: { zh: '手续费', en: 'Fee' },
} satisfies Record<string, LocalizedText>

/** Side panel of a bill: how its net amount is computed and whether it agrees with WeChat Pay's statement. */
export function BillSidePanel({ row }: { row: Row }) {
  const t = useLocalize()
  const mayRead = useHasPermission('bill_statement') && (String(row.status) === '0' || String(row.status) === '3')
  return (
    <div className="merchant-beside">
      <Sums row={row} />
      {!row.statementTime && <p className="kit-quiet">{row.statementProblem || t(words.unread)}</p>}
      {mayRead && <ReadStatement row={row} />}
      {Boolean(row.statementTime) &&
        (Number(row.differences) ? (
          <Differences row={row} />
        ) : (
          <p className="merchant-good">
            <Icon name="check-circle" /> {t(words.agreed)}
          </p>
        ))}
      <Link to={`/merchant/billDetail?billId=${String(row.id)}`}>{t(words.allLines)}</Link>
    </div>
  )
}

function Sums({ row }: { row: Row }) {
  const t = useLocalize()
  const sum = (label: LocalizedText, value: unknown, minus = false) => (
    <li>
      <span>{t(label)}</span>
      <span className="kit-number">
        {minus ? '− ' : ''}
        <Money value={value} />
      </span>
    </li>
  )
  return (
    <ul className="kit-rows">
      {sum(words.orders, row.orderAmount)}
      {sum(words.offline, row.offlineAmount, true)}
      {sum(bill.fields.refund.label, row.refund, true)}
      {sum(bill.fields.fee.label, row.fee, true)}
      {sum(bill.fields.shareOut.label, row.shareOut, true)}
      <li className="merchant-net">
        <span>{t(words.net)}</span>
        <Money value={row.net} />
      </li>
    </ul>
  )
}

function ReadStatement({ row }: { row: Row }) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const input = useRef<HTMLInputElement>(null)
  const [isReading, setReading] = useState(false)
  const read = async (files: File[]) => {
    if (!files.length) return
    setReading(true)
    try {
      const { differences } = await callUpload(billStatementCall, files, { id: row.id })
      if (differences) toast.error(t(words.found, { count: differences }))
      else toast.success(t(words.agreed))
      await Promise.all([bill, billDetail].map(renew))
    } catch {
      // A toast has already shown the error.
    } finally {
      setReading(false)
      if (input.current) input.current.value = ''
    }
  }
  return (
    <p>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        multiple
        hidden
        onChange={(event) => void read([...(event.target.files ?? [])])}
      />
      <Button icon={<Icon name="upload" />} loading={isReading} onClick={() => input.current?.click()}>
        {t(words.read)}
      </Button>{' '}
      <span className="kit-quiet">{t(words.readHint)}</span>
    </p>
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
  const t = useLocalize()
  const orders = useResourcePath('shoppingOrder')
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', billDetail.name, 'differences', row.id, row.version, language],
    queryFn: () =>
      apiGet<{ records: Line[]; total: number }>(
        `${billDetail.path}/list`,
        { billId: row.id, checkResult_in: 'missingHere,missingThere,different', size: 50, ascs: 'time' },
        { quiet: true },
      ),
  })

  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />
  const amountOf = (value: unknown) =>
    value === '' || value === -1 || value === undefined ? '—' : <Money value={value} />
  return (
    <section>
      <h3>
        {t(words.differences)} <span className="kit-quiet">{data.total}</span>
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
                  t(words.noOrder)
                ) : orders && line.checkResult !== 'missingHere' ? (
                  <Link to={`${orders}?orderNo_equal=${encodeURIComponent(line.orderNo)}`}>{line.orderNo}</Link>
                ) : (
                  line.orderNo
                )}
              </div>
              <div className="merchant-pair">
                <span>
                  {t(words.ours)} {amountOf(ours)}
                </span>
                <span>
                  {t(words.theirs)} {amountOf(line.channelAmount)}
                </span>
                <span className="kit-quiet">
                  {t(words.fee)} {amountOf(line.checkResult === 'missingHere' ? '' : line.fee)} /{' '}
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
