import { formatAmount } from '#kit/fields/money/cents.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { IconName } from '#kit/base/icon-names.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { isShownAsPercentChange } from '#kit/web/parts/change.ts'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { homeWords as words } from './home-words.ts'
import type { HomeDayFigures, HomeOverview, Shortcut, WaitingTodo } from './use-home.ts'

type Figure = {
  key: 'sales' | 'orders' | 'customers' | 'refunds'
  icon: IconName
  to?: string
  note?: string
  isBadUp?: boolean
}

/** Four figures of today, compared with the same time of yesterday and last week; each is a link to its rows. */
export function HomeFigures({ home, shopId }: { home: HomeOverview; shopId: string }) {
  const t = useLocalize()
  const ordersPath = useResourcePath('shoppingOrder')
  const refundsPath = useResourcePath('refunds')
  const { today, date } = home
  const ofShop = shopId && `&shopId=${shopId}`
  const orders = ordersPath && `${ordersPath}?status=1,2,3,4&payTime_dategt=${date}&payTime_datelt=${date}${ofShop}`
  const figures: Figure[] = [
    {
      key: 'sales',
      icon: 'pay-circle',
      to: orders,
      note: today.orders
        ? t(words.average, { amount: formatAmount((Number(today.sales) / today.orders).toFixed(2)) })
        : undefined,
    },
    { key: 'orders', icon: 'file-text', to: orders },
    {
      key: 'customers',
      icon: 'team',
      to: orders,
      note: home.newCustomers ? t(words.newCustomers, { count: home.newCustomers }) : undefined,
    },
    {
      key: 'refunds',
      icon: 'rollback',
      to: refundsPath && `${refundsPath}?status=3&finishTime_dategt=${date}&finishTime_datelt=${date}${ofShop}`,
      note: t(words.refundCount, { count: today.refundCount }),
      isBadUp: true,
    },
  ]
  return (
    <ul className="home-figures">
      {figures.map((figure) => (
        <li key={figure.key}>
          <FigureCard figure={figure} home={home} />
        </li>
      ))}
    </ul>
  )
}

const isMoney = (key: Figure['key']) => key === 'sales' || key === 'refunds'
const shown = (figures: HomeDayFigures, key: Figure['key']) =>
  isMoney(key) ? `¥${formatAmount(figures[key])}` : Number(figures[key]).toLocaleString('en-US')

function FigureCard({ figure, home }: { figure: Figure; home: HomeOverview }) {
  const t = useLocalize()
  const { key, icon, to, note, isBadUp } = figure
  const value = shown(home.today, key)

  const body = (
    <>
      <span className="home-label">
        <Icon name={icon} />
        {t(words[key])}
        {note && <small>{note}</small>}
      </span>
      {/* A new value comes in softly where the old one stood. */}
      <strong key={value} className="home-value">
        {value}
      </strong>
      <span className="home-against">
        <Against
          now={home.today}
          then={home.yesterdaySoFar}
          whole={home.yesterday}
          figure={key}
          day={words.yesterday}
          isBadUp={isBadUp}
        />
        <Against
          now={home.today}
          then={home.lastWeekSoFar}
          whole={home.lastWeek}
          figure={key}
          day={words.lastWeek}
          isBadUp={isBadUp}
        />
      </span>
    </>
  )

  return to ? (
    <Link className="home-card home-figure" to={to}>
      {body}
    </Link>
  ) : (
    <div className="home-card home-figure">{body}</div>
  )
}

type AgainstProps = {
  now: HomeDayFigures
  then: HomeDayFigures
  whole: HomeDayFigures
  figure: Figure['key']
  day: LocalizedText
  isBadUp?: boolean
}

/** Formats a change in per cent, limited to 999%: after midnight the first sale would be thousands. */
export const formatChangePercent = (change: number) =>
  Math.abs(change) >= 10 ? '>999%' : `${Math.abs(change * 100).toFixed(Math.abs(change) < 0.1 ? 1 : 0)}%`

/** Compares a figure with the same time of another day. */
function Against({ now, then, whole, figure, day, isBadUp }: AgainstProps) {
  const t = useLocalize()
  const tip = t(words.wasSoFar, { day: t(day), value: shown(then, figure), whole: shown(whole, figure) })
  return (
    <span data-tip={tip}>
      <span className="kit-quiet">{t(day)}</span>{' '}
      <HomeFigureChange
        now={Number(now[figure])}
        then={Number(then[figure])}
        fresh={shown(now, figure)}
        isCount={!isMoney(figure)}
        isBadUp={isBadUp}
      />
    </span>
  )
}

type ChangeProps = {
  now: number
  then: number
  /** Shown instead of a percentage when the earlier value was 0. */
  fresh?: string
  /** The figure is a count: small changes are shown as a number instead of a percentage. */
  isCount?: boolean
  isBadUp?: boolean
}

/** Shows a change by arrow, percentage and colour. */
export function HomeFigureChange({ now, then, fresh, isCount = false, isBadUp }: ChangeProps) {
  const t = useLocalize()
  if (now === then) return <span className="kit-quiet">{t(words.same)}</span>
  const isUp = now > then
  // No percentage from a negative value.
  const change = isShownAsPercentChange(then, isCount)
    ? formatChangePercent((now - then) / then)
    : Math.abs(now - then).toLocaleString('en-US')
  const share = then > 0 ? change : ''
  return (
    <span className={`kit-number ${isUp !== Boolean(isBadUp) ? 'home-good' : 'home-bad'}`}>
      <Icon name={isUp ? 'arrow-up' : 'arrow-down'} />
      <span className="kit-hidden">{t(isUp ? words.up : words.down, { share })}</span>
      <span aria-hidden>{share || fresh}</span>
    </span>
  )
}

/** To-do list of the reader: one line for each kind. */
export function HomeTodoList({ home }: { home: HomeOverview }) {
  const t = useLocalize()
  return (
    <section className="home-card home-needs">
      <h2>{t(words.needs)}</h2>
      {!home.needs.length && <NothingToDoNote />}
      <ul>
        {home.needs.map((need) => (
          <li key={need.key}>
            <NeedLine need={need} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function NothingToDoNote() {
  const t = useLocalize()
  return (
    <p className="home-calm">
      <Icon name="check-circle" />
      <span>
        <strong>{t(words.calm)}</strong>
        <small className="kit-quiet">{t(words.calmHint)}</small>
      </span>
    </p>
  )
}

/** Returns the URL of the list that shows exactly the counted rows; undefined without permission. */
export function useTodoListPath(need: WaitingTodo): string | undefined {
  const path = useResourcePath(need.resource)
  return path && `${path}?${new URLSearchParams(need.query).toString()}`
}

function NeedLine({ need }: { need: WaitingTodo }) {
  const to = useTodoListPath(need)
  const [first] = need.rows ?? []
  return (
    <MaybeLink to={to} className={`home-need home-${need.tone}`}>
      <Icon name={need.icon} />
      <span>
        {need.label}
        {need.amount && <small className="kit-quiet"> ¥{formatAmount(need.amount)}</small>}
      </span>
      <strong>{need.count}</strong>
      {to && <Icon name="right" />}
      {first && <small className="home-first">{first.title}</small>}
    </MaybeLink>
  )
}

export const MaybeLink = ({ to, className, children }: { to?: string; className?: string; children: ReactNode }) =>
  to ? (
    <Link to={to} className={className}>
      {children}
    </Link>
  ) : (
    <span className={className}>{children}</span>
  )

/** Shortcuts to common tasks as large buttons. */
export function Shortcuts({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  const t = useLocalize()
  if (!shortcuts.length) return null
  return (
    <nav className="home-shortcuts" aria-label={t(words.begin)}>
      {shortcuts.map(({ key, label, icon, path }) => (
        <Link key={key} to={path} className="home-card">
          <Icon name={icon} />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  )
}
