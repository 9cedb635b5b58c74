import type { WireRow } from '#kit/resource/index.ts'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { wxUser } from './wx-user.resource.ts'
import { CustomerAvatar, LevelFilter, LevelTag, LevelText } from './customer-bits.tsx'
import './members.css'

type Row = WireRow<typeof wxUser>

const words = {
  intro: {
    zh: '在门店消费过的顾客；余额和积分由充值、消费、退款自动变动',
    en:
      'Customers who bought in the stores. Balance and points change automatically with top-ups, ' +
      'purchases and refunds.',
  },
}

const NameCell = ({ row, value }: CellProps<Row>) => (
  <span className="member-named">
    <CustomerAvatar row={row} small />
    <span className="kit-line">{String(value)}</span>
  </span>
)

const cells = {
  nickname: (props: CellProps<Row>) => <NameCell {...props} />,
  vipLevel: ({ row }: CellProps<Row>) => <LevelTag row={row} />,
}

const resource = {
  ...wxUser,
  fields: {
    ...wxUser.fields,
    nickname: { ...wxUser.fields.nickname, width: 170 },
    vipLevel: { ...wxUser.fields.vipLevel, width: 120 },
  },
  list: {
    ...wxUser.list,
    columns: ['nickname', 'phone', 'vipLevel', 'balance', 'integral', 'totalSpent', 'orderCount', 'lastVisitTime'],
  },
}

/** Customers; each opens on a page of its own. */
export default function CustomersPage() {
  const go = useNavigate()
  const detail = new URLSearchParams(useLocation().search).get('detail')
  if (detail) return <Navigate to={`/shop/wxUser/${detail}`} replace />
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        boxes: { vipLevel: LevelFilter },
        chips: { vipLevel: LevelText },
        onRow: (row) => void go(`/shop/wxUser/${String(row.id)}`),
        transformActions: (rowActions) => rowActions.filter((action) => action.key !== 'view'),
      }}
    />
  )
}
