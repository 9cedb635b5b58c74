import { formatAmount } from '#kit/fields/money/cents.ts'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useNow } from '#kit/web/parts/relative-time.tsx'
import { Link } from 'react-router'
import { MaybeLink } from './home-parts.tsx'
import { homeWords as words } from './home-words.ts'
import type { HomeOverview, HomeTenant } from './use-home.ts'

type Parts = Record<string, { ok: boolean; millis?: number }>
const HEALTH_MS = 60_000
const SOON_MS = 30 * 86_400_000

/** Health of the system's parts, and background jobs that failed or are late. */
export function SystemHealth({
  platform: { jobsFailed, jobsLate },
}: {
  platform: NonNullable<HomeOverview['platform']>
}) {
  const t = useLocalize()
  const { data } = useQuery({
    queryKey: ['health'],
    // An unhealthy system also answers with JSON, under an error status.
    queryFn: async ({ signal }) => ((await (await fetch('/api/health', { signal })).json()) as { data: Parts }).data,
    refetchInterval: HEALTH_MS,
    retry: false,
  })
  const isLagging = jobsFailed > 0 || jobsLate > 0
  return (
    <section className="home-card home-health">
      <h2>{t(words.health)}</h2>
      <ul>
        {Object.entries(data ?? {}).map(([part, { ok, millis }]) => (
          <li key={part} className={ok ? 'home-good' : 'home-bad'}>
            <Icon name={ok ? 'check-circle' : 'close-circle'} />
            <span>{t(words[`part_${part}` as keyof typeof words] ?? { zh: part, en: part })}</span>
            <small className="kit-quiet kit-number">
              {!ok ? t(words.unwell) : millis !== undefined ? t(words.millis, { count: millis }) : t(words.well)}
            </small>
          </li>
        ))}
        <li className={isLagging ? 'home-bad' : 'home-good'}>
          <Icon name={isLagging ? 'exclamation-circle' : 'check-circle'} />
          <span>{t(isLagging ? words.jobsBad : words.jobsGood, { failed: jobsFailed, late: jobsLate })}</span>
        </li>
      </ul>
    </section>
  )
}

/** Table of all tenants: sales, shops and expiry date; each number is a link to its rows. */
export function HomeTenantList({
  platform: { tenants, tenantCount },
}: {
  platform: NonNullable<HomeOverview['platform']>
}) {
  const t = useLocalize()
  const path = useResourcePath('tenant')

  return (
    <section className="home-card home-tenants">
      <div className="home-bar">
        <h2>
          {t(words.tenants)}
          <small className="kit-quiet">{t(words.tenantCount, { count: tenantCount })}</small>
        </h2>
        {path && <Link to={path}>{t(words.allTenants)}</Link>}
      </div>
      <div className="home-scroll">
        <table className="home-table">
          <thead>
            <tr>
              <th scope="col">{t(words.tenant)}</th>
              <th scope="col" className="home-right">
                {t(words.today)} · {t(words.unit)}
              </th>
              <th scope="col" className="home-right">
                {t(words.orders)}
              </th>
              <th scope="col">{t(words.span_7)}</th>
              <th scope="col" className="home-right">
                {t(words.shopsOnline)}
              </th>
              <th scope="col" className="home-right">
                {t(words.alarms)}
              </th>
              <th scope="col">{t(words.expiry)}</th>
            </tr>
          </thead>
          <tbody>
            {tenants.map((tenant) => (
              <TenantLine key={tenant.tenantId} tenant={tenant} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function TenantLine({ tenant }: { tenant: HomeTenant }) {
  const [tenants, shops, orders, events] = [
    useResourcePath('tenant'),
    useResourcePath('basicShopInfo'),
    useResourcePath('shoppingOrder'),
    useResourcePath('event'),
  ]
  const of = `tenantId=${tenant.tenantId}`
  const date = tenant.days.at(-1)!.day

  return (
    <tr>
      <th scope="row">
        <MaybeLink to={tenants && `${tenants}?detail=${tenant.id}`}>{tenant.tenantName}</MaybeLink>{' '}
        <small className="kit-quiet kit-number">{tenant.tenantId}</small>
      </th>
      <td className="home-right">
        <strong>{formatAmount(tenant.sales)}</strong>
      </td>
      <td className="home-right">
        <MaybeLink to={orders && `${orders}?${of}&status=1,2,3,4&payTime_dategt=${date}&payTime_datelt=${date}`}>
          {tenant.orders}
        </MaybeLink>
      </td>
      <td>
        <Week days={tenant.days} />
      </td>
      <td className="home-right">
        <MaybeLink to={shops && `${shops}?${of}&status=1`}>
          <span className={tenant.online < tenant.shops ? 'home-bad' : undefined}>{tenant.online}</span> /{' '}
          {tenant.shops}
        </MaybeLink>
      </td>
      <td className="home-right">
        {tenant.urgent > 0 ? (
          <MaybeLink to={events && `${events}?${of}&level=3&status=0,1`} className="home-bad">
            {tenant.urgent}
          </MaybeLink>
        ) : (
          <span className="kit-quiet">0</span>
        )}
      </td>
      <td>
        <Expiry at={tenant.expireTime} />
      </td>
    </tr>
  )
}

/** Bars for the sales of seven days, each with its amount as a tooltip. */
function Week({ days }: { days: HomeTenant['days'] }) {
  const most = Math.max(...days.map(({ sales }) => Number(sales)), 0.01)
  return (
    <span className="home-week">
      {days.map(({ day, sales }) => (
        <i
          key={day}
          data-tip={`${day.slice(5)} ¥${formatAmount(sales)}`}
          data-none={Number(sales) === 0}
          style={{ height: `${Math.max(8, (Number(sales) / most) * 100)}%` }}
        >
          <span className="kit-hidden">
            {day.slice(5)} {formatAmount(sales)}{' '}
          </span>
        </i>
      ))}
    </span>
  )
}

function Expiry({ at }: { at: string }) {
  const t = useLocalize()
  const now = useNow()
  if (!at) return <span className="kit-quiet">{t(words.forever)}</span>
  const left = new Date(`${at.replace(' ', 'T')}+08:00`).getTime() - now
  if (left > SOON_MS) return <span className="kit-number">{at.slice(0, 10)}</span>
  return (
    <span className={left <= 0 ? 'home-bad' : 'home-soon'}>
      <Icon name={left <= 0 ? 'close-circle' : 'clock-circle'} />
      {t(left <= 0 ? words.expired : words.daysLeft, { date: at.slice(0, 10), count: Math.ceil(left / 86_400_000) })}
    </span>
  )
}
