import { Button } from 'antd'
import { useSearchParams } from 'react-router'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { listMenuPages } from '#kit/web/base/menus.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { PageTiles } from '#kit/web/list/tiles.tsx'
import { ShopChoice, SpanChoice } from './choice.tsx'
import { ClerkHome } from './home-clerk.tsx'
import { HomeFigures, HomeTodoList, Shortcuts } from './home-parts.tsx'
import { SystemHealth, HomeTenantList } from './home-platform.tsx'
import { HomeShopList } from './home-shops.tsx'
import { SavedViewTiles } from './home-views.tsx'
import { homeWords as words } from './home-words.ts'
import { useStatisticsSelection, type ComparedDaySpan } from './span.ts'
import { SalesByGoodType, CustomerBreakdown, IncomeCurve, TopShops } from './trade.tsx'
import { ResourceChangeListener, useHomeOverview, type HomeOverview } from './use-home.ts'
import '#kit/web/base/kit.css'
import './home.css'

/** Home page: today's business, to-do items and shops, in the parts that fit the user's role. */
export default function HomePage() {
  const hasOrders = !!useResourcePath('shoppingOrder')
  const hasShops = !!useResourcePath('basicShopInfo')
  return hasOrders || hasShops ? <Today hasOrders={hasOrders} hasShops={hasShops} /> : <Pages />
}

type Reader = { hasOrders: boolean; hasShops: boolean }
type Part = Reader & { home: HomeOverview; shopId: string; span: ComparedDaySpan; setSpan: (key: string) => void }

const titles: Record<HomeOverview['role'], LocalizedText> = {
  platform: words.titlePlatform,
  tenant: words.title,
  boss: words.title,
  clerk: words.hello,
}

function Today({ hasOrders, hasShops }: Reader) {
  const t = useLocalize()
  const user = useSession((session) => session.user)
  const [searchParams] = useSearchParams()
  const { data: home, error, refetch, changed } = useHomeOverview(searchParams.get('shopId') ?? '')
  const { span, shopId, setSpan, setShop } = useStatisticsSelection(home?.date ?? '2000-01-01', 'today')

  if (!home)
    return (
      <div className="kit-page home">
        {error ? (
          <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
        ) : (
          <HomeSkeleton hasOrders={hasOrders} />
        )}
      </div>
    )

  const part: Part = { home, shopId, span, setSpan, hasOrders, hasShops }
  return (
    <div className={`kit-page home home-of-${home.role}`}>
      {home.hears.map((resource) => (
        <ResourceChangeListener key={resource} resource={resource} onChange={changed} />
      ))}
      <header className="kit-title home-title">
        <h1>{t(titles[home.role], { name: user?.realName || user?.nickName || user?.account })}</h1>
        <p>
          {error ? (
            <span className="kit-bad">
              {t(words.stale)}{' '}
              <Button type="link" size="small" onClick={() => void refetch()}>
                {t(kit.retry)}
              </Button>
            </span>
          ) : (
            t(words.asOf, { time: home.time.slice(0, 5) })
          )}
        </p>
        {home.role !== 'platform' && <ShopChoice shops={home.shops} value={shopId} onChange={setShop} />}
      </header>
      {home.role === 'clerk' ? (
        <ClerkHome {...part} />
      ) : home.role === 'boss' ? (
        <BossDay {...part} />
      ) : (
        <ChainDay {...part} />
      )}
    </div>
  )
}

/** Home page of a boss with some shops, often on a phone: figures, to-do items and shops first, then charts. */
function BossDay(part: Part) {
  const { home, shopId, hasOrders, hasShops } = part
  return (
    <>
      {hasOrders && <HomeFigures home={home} shopId={shopId} />}
      <SavedViewTiles />
      <div className="home-middle">
        <div className="home-stack">
          {hasShops && <HomeShopList shops={shopsOf(part)} hasOrders={hasOrders} />}
          {hasOrders && <Hours {...part} />}
        </div>
        <div className="home-stack home-first-on-phone">
          <Shortcuts shortcuts={home.shortcuts} />
          <HomeTodoList home={home} />
        </div>
      </div>
      {hasOrders && <Three {...part} />}
    </>
  )
}

/** Home page of a chain or the platform: figures and charts, to-do items, then shops or tenants. */
function ChainDay(part: Part) {
  const { home, shopId, hasOrders, hasShops } = part
  return (
    <>
      {hasOrders && <HomeFigures home={home} shopId={shopId} />}
      <SavedViewTiles />
      <div className="home-middle">
        <div className="home-stack">
          {hasOrders && <Hours {...part} />}
          {home.platform ? (
            <HomeTenantList platform={home.platform} />
          ) : (
            hasShops && <HomeShopList shops={shopsOf(part)} hasOrders={hasOrders} />
          )}
        </div>
        <div className="home-stack home-first-on-phone">
          <HomeTodoList home={home} />
          {home.platform && <SystemHealth platform={home.platform} />}
        </div>
      </div>
      {hasOrders && <Three {...part} />}
    </>
  )
}

const shopsOf = ({ home, shopId }: Part) => (shopId ? home.shops.filter((shop) => shop.id === shopId) : home.shops)

function Hours({ home, span, shopId, setSpan }: Part) {
  const t = useLocalize()
  return (
    <section className="home-card home-hours">
      <header className="home-bar">
        <h2>
          {t(span.days === 1 ? words.hours : words.days)}
          <small className="kit-quiet">{t(words.unit)}</small>
        </h2>
        <SpanChoice span={span} onChange={setSpan} />
      </header>
      <IncomeCurve span={span} shopId={shopId} now={{ date: home.date, hour: Number(home.time.slice(0, 2)) }} />
    </section>
  )
}

const Three = ({ home, span, shopId }: Part) => (
  <div className="home-three">
    {!shopId && home.shops.length > 1 && <TopShops span={span} shopId={shopId} />}
    <SalesByGoodType span={span} shopId={shopId} />
    <CustomerBreakdown span={span} shopId={shopId} />
  </div>
)

/** Home page of people without shops: links to their pages. */
function Pages() {
  const t = useLocalize()
  const user = useSession((session) => session.user)
  const menus = useSession((session) => session.menuAll)
  const tiles = listMenuPages(menus)
    .filter(({ menu }) => !menu.external && menu.path !== '/wel/index')
    .map(({ menu, trail }) => ({
      to: menu.path,
      icon: menu.icon,
      text: menu.name,
      dept: trail.slice(0, -1).join(' / '),
    }))
  return (
    <div className="kit-page home">
      <header className="kit-title">
        <h1>{t(words.hello, { name: user?.realName || user?.nickName || user?.account })}</h1>
        <p>{t(words.pages)}</p>
      </header>
      <SavedViewTiles />
      <PageTiles tiles={tiles} />
    </div>
  )
}

const HomeSkeleton = ({ hasOrders }: { hasOrders: boolean }) => (
  <>
    <header className="kit-title">
      <h1>
        <span className="kit-skeleton" style={{ width: 90, height: 20 }} />
      </h1>
    </header>
    {hasOrders && (
      <ul className="home-figures">
        {[1, 2, 3, 4].map((at) => (
          <li key={at}>
            <div className="home-card home-figure">
              <span className="kit-skeleton" />
              <span className="kit-skeleton home-value" />
              <span className="kit-skeleton" />
            </div>
          </li>
        ))}
      </ul>
    )}
    <div className={hasOrders ? 'home-middle' : undefined}>
      {[1, 2].map((at) => (
        <div key={at} className="home-card">
          <div className="kit-chart">
            <span className="kit-skeleton" />
          </div>
        </div>
      ))}
    </div>
  </>
)
