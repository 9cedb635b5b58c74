import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Segmented, Tag } from 'antd'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { Fields } from '#kit/fields/field-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useCan } from '#kit/web/session/can.ts'
import type { Row } from '#kit/web/form/form-values.ts'
import { HistoryButton } from '#kit/web/detail/history-button.tsx'
import { get } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLang, useSay, type Words } from '#kit/web/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { RowLink, usePathOf, usePathsOf } from '#kit/web/list/row-link.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { useList } from '#kit/web/list/use-list.ts'
import { useSlot } from '#kit/web/page-slots.ts'
import { When } from '#kit/web/parts/when.tsx'
import { balanceLog, integralLog } from './account-log.resource.ts'
import { wxUser } from './wx-user.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { blackList } from './black-list.resource.ts'
import { Face, LevelTag } from './customer-bits.tsx'
import type { DeedName } from './customer-deeds.panel.tsx'
import { ledgerParts } from './ledger-page.tsx'
import { rechargeLog } from './recharge-log.resource.ts'
import { vipInfo } from './vip-info.resource.ts'
import { customerHistories, type CustomerHistory } from './slots.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'
import './members.css'

const CustomerDeed = lazy(() => import('./customer-deeds.panel.tsx'))

const words = {
  balance: { zh: '余额', en: 'Balance' },
  points: { zh: '积分', en: 'Points' },
  spent: { zh: '累计消费', en: 'Total spent' },
  orders: { zh: '订单', en: 'Orders' },
  seen: { zh: '下面列出您能看到的 {count} 单', en: 'below are the {count} you may see' },
  each: { zh: '平均 ¥{amount}', en: '¥{amount} on average' },
  last: { zh: '最近到店', en: 'Last visit' },
  never: { zh: '还没有来过', en: 'Not yet' },
  until: { zh: '{time} 到期', en: 'until {time}' },
  since: { zh: '注册', en: 'Joined' },
  closed: {
    zh: '这个账户已合并关闭，余额、积分和订单都在：',
    en: 'This account was merged and closed; balance, points and orders are here:',
  },
  more: { zh: '更多', en: 'More' },
  block: { zh: '加入黑名单', en: 'Blacklist' },
  blocked: { zh: '黑名单：{where}', en: 'Blacklisted: {where}' },
  everywhere: { zh: '全部门店', en: 'all shops' },
  merge: { zh: '合并账户', en: 'Merge' },
  histories: { zh: '记录', en: 'Histories' },
  tickets: { zh: '优惠券', en: 'Tickets' },
  visits: { zh: '到店', en: 'Visits' },
  level: { zh: '会员', en: 'Membership' },
  all: { zh: '查看全部', en: 'See all' },
  none: { zh: '没有记录', en: 'Nothing yet' },
} satisfies Record<string, Words>

/** One customer with everything about him: what he is worth, what he holds, and every history of his. */
export default function CustomerPage() {
  const { id = '' } = useParams()
  const say = useSay()
  const { data: customer, error, refetch } = useDetail(wxUser, id)
  useTabTitle(customer && String(customer.nickname || say(wxUser.label)))
  const [history, setHistory] = useState<string>()
  if (!customer)
    return (
      <div className="kit-page member-page">
        {error ? (
          <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <div className="member-card">
            <span className="kit-skeleton" style={{ width: '40%', height: 56 }} />
          </div>
        )}
      </div>
    )
  return (
    <div className="kit-page member-page">
      <Head customer={customer} />
      <Figures customer={customer} onShow={setHistory} />
      <Histories key={id} customer={customer} chosen={history} onChoose={setHistory} />
    </div>
  )
}

const isSet = (value: unknown) => !!value && value !== '-1' && value !== -1

function Head({ customer }: { customer: Row }) {
  const say = useSay()
  const [deed, setDeed] = useState<DeedName>()
  const isClosed = isSet(customer.mergedInto)
  const mayRecharge = useCan('rechargeLog_recharge')
  const others: { key: DeedName; label: Words; may: boolean; danger?: boolean }[] = [
    { key: 'fee', label: annualFeeLog.actions.buy.label, may: useCan('annualFeeLog_buy') },
    { key: 'balance', label: balanceLog.actions.adjust.label, may: useCan('balanceLog_adjust') },
    { key: 'points', label: integralLog.actions.adjust.label, may: useCan('integralLog_adjust') },
    { key: 'block', label: words.block, may: useCan('blackList_add'), danger: true },
    { key: 'merge', label: words.merge, may: useCan('wxUserMerge_merge'), danger: true },
  ]
  const items = others.filter(({ may }) => may).map(({ key, label, danger }) => ({ key, label: say(label), danger }))
  return (
    <header className="member-card member-head">
      <Face row={customer} />
      <div className="member-who">
        <h1>{String(customer.nickname || say(wxUser.label))}</h1>
        <p>
          <LevelTag row={customer} />
          <Blocked customerId={String(customer.id)} />
          {isSet(customer.vipEndTime) && Number(customer.vipLevel) > 0 && (
            <span className="kit-quiet">{say(words.until, { time: String(customer.vipEndTime).slice(0, 10) })}</span>
          )}
          {isSet(customer.phone) && <span className="kit-number">{String(customer.phone)}</span>}
          <span className="kit-quiet">
            {say(words.since)} {String(customer.createTime).slice(0, 10)}
          </span>
        </p>
        {isSet(customer.remark) && <p className="kit-quiet">{String(customer.remark)}</p>}
      </div>
      {isClosed ? (
        <HistoryButton resource={wxUser} row={customer} size="large" />
      ) : (
        <div className="member-deeds">
          <HistoryButton resource={wxUser} row={customer} size="large" />
          {items.length > 0 && (
            <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: ({ key }) => setDeed(key as DeedName) }}>
              <Button size="large" icon={<Icon name="more" />}>
                {say(words.more)}
              </Button>
            </Dropdown>
          )}
          {mayRecharge && (
            <Button size="large" type="primary" icon={<Icon name="wallet" />} onClick={() => setDeed('recharge')}>
              {say(rechargeLog.actions.recharge.label)}
            </Button>
          )}
        </div>
      )}
      {isClosed && (
        <p className="member-note">
          <Icon name="user-switch" />
          {say(words.closed)}{' '}
          <Link to={`/shop/wxUser/${String(customer.mergedInto)}`}>
            {String(customer.mergedIntoName || customer.mergedInto)}
          </Link>
        </p>
      )}
      <Suspense>{deed && <CustomerDeed name={deed} customer={customer} onClose={() => setDeed(undefined)} />}</Suspense>
    </header>
  )
}

/** Says at the head that he is kept out, where and why. */
function Blocked({ customerId }: { customerId: string }) {
  const say = useSay()
  const path = usePathOf(blackList.name)
  const { rows } = useList(blackList, {
    inAddress: false,
    fixed: { wxUserId: customerId, standing: 'running', size: 1 },
    enabled: !!path,
  })
  const [row] = rows
  if (!row) return null
  return (
    <Tag className="kit-tag" color="error" icon={<Icon name="stop" />}>
      <span data-tip={String(row.reason)}>
        {say(words.blocked, { where: String(row.shopName || say(words.everywhere)) })}
      </span>
    </Tag>
  )
}

/** What he is worth; a number opens the history it comes from, below. */
function Figures({ customer, onShow }: { customer: Row; onShow: (history: string) => void }) {
  const say = useSay()
  const [orderPath, visitPath, balancePath, pointsPath] = usePathsOf([
    ORDERS,
    'customerVisitLog',
    balanceLog.name,
    integralLog.name,
  ])
  const opens = (history: string, path: string | undefined, number: ReactNode) =>
    path ? (
      <button type="button" onClick={() => onShow(history)}>
        {number}
      </button>
    ) : (
      number
    )
  const orders = Number(customer.orderCount)
  return (
    <section className="member-card">
      <dl className="member-figures">
        <div>
          <dt>{say(words.balance)}</dt>
          <dd>{opens(balanceLog.name, balancePath, <Money value={customer.balance} />)}</dd>
        </div>
        <div>
          <dt>{say(words.points)}</dt>
          <dd>{opens(integralLog.name, pointsPath, Number(customer.integral).toLocaleString('en-US'))}</dd>
        </div>
        <div>
          <dt>{say(words.spent)}</dt>
          <dd>{opens(ORDERS, orderPath, <Money value={customer.totalSpent} />)}</dd>
        </div>
        <div>
          <dt>{say(words.orders)}</dt>
          <dd>
            {opens(ORDERS, orderPath, orders)}
            {orders > 0 && (
              <small>
                {say(words.each, { amount: (Number(customer.totalSpent) / orders).toFixed(2) })}
                {orderPath && <SeenOrders customerId={String(customer.id)} all={orders} />}
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>{say(words.last)}</dt>
          <dd style={{ fontSize: 15 }}>
            {isSet(customer.lastVisitTime) ? (
              opens('customerVisitLog', visitPath, <When at={String(customer.lastVisitTime)} />)
            ) : (
              <span className="kit-quiet">{say(words.never)}</span>
            )}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** The family of orders, which belongs to a room above. */
const ORDERS = 'shoppingOrder'

type Orders = { customerId: string; all: number }

function SeenOrders(props: Orders) {
  const orders = useSlot(customerHistories)?.find((one) => one.resource.name === ORDERS)
  return orders && <SeenOf resource={orders.resource} {...props} />
}

/** Whoever is limited to shops sees the orders of theirs alone, and the figure counts all. */
function SeenOf({ resource, customerId, all }: Orders & { resource: Resource<any, any> }) {
  const say = useSay()
  const { total, isPending } = useList(resource, { inAddress: false, fixed: { wxUserId: customerId, size: 1 } })
  return isPending || total >= all ? null : <> · {say(words.seen, { count: total })}</>
}

type History = { key: string; label: Words; show: (customer: Row) => ReactNode }

/** The rows of a family that are his, to be read: what is done with them is done on their own page. */
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
          tame: (deeds) => deeds.filter(({ key }) => key === 'view'),
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
    { resource: balanceLog, label: words.balance, hidden: ['wxUserId'], parts: ledgerParts(balanceLog, words.balance) },
    'personOf',
  ),
  own(
    { resource: integralLog, label: words.points, hidden: ['wxUserId'], parts: ledgerParts(integralLog, words.points) },
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
        line={(row) => [
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
        line={(row) => [
          String(row.shopName),
          String(row.enterTime),
          String(row.resultName ?? ''),
          isSet(row.paidAmount) ? `¥${String(row.paidAmount)}` : '',
        ]}
      />
    ),
  },
  own({ resource: blackList, label: blackList.label, hidden: ['wxUserId', 'phone', 'pictures'] }),
  own({ resource: wxUserMerge, label: wxUserMerge.label, hidden: ['targetId'] }, 'targetId'),
]

/** Every history the reader may see, one at a time. */
function Histories({
  customer,
  chosen,
  onChoose,
}: {
  customer: Row
  chosen?: string
  onChoose: (history: string) => void
}) {
  const say = useSay()
  const above = useSlot(customerHistories)
  const all = useMemo(() => [...(above ?? []).map((one) => own(one)), ...HISTORIES], [above])
  const seen = usePathsOf(all.map(({ key }) => key))
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
          options={open.map(({ key, label }) => ({ value: key, label: say(label) }))}
          aria-label={say(words.histories)}
        />
      </div>
      <div key={history.key}>{history.show(customer)}</div>
    </section>
  )
}

/** Rows of a family of another room, in short: a title and a note at the left, two facts at the right. */
function Brief({
  name,
  customerId,
  line,
}: {
  name: string
  customerId: string
  line: (row: Row) => readonly [string, string, string, string]
}) {
  const say = useSay()
  const path = usePathOf(name)
  const language = useLang()
  const { data, isPending } = useQuery({
    queryKey: ['list', name, language, 'of', customerId],
    queryFn: ({ signal }) =>
      get<{ records: Row[]; total: number }>(
        `/api/shop/${name}/list`,
        { wxUserId: customerId, size: 20 },
        { quiet: true, signal },
      ),
  })
  const rows = data?.records ?? []
  if (!rows.length) return <p className="kit-quiet">{isPending ? '…' : say(words.none)}</p>
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
          <Link to={`${path}?wxUserId=${customerId}`}>{say(words.all)}</Link>
        </p>
      )}
    </>
  )
}
