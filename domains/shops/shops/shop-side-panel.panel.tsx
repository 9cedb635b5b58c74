import type { WireRow } from '#kit/resource/index.ts'
import type { basicShopInfo } from './basic-shop-info.resource.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { shopActionsSlot, shopSidePanelSlot } from './slots.ts'
import { useShopStaff } from './use-staff.ts'
import { homeTopic } from './topics.ts'
import './shops.css'

type Row = WireRow<typeof basicShopInfo>

const words = {
  today: { zh: '今日', en: 'Today' },
  sales: { zh: '销售额', en: 'Sales' },
  orders: { zh: '订单', en: 'Orders' },
  refunds: { zh: '退款', en: 'Refunds' },
  allOrders: { zh: '今日订单', en: 'Orders today' },
  needs: { zh: '需要处理', en: 'Needs attention' },
  staff: { zh: '人员', en: 'Staff' },
  noStaff: { zh: '还没有人员', en: 'No staff yet' },
  change: { zh: '调整', en: 'Edit' },
  calm: { zh: '没有待处理事项', en: 'All clear' },
} satisfies Record<string, LocalizedText>

type WaitingTodo = { key: string; label: string; resource: string; count: number; query: Record<string, string> }
type ShopToday = { id: string; today: { sales: string; orders: number; refunds: string }; needs: WaitingTodo[] }
type Home = { date: string; shops: ShopToday[] }

/** Side panel of a shop: today's figures, to-do items, staff, and panels of other modules. */
export default function ShopSidePanel({ shop, onStaff }: { shop: Row; onStaff?: () => void }) {
  const id = String(shop.id)
  const seesOrders = !!useResourcePath('shoppingOrder')
  const parts = useSlotContents(shopSidePanelSlot)
  return (
    <div className="shops-beside">
      <ShopActions shopId={id} />
      {seesOrders && <ShopTodayFigures shopId={id} />}
      {parts?.map((Part, at) => (
        <Part key={at} shopId={id} />
      ))}
      <ShopStaff shopId={id} onStaff={onStaff} />
    </div>
  )
}

/** Actions in the shop that other modules add. */
export function ShopActions({ shopId }: { shopId: string }) {
  return useSlotContents(shopActionsSlot)?.map((Part, at) => <Part key={at} shopId={shopId} />)
}

export function ShopTodayFigures({ shopId }: { shopId: string }) {
  const language = useLanguage()
  const { data, refetch } = useQuery({
    queryKey: ['home', language],
    queryFn: () => apiGet<Home>('/api/shop/home/today', undefined, { quiet: true }),
    staleTime: 10_000,
  })
  useLiveRefetch(homeTopic, refetch)
  const shop = data?.shops.find((one) => one.id === shopId)
  if (!data || !shop) return null
  return (
    <>
      <Figures shop={shop} date={data.date} />
      <Needs needs={shop.needs} />
    </>
  )
}

function Figures({ shop: { id, today }, date }: { shop: ShopToday; date: string }) {
  const t = useLocalize()
  const ordersPath = useResourcePath('shoppingOrder')
  const refundsPath = useResourcePath('refunds')
  const day = (name: string) => `shopId=${id}&${name}_dategt=${date}&${name}_datelt=${date}`
  const orders = ordersPath && `${ordersPath}?status=1,2,3,4&${day('payTime')}`
  return (
    <section>
      <h3>
        {t(words.today)}
        <span className="kit-grow" />
        {orders && <Link to={orders}>{t(words.allOrders)}</Link>}
      </h3>
      <dl className="shops-figures">
        <div>
          <dt>{t(words.sales)}</dt>
          <dd>
            <LinkToRows to={orders}>
              <Money value={today.sales} />
            </LinkToRows>
          </dd>
        </div>
        <div>
          <dt>{t(words.orders)}</dt>
          <dd>
            <LinkToRows to={orders}>{today.orders}</LinkToRows>
          </dd>
        </div>
        <div>
          <dt>{t(words.refunds)}</dt>
          <dd>
            <LinkToRows to={refundsPath && `${refundsPath}?status=3&${day('finishTime')}`}>
              <Money value={today.refunds} />
            </LinkToRows>
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Needs({ needs }: Pick<ShopToday, 'needs'>) {
  const t = useLocalize()
  return (
    <section>
      <h3>{t(words.needs)}</h3>
      {!needs.length && <p className="kit-quiet">{t(words.calm)}</p>}
      <ul className="kit-rows">
        {needs.map((need) => (
          <li key={need.key}>
            <NeedLink need={need} />
            <strong>{need.count}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A number as a link to its rows, for people who have that page. */
const LinkToRows = ({ to, children }: { to?: string; children: ReactNode }) =>
  to ? <Link to={to}>{children}</Link> : <>{children}</>

function NeedLink({ need }: { need: WaitingTodo }) {
  const path = useResourcePath(need.resource)
  return (
    <span>
      {path ? <Link to={`${path}?${new URLSearchParams(need.query).toString()}`}>{need.label}</Link> : need.label}
    </span>
  )
}

export function ShopStaff({ shopId, onStaff }: { shopId: string; onStaff?: () => void }) {
  const t = useLocalize()
  const { data } = useShopStaff(shopId)
  const { choices } = useDictionary('shop_position')
  return (
    <section>
      <h3>
        {t(words.staff)}
        <span className="kit-grow" />
        {onStaff && (
          <Button type="link" size="small" onClick={onStaff}>
            {t(words.change)}
          </Button>
        )}
      </h3>
      {data?.length === 0 && <p className="kit-quiet">{t(words.noStaff)}</p>}
      <ul className="kit-rows">
        {data?.map((one) => (
          <li key={one.userId}>
            <span>
              {one.name}
              <small>{one.account}</small>
            </span>
            <span className="kit-quiet">{choices.find(({ key }) => key === one.position)?.label ?? one.position}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
