import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { DictTag } from '#kit/web/dict-tag.tsx'
import type { IconName } from '#kit/web/icon-names.ts'
import { Icon } from '#kit/web/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { leaves } from '#kit/web/menus.ts'
import { amount } from '#kit/web/money.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { usePathOf } from '#kit/web/row-link.tsx'
import { useSession } from '#kit/web/session.ts'
import { ErrorNote } from '#kit/web/states.tsx'
import { Tiles } from '#kit/web/tiles.tsx'
import { ShopChoice, SpanChoice } from './choice.tsx'
import { homeWords as words } from './home-words.ts'
import { useChoice } from './span.ts'
import { ByType, Customers, IncomeCurve, TopShops } from './trade.tsx'
import { useHome, type DayFigures, type Home, type HomeShop, type Waiting } from './use-home.ts'
import '#kit/web/kit.css'
import './home.css'

/** How business is today, what needs somebody now, and how the shops are. */
export default function HomePage() {
  const hasOrders = !!usePathOf('shoppingOrder')
  const hasShops = !!usePathOf('basicShopInfo')
  return hasOrders || hasShops ? <Today hasOrders={hasOrders} hasShops={hasShops} /> : <Pages />
}

function Today({ hasOrders, hasShops }: { hasOrders: boolean, hasShops: boolean }) {
  const say = useSay()
  const [asked] = useSearchParams()
  const { data: home, error, refetch } = useHome(asked.get('shopId') ?? '')
  const { span, shopId, setSpan, setShop } = useChoice(home?.date ?? '2000-01-01', 'today')
  if (!home) return <div className="kit-page home">{error ? <ErrorNote title={say(words.failed)} error={error} retry={() => void refetch()} /> : <HomeSkeleton hasOrders={hasOrders} />}</div>
  const shown = shopId ? home.shops.filter((shop) => shop.id === shopId) : home.shops
  return (
    <div className="kit-page home">
      <header className="kit-title home-title">
        <h1>{say(words.title)}</h1>
        <p>{error ? <span className="kit-bad">{say(words.stale)} <Button type="link" size="small" onClick={() => void refetch()}>{say(kit.retry)}</Button></span> : say(words.asOf, { time: home.time.slice(0, 5) })}</p>
        <ShopChoice shops={home.shops} value={shopId} onChange={setShop} />
      </header>
      {hasOrders && <Figures home={home} shopId={shopId} />}
      <div className={hasOrders ? 'home-middle' : undefined}>
        {hasOrders && (
          <section className="home-card home-hours">
            <header className="home-bar"><h2>{say(span.days === 1 ? words.hours : words.days)}<small className="kit-quiet">{say(words.unit)}</small></h2><SpanChoice span={span} onChange={setSpan} /></header>
            <IncomeCurve span={span} shopId={shopId} now={{ date: home.date, hour: Number(home.time.slice(0, 2)) }} />
          </section>
        )}
        <Needs home={home} />
      </div>
      {hasOrders && (
        <div className="home-three">
          {!shopId && home.shops.length > 1 && <TopShops span={span} shopId={shopId} />}
          <ByType span={span} shopId={shopId} />
          <Customers span={span} shopId={shopId} />
        </div>
      )}
      {home.platform && <Tenants platform={home.platform} />}
      {hasShops && !home.platform && <Shops shops={shown} hasOrders={hasOrders} />}
    </div>
  )
}

type Figure = { key: 'sales' | 'orders' | 'customers' | 'refunds', icon: IconName, to?: string, note?: string, isBadUp?: boolean }

function Figures({ home, shopId }: { home: Home, shopId: string }) {
  const say = useSay()
  const ordersPath = usePathOf('shoppingOrder')
  const refundsPath = usePathOf('refunds')
  const { today, date } = home
  const ofShop = shopId && `&shopId=${shopId}`
  const orders = ordersPath && `${ordersPath}?status=1,2,3,4&payTime_dategt=${date}&payTime_datelt=${date}${ofShop}`
  const figures: Figure[] = [
    { key: 'sales', icon: 'pay-circle', to: orders, note: today.orders ? say(words.average, { amount: amount((Number(today.sales) / today.orders).toFixed(2)) }) : undefined },
    { key: 'orders', icon: 'file-text', to: orders },
    { key: 'customers', icon: 'team', to: orders, note: home.newCustomers ? say(words.newCustomers, { count: home.newCustomers }) : undefined },
    { key: 'refunds', icon: 'rollback', to: refundsPath && `${refundsPath}?status=3&finishTime_dategt=${date}&finishTime_datelt=${date}${ofShop}`, note: say(words.refundCount, { count: today.refundCount }), isBadUp: true },
  ]
  return <ul className="home-figures">{figures.map((figure) => <li key={figure.key}><FigureCard figure={figure} home={home} /></li>)}</ul>
}

const isMoney = (key: Figure['key']) => key === 'sales' || key === 'refunds'
const shown = (figures: DayFigures, key: Figure['key']) => (isMoney(key) ? `¥${amount(figures[key])}` : String(figures[key]))

function FigureCard({ figure, home }: { figure: Figure, home: Home }) {
  const say = useSay()
  const { key, icon, to, note, isBadUp } = figure
  const value = shown(home.today, key)
  const body = (
    <>
      <span className="home-label"><Icon name={icon} />{say(words[key])}{note && <small>{note}</small>}</span>
      {/* A new value comes in softly where the old one stood. */}
      <strong key={value} className="home-value">{value}</strong>
      <span className="home-against">
        <Against now={home.today} then={home.yesterdaySoFar} whole={home.yesterday} figure={key} day={words.yesterday} isBadUp={isBadUp} />
        <Against now={home.today} then={home.lastWeekSoFar} whole={home.lastWeek} figure={key} day={words.lastWeek} isBadUp={isBadUp} />
      </span>
    </>
  )
  return to ? <Link className="home-card home-figure" to={to}>{body}</Link> : <div className="home-card home-figure">{body}</div>
}

type AgainstProps = { now: DayFigures, then: DayFigures, whole: DayFigures, figure: Figure['key'], day: Words, isBadUp?: boolean }

/** A figure against the same time of another day: arrow, share and colour say the same thing. */
function Against({ now, then, whole, figure, day, isBadUp }: AgainstProps) {
  const say = useSay()
  const [a, b] = [Number(now[figure]), Number(then[figure])]
  const change = b ? (a - b) / b : a ? 1 : 0
  const isUp = a > b
  const share = b ? `${Math.abs(change * 100).toFixed(Math.abs(change) < 0.1 ? 1 : 0)}%` : ''
  const tone = a === b ? '' : isUp !== Boolean(isBadUp) ? ' home-good' : ' home-bad'
  const tip = say(words.wasSoFar, { day: say(day), value: shown(then, figure), whole: shown(whole, figure) })
  return (
    <span data-tip={tip}>
      <span className="kit-quiet">{say(day)}</span>
      {' '}
      {a === b ? <span className="kit-quiet">{say(words.same)}</span> : (
        <span className={`kit-number${tone}`}>
          <Icon name={isUp ? 'arrow-up' : 'arrow-down'} />
          <span className="kit-hidden">{say(isUp ? words.up : words.down, { share })}</span>
          <span aria-hidden>{share || shown(now, figure)}</span>
        </span>
      )}
    </span>
  )
}

function Needs({ home }: { home: Home }) {
  const say = useSay()
  return (
    <section className="home-card home-needs">
      <h2>{say(words.needs)}</h2>
      {!home.needs.length && <p className="home-calm"><Icon name="check-circle" /><span><strong>{say(words.calm)}</strong><small className="kit-quiet">{say(words.calmHint)}</small></span></p>}
      <ul>{home.needs.map((need) => <li key={need.key}><NeedLine need={need} /></li>)}</ul>
    </section>
  )
}

function NeedLine({ need }: { need: Waiting }) {
  const path = usePathOf(need.resource)
  const to = path && `${path}?${new URLSearchParams(need.query).toString()}`
  return (
    <MaybeLink to={to} className={`home-need home-${need.tone}`}>
      <Icon name={need.icon} /><span>{need.label}{need.amount && <small className="kit-quiet"> ¥{amount(need.amount)}</small>}</span><strong>{need.count}</strong>{to && <Icon name="right" />}
    </MaybeLink>
  )
}

const MaybeLink = ({ to, className, children }: { to?: string, className: string, children: ReactNode }) => (to ? <Link to={to} className={className}>{children}</Link> : <span className={className}>{children}</span>)

const TAKES_MONEY = 1

function Shops({ shops, hasOrders }: { shops: HomeShop[], hasOrders: boolean }) {
  const say = useSay()
  const open = shops.filter((shop) => shop.status === TAKES_MONEY)
  return (
    <section className="home-shops">
      <h2>{say(words.shops)}<small className="kit-quiet">{say(words.shopCount, { open: open.length, online: open.filter((shop) => shop.online).length })}</small></h2>
      {!shops.length && <p className="home-card kit-quiet">{say(words.noShops)}. {say(words.noShopsHint)}</p>}
      <ul>{shops.map((shop) => <li key={shop.id}><ShopCard shop={shop} hasOrders={hasOrders} /></li>)}</ul>
    </section>
  )
}

function ShopCard({ shop, hasOrders }: { shop: HomeShop, hasOrders: boolean }) {
  const say = useSay()
  const path = usePathOf('basicShopInfo')
  const [now, then] = [Number(shop.today.sales), Number(shop.yesterdaySoFar.sales)]
  const isOff = shop.status === TAKES_MONEY && !shop.online
  return (
    <Link className={`home-card home-shop${isOff ? ' home-shop-off' : ''}`} to={`${path}?detail=${shop.id}`}>
      <header>
        <strong>{shop.shopName}</strong>
        {shop.status === TAKES_MONEY
          ? <span className={shop.online ? 'home-on' : 'home-off'}><i aria-hidden />{say(shop.online ? words.online : words.offline)}</span>
          : <DictTag code="shop_status" value={shop.status} />}
      </header>
      {hasOrders && (
        <p>
          <strong key={shop.today.sales} className="home-value">¥{amount(shop.today.sales)}</strong>
          <span className="kit-quiet">{say(words.shopOrders, { count: shop.today.orders })}</span>
          {now !== then && <span className={now > then ? 'home-good' : 'home-bad'} data-tip={say(words.wasSoFar, { day: say(words.yesterday), value: `¥${amount(shop.yesterdaySoFar.sales)}`, whole: '' }).replace(/[，,][^，,]*$/, '')}><Icon name={now > then ? 'arrow-up' : 'arrow-down'} />{then ? `${Math.abs(((now - then) / then) * 100).toFixed(0)}%` : ''}</span>}
        </p>
      )}
      <footer>{shop.needs.map((need) => <span key={need.key}>{need.label} {need.count}</span>)}</footer>
    </Link>
  )
}

/** For the platform: every tenant's day, and whether the work in the background gets done. */
function Tenants({ platform }: { platform: NonNullable<Home['platform']> }) {
  const say = useSay()
  const path = usePathOf('tenant')
  const { tenants, jobsFailed, jobsLate } = platform
  return (
    <section className="home-shops">
      <h2>{say(words.tenants)}<small className="kit-quiet">{say(words.tenantCount, { count: tenants.length })}</small></h2>
      <p className={jobsFailed || jobsLate ? 'home-health home-bad' : 'home-health home-good'}>
        <Icon name={jobsFailed || jobsLate ? 'exclamation-circle' : 'check-circle'} /> {say(jobsFailed || jobsLate ? words.jobsBad : words.jobsGood, { failed: jobsFailed, late: jobsLate })}
      </p>
      <ul>
        {tenants.map((tenant) => (
          <li key={tenant.tenantId}>
            <MaybeLink to={path && `${path}?tenantId=${tenant.tenantId}`} className="home-card home-shop">
              <header><strong>{tenant.tenantName}</strong><span className="kit-quiet kit-number">{tenant.tenantId}</span></header>
              <p><strong className="home-value">¥{amount(tenant.sales)}</strong><span className="kit-quiet">{say(words.shopOrders, { count: tenant.orders })}</span></p>
              <footer><span>{say(words.shopCount, { open: tenant.shops, online: tenant.online })}</span></footer>
            </MaybeLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The home page of somebody without shops: the pages he has. */
function Pages() {
  const say = useSay()
  const user = useSession((session) => session.user)
  const menus = useSession((session) => session.menuAll)
  const tiles = leaves(menus).filter(({ menu }) => !menu.external && menu.path !== '/wel/index')
    .map(({ menu, trail }) => ({ to: menu.path, icon: menu.icon, text: menu.name, dept: trail.slice(0, -1).join(' / ') }))
  return (
    <div className="kit-page home">
      <header className="kit-title"><h1>{say(words.hello, { name: user?.realName || user?.nickName || user?.account })}</h1><p>{say(words.pages)}</p></header>
      <Tiles tiles={tiles} />
    </div>
  )
}

const HomeSkeleton = ({ hasOrders }: { hasOrders: boolean }) => (
  <>
    <header className="kit-title"><h1><span className="kit-skeleton" style={{ width: 90, height: 20 }} /></h1></header>
    {hasOrders && <ul className="home-figures">{[1, 2, 3, 4].map((at) => <li key={at}><div className="home-card home-figure"><span className="kit-skeleton" /><span className="kit-skeleton home-value" /><span className="kit-skeleton" /></div></li>)}</ul>}
    <div className={hasOrders ? 'home-middle' : undefined}>{[1, 2].map((at) => <div key={at} className="home-card"><div className="home-chart"><span className="kit-skeleton" /></div></div>)}</div>
  </>
)
