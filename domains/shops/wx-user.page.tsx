import { lazy, Suspense } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Field } from '#kit/fields/field-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { page } from '#kit/web/page.tsx'
import { wxUser } from './wx-user.resource.ts'
import './shops.css'

const CustomerBeside = lazy(() => import('./customer-beside.panel.tsx'))

const words = {
  intro: { zh: '在门店消费过的顾客；余额和积分由充值、消费、退款自动变动', en: 'Who has bought in the shops; balance and points move with recharges, purchases and refunds' },
}

function NameCell({ row, value, place }: CellProps) {
  const name = String(value)
  if (place === 'detail') return <>{name}</>
  return (
    <span className="shops-named">
      {row.avatar ? <img className="shops-face" src={String(row.avatar)} alt="" loading="lazy" /> : <span className="shops-face" aria-hidden>{name.slice(0, 1)}</span>}
      <span className="kit-line">{name}</span>
    </span>
  )
}

const resource: Resource<any, any> = {
  ...wxUser,
  fields: { ...wxUser.fields, nickname: { ...wxUser.fields.nickname, width: 170 } as Field },
  list: { ...wxUser.list, columns: wxUser.list.columns.filter((key) => key !== 'avatar') },
}

/** Customers, and what each of them bought. */
export default page(resource, {
  intro: words.intro,
  cells: { nickname: (props: CellProps) => <NameCell {...props} /> },
  beside: (row) => <Suspense><CustomerBeside customer={row} /></Suspense>,
})
