import type { WireRow } from '#kit/resource/index.ts'
import type { wxUser } from './wx-user.resource.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath, useResourcePaths } from '#kit/web/inputs/row-link.tsx'
import { definePageParts } from '#kit/web/list/page-parts.ts'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { blackList } from './black-list.resource.ts'
import { isReferenceSet, words } from './customer-words.ts'
import { createAccountLogPageParts } from './ledger-page.tsx'
import { rechargeLog } from './recharge-log.resource.ts'
import { customerHistoriesSlot, type CustomerHistory } from './slots.ts'
import { vipInfo } from './vip-info.resource.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'
import './members.css'

type Row = WireRow<typeof wxUser>

// Rows of modules that depend on this one, with only the fields read here.
type TicketRow = { id: string; ticketName: string; ticketNo: string; statusName: string; endTime: string }
type VisitRow = { id: string; shopName: string; enterTime: string; resultName: string; paidAmount: number | string }

type History = { key: string; label: LocalizedText; show: (customer: Row) => ReactNode }

/**
 * Builds a tab with a resource's rows of one customer. Read only: actions are on the resource's own page. `filter` is
 * the query parameter that takes the customer's id.
 */
const own = ({ resource, label, hidden, parts }: CustomerHistory, filter = 'wxUserId'): History => {
  const fields = Object.fromEntries(
    Object.entries(resource.fields as Fields).map(([key, field]) => [key, { ...field, search: undefined }]),
  )
  const short = {
    ...resource,
    fields,
    list: { ...resource.list, columns: resource.list.columns.filter((key) => !hidden.includes(key)) },
    actions: {},
  }
  return {
    key: resource.name,
    label,
    show: (customer) => (
      <ResourcePage
        resource={short}
        page={{
          transformActions: (rowActions) => rowActions.filter(({ key }) => key === 'view'),
          ...parts,
          intro: undefined,
          embedded: true,
          fixed: { [filter]: String(customer.id) },
        }}
      />
    ),
  }
}

const HISTORIES: readonly History[] = [
  own(
    {
      resource: balanceLog,
      label: words.balance,
      hidden: ['wxUserId'],
      parts: definePageParts(balanceLog, createAccountLogPageParts(balanceLog, words.balance)),
    },
    'personOf',
  ),
  own(
    {
      resource: integralLog,
      label: words.points,
      hidden: ['wxUserId'],
      parts: definePageParts(integralLog, createAccountLogPageParts(integralLog, words.points)),
    },
    'personOf',
  ),
  own({ resource: rechargeLog, label: rechargeLog.label, hidden: ['wxUserId'] }),
  own({ resource: vipInfo, label: words.level, hidden: ['wxUserId'] }),
  own({ resource: annualFeeLog, label: annualFeeLog.label, hidden: ['wxUserId'] }),
  {
    key: 'customerTicket',
    label: words.tickets,
    show: (customer) => (
      <Brief
        name="customerTicket"
        customerId={String(customer.id)}
        line={(row: TicketRow) => [
          String(row.ticketName),
          String(row.ticketNo),
          String(row.statusName),
          String(row.endTime).slice(0, 10),
        ]}
      />
    ),
  },
  {
    key: 'customerVisitLog',
    label: words.visits,
    show: (customer) => (
      <Brief
        name="customerVisitLog"
        customerId={String(customer.id)}
        line={(row: VisitRow) => [
          String(row.shopName),
          String(row.enterTime),
          String(row.resultName ?? ''),
          isReferenceSet(row.paidAmount) ? `¥${String(row.paidAmount)}` : '',
        ]}
      />
    ),
  },
  own({ resource: blackList, label: blackList.label, hidden: ['wxUserId', 'phone', 'pictures'] }),
  own({ resource: wxUserMerge, label: wxUserMerge.label, hidden: ['targetId'] }, 'targetId'),
]

type HistoriesProps = { customer: Row; chosen?: string; onChoose: (history: string) => void }

/** Every history the reader may see, one at a time. */
export function CustomerHistories({ customer, chosen, onChoose }: HistoriesProps) {
  const t = useLocalize()
  const above = useSlotContents(customerHistoriesSlot)
  const all = useMemo(() => [...(above ?? []).map((one) => own(one)), ...HISTORIES], [above])
  const seen = useResourcePaths(all.map(({ key }) => key))
  if (!above) return null
  const open = all.filter((_history, at) => seen[at])
  const history = open.find(({ key }) => key === chosen) ?? open[0]
  if (!history) return null
  return (
    <section className="member-card">
      <div className="member-tabs">
        <Segmented
          value={history.key}
          onChange={onChoose}
          options={open.map(({ key, label }) => ({ value: key, label: t(label) }))}
          aria-label={t(words.histories)}
        />
      </div>
      <div key={history.key}>{history.show(customer)}</div>
    </section>
  )
}

type BriefProps<R> = {
  name: string
  customerId: string
  line: (row: R) => readonly [string, string, string, string]
}

/** A short list of a customer's rows of another module: title and note on the left, two values on the right. */
function Brief<R extends { id: string }>({ name, customerId, line }: BriefProps<R>) {
  const t = useLocalize()
  const path = useResourcePath(name)
  const language = useLanguage()
  const { data, isPending } = useQuery({
    queryKey: ['list', name, language, 'of', customerId],
    queryFn: ({ signal }) =>
      apiGet<{ records: R[]; total: number }>(
        `/api/shop/${name}/list`,
        { wxUserId: customerId, size: 20 },
        { quiet: true, signal },
      ),
  })
  const rows = data?.records ?? []
  if (!rows.length) return <p className="kit-quiet">{isPending ? '…' : t(words.none)}</p>

  return (
    <>
      <ul className="kit-rows">
        {rows.map((row) => {
          const [title, note, state, end] = line(row)
          return (
            <li key={String(row.id)}>
              <span>
                <RowLink to={name} id={String(row.id)}>
                  {title}
                </RowLink>
                <small>{note}</small>
              </span>
              <span>
                {state}
                <small>{end}</small>
              </span>
            </li>
          )
        })}
      </ul>
      {path && (
        <p className="member-all">
          <Link to={`${path}?wxUserId=${customerId}`}>{t(words.all)}</Link>
        </p>
      )}
    </>
  )
}
