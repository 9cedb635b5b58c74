import type { WireRow } from '#kit/resource/index.ts'
import { Progress } from 'antd'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { discountTicket } from './discount-ticket.resource.ts'
import { EligibleGoodsInput } from './goods-choice.tsx'
import './marketing.css'

type Row = WireRow<typeof discountTicket>

const words = {
  intro: {
    zh: '代金券与折扣券：发给顾客或一个会员等级，看领了多少、用了多少',
    en: 'Cash and percentage coupons. Issue them to customers or a tier and track redemption.',
  },
  hands: { zh: '顾客手中的券', en: 'Customer coupons' },
  worth: { zh: '面额', en: 'Value' },
  used: { zh: '用了 {percent}%', en: '{percent}% used' },
  unlimited: { zh: '不限', en: 'no limit' },
}

function ReceivedCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  return (
    <span className="kit-number">
      {String(row.received)} / {Number(row.total) > 0 ? String(row.total) : t(words.unlimited)}
    </span>
  )
}

function UsedCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  const percent = Number(row.received) ? Math.round((Number(row.used) / Number(row.received)) * 100) : 0
  return (
    <span className="campaign-used" data-tip={t(words.used, { percent })}>
      <span className="kit-number">{String(row.used)}</span>
      <Progress percent={percent} size="small" showInfo={false} aria-label={t(words.used, { percent })} />
    </span>
  )
}

const cells = {
  received: (props: CellProps<Row>) => <ReceivedCell {...props} />,
  used: (props: CellProps<Row>) => <UsedCell {...props} />,
}
const inputs = { goodIds: EligibleGoodsInput }
const layout: FormLayoutOf<typeof discountTicket> = [
  { title: words.worth, fields: ['name', 'code', 'type', 'stackable'] },
  { fields: ['amount'], when: (values) => values.type !== 'rate' },
  { fields: ['rate', 'cap'], when: (values) => values.type === 'rate' },
]
const resource = {
  ...discountTicket,
  fields: { ...discountTicket.fields, received: { ...discountTicket.fields.received, width: 120 } },
  list: { ...discountTicket.list, columns: discountTicket.list.columns.filter((key) => key !== 'total') },
}

/** Kinds of tickets, with how many were issued and used. */
export default function DiscountTicketPage() {
  const navigate = useNavigate()
  const hands = useResourcePath('customerTicket')
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        inputs,
        formLayout: layout,
        rowActions: (row) =>
          hands
            ? [
                {
                  key: 'hands',
                  label: words.hands,
                  icon: 'idcard',
                  run: () => void navigate(`${hands}?ticketId=${String(row.id)}`),
                },
              ]
            : [],
      }}
    />
  )
}
